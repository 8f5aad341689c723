/**
 * A customer of a platform: a person or a business.
 * Source: wire contract 5.11 (the specification shows no fields beyond the identifier).
 */
import { Schema } from "effect"
import { CurrencyCode } from "../money/Currencies.ts"

export const CustomerType = Schema.Literals(["INDIVIDUAL", "BUSINESS"])
export type CustomerType = typeof CustomerType.Type

/** Status of the check of a person (`kycStatus`) or a business (`kybStatus`). */
export const KycStatus = Schema.Literals(["UNVERIFIED", "PENDING", "APPROVED", "REJECTED", "HOLD"])
export type KycStatus = typeof KycStatus.Type

export const Address = Schema.Struct({
  line1: Schema.NonEmptyString,
  line2: Schema.optionalKey(Schema.String),
  city: Schema.optionalKey(Schema.String),
  state: Schema.optionalKey(Schema.String),
  postalCode: Schema.NonEmptyString,
  country: Schema.String.check(Schema.isPattern(/^[A-Z]{2}$/u, { expected: "an ISO 3166-1 alpha-2 code" })),
}).annotate({ identifier: "Address" })

/** What is stored of a customer. */
export const Customer = Schema.Struct({
  platformCustomerId: Schema.String,
  customerType: CustomerType,
  /** `kycStatus` of an individual, `kybStatus` of a business. */
  checkStatus: KycStatus,
  fullName: Schema.optionalKey(Schema.String),
  birthDate: Schema.optionalKey(Schema.String),
  nationality: Schema.optionalKey(Schema.String),
  address: Schema.optionalKey(Address),
  email: Schema.optionalKey(Schema.String),
  phoneNumber: Schema.optionalKey(Schema.String),
  region: Schema.optionalKey(Schema.String),
  currencies: Schema.Array(CurrencyCode),
  umaAddress: Schema.String,
  businessInfo: Schema.optionalKey(Schema.Record(Schema.String, Schema.Json)),
  isDeleted: Schema.Boolean,
})
export type Customer = typeof Customer.Type
