/**
 * Customers on the wire.
 * Source: wire contract 5.11; D-080.
 */
import { Schema } from "effect"
import { Id } from "../../foundation/ids/IdTypes.ts"
import { iso, Timestamp } from "../../foundation/kit/Instant.ts"
import { PageOf } from "../../foundation/kit/PageResource.ts"
import { secret } from "../../foundation/kit/Secret.ts"
import { CurrencyCode } from "../../foundation/money/Currencies.ts"
import type { RecordOf } from "../record/Record.ts"
import type { BeneficialOwner } from "./BeneficialOwner.ts"
import { BeneficialOwnerResource, toBeneficialOwner } from "./BeneficialOwnerResource.ts"
import { Customer, CustomerType, KycStatus } from "./Customer.ts"
import { individualFields } from "./IndividualProfile.ts"

const { address, businessInfo, contactVerification, email, endUserTermsConsent, phoneNumber, region } = Customer.fields

export const CustomerResource = Schema.Struct({
  id: Id("Customer"),
  platformCustomerId: Schema.String,
  customerType: CustomerType,
  kycStatus: Schema.optionalKey(KycStatus.annotate({ description: "Individuals." })),
  kybStatus: Schema.optionalKey(KycStatus.annotate({ description: "Businesses." })),
  ...individualFields,
  birthDate: Schema.optionalKey(Schema.String.annotate({ format: "date" })),
  address,
  businessInfo,
  beneficialOwners: Schema.optionalKey(Schema.Array(BeneficialOwnerResource).annotate({ description: "Businesses." })),
  email,
  phoneNumber,
  region,
  currencies: Schema.Array(CurrencyCode),
  umaAddress: Schema.String,
  endUserTermsConsent,
  contactVerification,
  isDeleted: Schema.Boolean,
  createdAt: Timestamp,
  updatedAt: Timestamp,
}).annotate({ identifier: "Customer" })
export type CustomerResource = typeof CustomerResource.Type

/** A page of customers, newest first. */
export const CustomerListResponse = PageOf(CustomerResource, "CustomerListResponse")

/** The stored fields that the resource shows unchanged. `identifier` is write-only. */
const shownFields = [
  "fullName",
  "birthDate",
  "nationality",
  "idType",
  "countryOfIssuance",
  "sourceOfFundsCategories",
  "sourceOfFundsOtherDescription",
  "sourceOfWealthCategories",
  "sourceOfWealthOtherDescription",
  "purposeOfAccount",
  "purposeOfAccountOtherDescription",
  "expectedMonthlyTransactionCount",
  "expectedMonthlyTransactionVolume",
  "annualIncomeRange",
  "netWorthRange",
  "pepStatus",
  "address",
  "businessInfo",
  "email",
  "phoneNumber",
  "region",
  "endUserTermsConsent",
  "contactVerification",
] as const satisfies ReadonlyArray<keyof Customer & keyof CustomerResource>

/** Returns the named members of an object that are not `undefined`. */
export const definedMembers = <A extends object, const K extends keyof A>(
  from: A,
  names: ReadonlyArray<K>,
): { readonly [name in K]?: Exclude<A[name], undefined> } =>
  Object.fromEntries(names.flatMap((name) => (from[name] === undefined ? [] : [[name, from[name]]]))) as {
    readonly [name in K]?: Exclude<A[name], undefined>
  }

export const toCustomer = (
  { createdAt, data, id, updatedAt }: RecordOf<"Customer", Customer>,
  owners: ReadonlyArray<RecordOf<"BeneficialOwner", BeneficialOwner>> = [],
): CustomerResource => ({
  id,
  platformCustomerId: data.platformCustomerId,
  customerType: data.customerType,
  ...(data.customerType === "INDIVIDUAL"
    ? { kycStatus: data.checkStatus }
    : { kybStatus: data.checkStatus, beneficialOwners: owners.map(toBeneficialOwner) }),
  ...definedMembers(data, shownFields),
  currencies: data.currencies,
  umaAddress: data.umaAddress,
  isDeleted: data.isDeleted,
  createdAt: iso(createdAt),
  updatedAt: iso(updatedAt),
})

/** The end user terms that a platform shows its customers. Source: wire contract 5.11. */
export const EndUserTermsResource = Schema.Struct({ version: Schema.String, url: Schema.String }).annotate({
  identifier: "EndUserTerms",
})

/** Answer of `POST /customers/{customerId}/kyc-link`: the page on which the customer completes the check, valid until `expiresAt`. */
export const KycLinkResponse = Schema.Struct({
  kycUrl: Schema.String.annotate({ ...secret, format: "uri", description: "May be used once." }),
  expiresAt: Timestamp,
  provider: Schema.String,
  token: Schema.optionalKey(Schema.String.annotate(secret)),
}).annotate({ identifier: "KycLinkResponse" })
export type KycLinkResponse = typeof KycLinkResponse.Type
