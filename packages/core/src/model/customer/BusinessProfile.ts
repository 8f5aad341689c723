/**
 * The profile of a business customer: its enumerations and its fields.
 * Source: wire contract 5.11 and A.
 */
import { Schema, Struct } from "effect"
import { CalendarDate } from "../../foundation/kit/Instant.ts"
import { atMost } from "../../foundation/kit/Lengths.ts"
import { secret } from "../../foundation/kit/Secret.ts"
import { CountryCode, Text } from "../../foundation/kit/Text.ts"

/** The legal form of a business. */
export const EntityType = Schema.Literals([
  "SOLE_PROPRIETORSHIP",
  "PARTNERSHIP",
  "LLC",
  "CORPORATION",
  "S_CORPORATION",
  "NON_PROFIT",
  "PUBLICLY_LISTED_COMPANY",
  "TRUST",
  "PRIVATE_FOUNDATION",
  "CHARITY",
  "OTHER",
]).annotate({
  identifier: "EntityType",
})

/** The industry of a business. */
export const BusinessType = Schema.Literals([
  "AGRICULTURE_FORESTRY_FISHING_AND_HUNTING",
  "MINING_QUARRYING_AND_OIL_AND_GAS_EXTRACTION",
  "UTILITIES",
  "CONSTRUCTION",
  "MANUFACTURING",
  "WHOLESALE_TRADE",
  "RETAIL_TRADE",
  "TRANSPORTATION_AND_WAREHOUSING",
  "INFORMATION",
  "FINANCE_AND_INSURANCE",
  "REAL_ESTATE_AND_RENTAL_AND_LEASING",
  "PROFESSIONAL_SCIENTIFIC_AND_TECHNICAL_SERVICES",
  "MANAGEMENT_OF_COMPANIES_AND_ENTERPRISES",
  "ADMINISTRATIVE_AND_SUPPORT_AND_WASTE_MANAGEMENT_AND_REMEDIATION_SERVICES",
  "EDUCATIONAL_SERVICES",
  "HEALTH_CARE_AND_SOCIAL_ASSISTANCE",
  "ARTS_ENTERTAINMENT_AND_RECREATION",
  "ACCOMMODATION_AND_FOOD_SERVICES",
  "OTHER_SERVICES",
  "PUBLIC_ADMINISTRATION",
]).annotate({
  identifier: "BusinessType",
})

/** What a customer uses the service for. `AR_AUTOMATION`: accounts receivable. `AP_AUTOMATION`: accounts payable. */
export const PurposeOfAccount = Schema.Literals([
  "CONTRACTOR_PAYOUTS",
  "CREATOR_PAYOUTS",
  "EMPLOYEE_PAYOUTS",
  "MARKETPLACE_SELLER_PAYOUTS",
  "SUPPLIER_PAYMENTS",
  "CROSS_BORDER_B2B",
  "AR_AUTOMATION",
  "AP_AUTOMATION",
  "EMBEDDED_PAYMENTS",
  "PLATFORM_FEE_COLLECTION",
  "P2P_TRANSFERS",
  "CHARITABLE_DONATIONS",
  "OTHER",
]).annotate({
  identifier: "PurposeOfAccount",
})

/** Where the money of a business comes from. */
export const SourceOfFundsCategory = Schema.Literals([
  "OPERATING_REVENUE",
  "INVESTMENT_INCOME",
  "LOANS",
  "VENTURE_CAPITAL",
  "PERSONAL_SAVINGS",
  "DONATIONS",
  "OTHER",
]).annotate({
  identifier: "SourceOfFundsCategory",
})

/** How many transactions a customer expects in a month. */
export const ExpectedMonthlyTransactionCount = Schema.Literals([
  "COUNT_UNDER_10",
  "COUNT_10_TO_100",
  "COUNT_100_TO_500",
  "COUNT_500_TO_1000",
  "COUNT_OVER_1000",
]).annotate({
  identifier: "ExpectedMonthlyTransactionCount",
})

/** The sum of the transactions that a customer expects in a month. The wire contract names no currency for it. */
export const ExpectedMonthlyTransactionVolume = Schema.Literals([
  "VOLUME_UNDER_10K",
  "VOLUME_10K_TO_100K",
  "VOLUME_100K_TO_1M",
  "VOLUME_1M_TO_10M",
  "VOLUME_OVER_10M",
]).annotate({
  identifier: "ExpectedMonthlyTransactionVolume",
})

const Countries = Schema.Array(CountryCode).check(atMost("countries"))

/** The fields of `businessInfo`, as sent. */
export const BusinessInfo = Schema.Struct({
  legalName: Text(255),
  country: CountryCode,
  taxId: Text(255, "Kept and shown by its last four characters only.").annotate(secret),
  incorporatedOn: CalendarDate,
  doingBusinessAs: Schema.optionalKey(Text(255)),
  registrationNumber: Schema.optionalKey(Text(255)),
  entityType: Schema.optionalKey(EntityType),
  businessType: Schema.optionalKey(BusinessType),
  countriesOfOperation: Schema.optionalKey(Countries),
  purposeOfAccount: Schema.optionalKey(PurposeOfAccount),
  purposeOfAccountOtherDescription: Schema.optionalKey(Text(255)),
  sourceOfFunds: Schema.optionalKey(Text(255)),
  sourceOfFundsCategories: Schema.optionalKey(
    Schema.Array(SourceOfFundsCategory).check(Schema.isMaxLength(SourceOfFundsCategory.literals.length)),
  ),
  sourceOfFundsOtherDescription: Schema.optionalKey(Text(255)),
  expectedMonthlyTransactionCount: Schema.optionalKey(ExpectedMonthlyTransactionCount),
  expectedMonthlyTransactionVolume: Schema.optionalKey(ExpectedMonthlyTransactionVolume),
  expectedRecipientJurisdictions: Schema.optionalKey(Countries),
  expectedCounterpartyCountries: Schema.optionalKey(Countries),
  naicsCode: Schema.optionalKey(Text(6)),
  primaryContactFirstName: Schema.optionalKey(Text(255)),
  primaryContactLastName: Schema.optionalKey(Text(255)),
}).annotate({ identifier: "BusinessInfo" })

/** The fields of an update, and the stored fields. Records of earlier versions may lack required ones. */
export const BusinessInfoPart = Schema.Struct(Struct.map(BusinessInfo.fields, Schema.optionalKey)).annotate({
  identifier: "BusinessInfoPart",
})
export type BusinessInfoPart = typeof BusinessInfoPart.Type
