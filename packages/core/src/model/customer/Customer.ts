/**
 * A customer of a platform: a person or a business.
 * Source: wire contract 5.11 (the specification shows no fields beyond the identifier); D-080.
 */
import { Schema } from "effect"
import { Instant } from "../../foundation/kit/Instant.ts"
import { atMost, Matching } from "../../foundation/kit/Lengths.ts"
import { Text } from "../../foundation/kit/Text.ts"
import { CurrencyCode } from "../../foundation/money/Currencies.ts"
import { BusinessInfoPart } from "./BusinessProfile.ts"
import { KycMachine } from "./CheckMachine.ts"
import { individualFields } from "./IndividualProfile.ts"

/** A person, or a company or other organization. */
export const CustomerType = Schema.Literals(["INDIVIDUAL", "BUSINESS"])
export type CustomerType = typeof CustomerType.Type

/** The status of the check of a person (`kycStatus`) or a business (`kybStatus`). */
export const KycStatus = Schema.Literals(KycMachine.states)
export type KycStatus = typeof KycStatus.Type

/** Whether the check is decided. A decided customer cannot be verified again. Source: wire contract 7.6. */
export const isDecided = (status: KycStatus): boolean => status === "APPROVED" || status === "REJECTED"

const Line = Schema.String.check(atMost("text"))

/** A postal address. `country` is an ISO 3166-1 alpha-2 code. */
export const Address = Schema.Struct({
  line1: Line.check(Schema.isNonEmpty()),
  line2: Schema.optionalKey(Line),
  city: Schema.optionalKey(Line),
  state: Schema.optionalKey(Line),
  postalCode: Line.check(Schema.isNonEmpty()),
  country: Matching("code", /^[A-Z]{2}$/u, "an ISO 3166-1 alpha-2 code"),
}).annotate({ identifier: "Address" })

/** The customer's acceptance of the end user terms. */
export const EndUserTermsConsent = Schema.Struct({
  acceptedAt: Instant,
  ipAddress: Text(45),
  termsVersion: Text(255),
  acceptanceMethod: Schema.Literals(["CHECKBOX", "CLICK_TO_ACCEPT"]),
}).annotate({ identifier: "EndUserTermsConsent" })

const ContactStatus = Schema.Literals(["PENDING", "VERIFIED"])

/** Whether the customer has confirmed its contacts. Present only in regions that require it. */
export const ContactVerification = Schema.Struct({
  email: Schema.optionalKey(ContactStatus),
  phone: Schema.optionalKey(ContactStatus),
}).annotate({ identifier: "ContactVerification" })
export type ContactVerification = typeof ContactVerification.Type

/** The stored data of a customer. */
export const Customer = Schema.Struct({
  platformCustomerId: Schema.String,
  customerType: CustomerType,
  /** `kycStatus` of an individual, `kybStatus` of a business. */
  checkStatus: KycStatus,
  ...individualFields,
  birthDate: Schema.optionalKey(Schema.String),
  /** The number of an authority, stored only masked. */
  identifier: Schema.optionalKey(Schema.String),
  address: Schema.optionalKey(Address),
  email: Schema.optionalKey(Schema.String),
  phoneNumber: Schema.optionalKey(Schema.String),
  region: Schema.optionalKey(Schema.String),
  currencies: Schema.Array(CurrencyCode),
  umaAddress: Schema.String,
  /** `taxId` is stored masked. */
  businessInfo: Schema.optionalKey(
    Schema.Struct({ ...BusinessInfoPart.fields, incorporatedOn: Schema.optionalKey(Schema.String) }),
  ),
  /** The owners of a business. The list is stored here, so that every new owner updates the customer. */
  beneficialOwnerIds: Schema.optionalKey(Schema.Array(Schema.String)),
  endUserTermsConsent: Schema.optionalKey(Schema.Struct({ ...EndUserTermsConsent.fields, acceptedAt: Schema.String })),
  /**
   * Present on an unregulated platform until the customer accepts the end user terms. Until then it has no accounts and moves no
   * money. Source: D-113.
   */
  awaitsTerms: Schema.optionalKey(Schema.Literal(true)),
  contactVerification: Schema.optionalKey(ContactVerification),
  isDeleted: Schema.Boolean,
})
export type Customer = typeof Customer.Type
