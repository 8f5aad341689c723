/**
 * The requests that create and update a customer, and the requests about its check and its contacts.
 * Source: wire contract 5.11; wire contract areas 2.10.
 */
import { Schema } from "effect"
import * as CrossField from "../../foundation/kit/CrossField.ts"
import { HttpUrl } from "../../foundation/kit/HttpUrl.ts"
import { secret } from "../../foundation/kit/Secret.ts"
import { Email, PhoneNumber, Text } from "../../foundation/kit/Text.ts"
import { Currencies, CurrencyCode } from "../../foundation/money/Currencies.ts"
import { BusinessInfo, BusinessInfoPart } from "./BusinessProfile.ts"
import { Address, EndUserTermsConsent, KycStatus } from "./Customer.ts"
import { individualFields } from "./IndividualProfile.ts"
import { UmaAddress } from "./UmaAddress.ts"

const common = {
  region: Schema.optionalKey(Text(32)),
  currencies: Schema.optionalKey(Schema.Array(CurrencyCode).check(Schema.isMaxLength(Currencies.keys.length))),
  email: Schema.optionalKey(Email),
  phoneNumber: Schema.optionalKey(PhoneNumber),
  umaAddress: Schema.optionalKey(
    UmaAddress.annotate({ description: "Unique; generated when a customer is created without." }),
  ),
  endUserTermsConsent: Schema.optionalKey(EndUserTermsConsent),
  address: Schema.optionalKey(Address),
}

/** A member that requests share with the resource. A check is decided by its provider, never by the request. */
const checkStatus = Schema.optionalKey(KycStatus.annotate({ description: "Accepted and ignored." }))

const individual = {
  ...individualFields,
  kycStatus: checkStatus,
  identifier: Schema.optionalKey(
    Text(255, "Never shown; kept by its last four characters only.").annotate({ writeOnly: true }),
  ),
}

const business = { kybStatus: checkStatus }

const platformCustomerId = Schema.optionalKey(Text(255, "The platform's own id; generated when omitted."))

const IndividualCreateRequest = Schema.Struct({
  customerType: Schema.Literal("INDIVIDUAL"),
  platformCustomerId,
  ...common,
  ...individual,
}).annotate({ identifier: "IndividualCustomerCreateRequest" })

const BusinessCreateRequest = Schema.Struct({
  customerType: Schema.Literal("BUSINESS"),
  platformCustomerId,
  ...common,
  ...business,
  businessInfo: BusinessInfo,
}).annotate({ identifier: "BusinessCustomerCreateRequest" })

/** Body of `POST /customers`. `platformCustomerId` and `umaAddress` are generated when omitted. */
export const CustomerCreateRequest = Schema.Union([IndividualCreateRequest, BusinessCreateRequest]).annotate({
  identifier: "CustomerCreateRequest",
})
export type CustomerCreateRequest = typeof CustomerCreateRequest.Type

/** Rejects an update of both contacts, because each may have to be confirmed. */
const oneContact = CrossField.check(({ email, phoneNumber }) =>
  email === undefined || phoneNumber === undefined
    ? []
    : ["email", "phoneNumber"].map((field) => ({
        path: [field],
        message: `must not be changed together with ${field === "email" ? "phoneNumber" : "email"}`,
      })),
)

const IndividualUpdateRequest = Schema.Struct({
  customerType: Schema.Literal("INDIVIDUAL"),
  ...common,
  ...individual,
})
  .check(oneContact)
  .annotate({ identifier: "IndividualCustomerUpdateRequest" })

const BusinessUpdateRequest = Schema.Struct({
  customerType: Schema.Literal("BUSINESS"),
  ...common,
  ...business,
  businessInfo: Schema.optionalKey(BusinessInfoPart),
})
  .check(oneContact)
  .annotate({ identifier: "BusinessCustomerUpdateRequest" })

/**
 * Body of `PATCH /customers/{customerId}`. Omitted fields keep their value; `currencies` replaces the list; `email` and
 * `phoneNumber` change one at a time.
 */
export const CustomerUpdateRequest = Schema.Union([IndividualUpdateRequest, BusinessUpdateRequest]).annotate({
  identifier: "CustomerUpdateRequest",
})
export type CustomerUpdateRequest = typeof CustomerUpdateRequest.Type

/** What a customer is created of: a request, or the row of an import, which lacks some fields of a business. */
export type CustomerCreation = CustomerUpdateRequest & Pick<CustomerCreateRequest, "platformCustomerId">

/** Requests a link to the provider's page for a person's check. */
export const KycLinkCreateRequest = Schema.Struct({
  redirectUri: Schema.optionalKey(HttpUrl(2048).annotate({ description: "Where the person goes afterwards." })),
}).annotate({ identifier: "KycLinkCreateRequest" })

/** Confirms a contact by the code that was sent to it. */
export const ContactVerificationConfirmRequest = Schema.Struct({ code: Text(32).annotate(secret) }).annotate({
  identifier: "ContactVerificationConfirmRequest",
})
