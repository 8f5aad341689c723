/**
 * Customers on the wire.
 * Source: wire contract 5.11.
 */
import { Schema } from "effect"
import { Id } from "../ids/IdTypes.ts"
import { iso } from "../kit/Instant.ts"
import { CurrencyCode } from "../money/Currencies.ts"
import type { Stored } from "../ports/ChangeSet.ts"
import { Address, type Customer, CustomerType, KycStatus } from "./Customer.ts"

const date = Schema.String.check(
  Schema.isPattern(/^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/u, { expected: "a date such as 1990-01-31" }),
).annotate({ format: "date" })
const country = Schema.String.check(Schema.isPattern(/^[A-Z]{2}$/u, { expected: "an ISO 3166-1 alpha-2 code" }))
const text = Schema.String.check(Schema.isMinLength(1), Schema.isMaxLength(255))

const common = {
  platformCustomerId: Schema.optionalKey(
    text.annotate({ description: "The platform's own id; generated when omitted." }),
  ),
  region: Schema.optionalKey(country),
  currencies: Schema.optionalKey(Schema.Array(CurrencyCode)),
  email: Schema.optionalKey(
    Schema.String.check(Schema.isPattern(/^[^@\s]+@[^@\s]+\.[^@\s]+$/u, { expected: "an e-mail address" })).annotate({
      format: "email",
    }),
  ),
  phoneNumber: Schema.optionalKey(
    Schema.String.check(
      Schema.isPattern(/^\+[1-9]\d{1,14}$/u, { expected: "an E.164 phone number such as +14155550123" }),
    ),
  ),
  umaAddress: Schema.optionalKey(
    Schema.String.check(
      Schema.isPattern(/^\$[a-z0-9._+-]+@[a-zA-Z0-9.-]+$/u, { expected: "a UMA address such as $name@example.com" }),
    ),
  ),
}

const BusinessInfo = Schema.Struct({
  legalName: text,
  country,
  taxId: text,
  incorporatedOn: date,
  doingBusinessAs: Schema.optionalKey(text),
  registrationNumber: Schema.optionalKey(text),
}).annotate({ identifier: "BusinessInfo" })

export const IndividualCreateRequest = Schema.Struct({
  customerType: Schema.Literal("INDIVIDUAL"),
  ...common,
  fullName: Schema.optionalKey(text),
  birthDate: Schema.optionalKey(date),
  nationality: Schema.optionalKey(country),
  address: Schema.optionalKey(Address),
}).annotate({ identifier: "IndividualCustomerCreateRequest" })

export const BusinessCreateRequest = Schema.Struct({
  customerType: Schema.Literal("BUSINESS"),
  ...common,
  businessInfo: BusinessInfo,
  address: Schema.optionalKey(Address),
}).annotate({ identifier: "BusinessCustomerCreateRequest" })

export const CustomerCreateRequest = Schema.Union([IndividualCreateRequest, BusinessCreateRequest]).annotate({
  message: "customerType must be one of INDIVIDUAL, BUSINESS",
})
export type CustomerCreateRequest = typeof CustomerCreateRequest.Type

export const CustomerResource = Schema.Struct({
  id: Id("Customer"),
  platformCustomerId: Schema.String,
  customerType: CustomerType,
  kycStatus: Schema.optionalKey(KycStatus.annotate({ description: "Individuals." })),
  kybStatus: Schema.optionalKey(KycStatus.annotate({ description: "Businesses." })),
  fullName: Schema.optionalKey(Schema.String),
  birthDate: Schema.optionalKey(Schema.String),
  nationality: Schema.optionalKey(Schema.String),
  address: Schema.optionalKey(Address),
  businessInfo: Schema.optionalKey(Schema.Record(Schema.String, Schema.Json)),
  email: Schema.optionalKey(Schema.String),
  phoneNumber: Schema.optionalKey(Schema.String),
  region: Schema.optionalKey(Schema.String),
  currencies: Schema.Array(CurrencyCode),
  umaAddress: Schema.String,
  isDeleted: Schema.Boolean,
  createdAt: Schema.String,
  updatedAt: Schema.String,
}).annotate({ identifier: "Customer" })
export type CustomerResource = typeof CustomerResource.Type

const given = <K extends keyof Customer>(data: Customer, ...fields: ReadonlyArray<K>): Pick<Customer, K> =>
  Object.fromEntries(fields.flatMap((field) => (data[field] === undefined ? [] : [[field, data[field]]]))) as Pick<
    Customer,
    K
  >

export const toCustomer = ({ createdAt, data, id, updatedAt }: Stored<"Customer">): CustomerResource => ({
  id,
  platformCustomerId: data.platformCustomerId,
  customerType: data.customerType,
  ...(data.customerType === "INDIVIDUAL" ? { kycStatus: data.checkStatus } : { kybStatus: data.checkStatus }),
  ...given(data, "fullName", "birthDate", "nationality", "address", "businessInfo", "email", "phoneNumber", "region"),
  currencies: data.currencies,
  umaAddress: data.umaAddress,
  isDeleted: data.isDeleted,
  createdAt: iso(createdAt),
  updatedAt: iso(updatedAt),
})
