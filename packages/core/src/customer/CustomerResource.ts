/**
 * Customers on the wire.
 * Source: wire contract 5.11.
 */
import { Schema } from "effect"
import { Id } from "../ids/IdTypes.ts"
import { CalendarDate, iso, Timestamp } from "../kit/Instant.ts"
import { CountryCode, Email, PhoneNumber, Text } from "../kit/Text.ts"
import { Currencies, CurrencyCode } from "../money/Currencies.ts"
import type { Stored } from "../ports/ChangeSet.ts"
import {
  BusinessType,
  EntityType,
  ExpectedMonthlyTransactionCount,
  ExpectedMonthlyTransactionVolume,
  PurposeOfAccount,
  SourceOfFundsCategory,
} from "./BusinessProfile.ts"
import { Address, type Customer, CustomerType, KycStatus } from "./Customer.ts"

const common = {
  platformCustomerId: Schema.optionalKey(Text(255, "The platform's own id; generated when omitted.")),
  region: Schema.optionalKey(Text(32)),
  currencies: Schema.optionalKey(Schema.Array(CurrencyCode).check(Schema.isMaxLength(Currencies.keys.length))),
  email: Schema.optionalKey(Email),
  phoneNumber: Schema.optionalKey(PhoneNumber),
  umaAddress: Schema.optionalKey(
    Schema.String.check(
      Schema.isPattern(/^\$[a-zA-Z0-9._+-]{1,64}@[a-zA-Z0-9.-]{1,253}(:\d{1,5})?$/u, {
        expected: "a UMA address such as $name@example.com",
      }),
    ).annotate({ description: "Generated when omitted." }),
  ),
}

const BusinessInfo = Schema.Struct({
  legalName: Text(255),
  country: CountryCode,
  taxId: Text(255),
  incorporatedOn: CalendarDate,
  doingBusinessAs: Schema.optionalKey(Text(255)),
  registrationNumber: Schema.optionalKey(Text(255)),
  entityType: Schema.optionalKey(EntityType),
  businessType: Schema.optionalKey(BusinessType),
  countriesOfOperation: Schema.optionalKey(Schema.Array(CountryCode)),
  purposeOfAccount: Schema.optionalKey(PurposeOfAccount),
  purposeOfAccountOtherDescription: Schema.optionalKey(Text(255)),
  sourceOfFunds: Schema.optionalKey(Text(255)),
  sourceOfFundsCategories: Schema.optionalKey(Schema.Array(SourceOfFundsCategory)),
  sourceOfFundsOtherDescription: Schema.optionalKey(Text(255)),
  expectedMonthlyTransactionCount: Schema.optionalKey(ExpectedMonthlyTransactionCount),
  expectedMonthlyTransactionVolume: Schema.optionalKey(ExpectedMonthlyTransactionVolume),
  expectedRecipientJurisdictions: Schema.optionalKey(Schema.Array(CountryCode)),
  expectedCounterpartyCountries: Schema.optionalKey(Schema.Array(CountryCode)),
  naicsCode: Schema.optionalKey(Text(6)),
  primaryContactFirstName: Schema.optionalKey(Text(255)),
  primaryContactLastName: Schema.optionalKey(Text(255)),
}).annotate({ identifier: "BusinessInfo" })

export const IndividualCreateRequest = Schema.Struct({
  customerType: Schema.Literal("INDIVIDUAL"),
  ...common,
  fullName: Schema.optionalKey(Text(255)),
  birthDate: Schema.optionalKey(CalendarDate),
  nationality: Schema.optionalKey(CountryCode),
  address: Schema.optionalKey(Address),
}).annotate({ identifier: "IndividualCustomerCreateRequest" })

export const BusinessCreateRequest = Schema.Struct({
  customerType: Schema.Literal("BUSINESS"),
  ...common,
  businessInfo: BusinessInfo,
  address: Schema.optionalKey(Address),
}).annotate({ identifier: "BusinessCustomerCreateRequest" })

export const CustomerCreateRequest = Schema.Union([IndividualCreateRequest, BusinessCreateRequest]).annotate({
  identifier: "CustomerCreateRequest",
})
export type CustomerCreateRequest = typeof CustomerCreateRequest.Type

export const CustomerResource = Schema.Struct({
  id: Id("Customer"),
  platformCustomerId: Schema.String,
  customerType: CustomerType,
  kycStatus: Schema.optionalKey(KycStatus.annotate({ description: "Individuals." })),
  kybStatus: Schema.optionalKey(KycStatus.annotate({ description: "Businesses." })),
  fullName: Schema.optionalKey(Schema.String),
  birthDate: Schema.optionalKey(Schema.String.annotate({ format: "date" })),
  nationality: Schema.optionalKey(Schema.String),
  address: Schema.optionalKey(Address),
  businessInfo: Schema.optionalKey(Schema.Record(Schema.String, Schema.Json)),
  email: Schema.optionalKey(Schema.String),
  phoneNumber: Schema.optionalKey(Schema.String),
  region: Schema.optionalKey(Schema.String),
  currencies: Schema.Array(CurrencyCode),
  umaAddress: Schema.String,
  isDeleted: Schema.Boolean,
  createdAt: Timestamp,
  updatedAt: Timestamp,
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
