/**
 * The profile of an individual customer: its enumerations and its fields.
 * Source: wire contract 5.11 and A.
 */
import { Schema } from "effect"
import { CalendarDate } from "../../foundation/kit/Instant.ts"
import { CountryCode, Text } from "../../foundation/kit/Text.ts"
import {
  ExpectedMonthlyTransactionCount,
  ExpectedMonthlyTransactionVolume,
  PurposeOfAccount,
} from "./BusinessProfile.ts"

/** The kind of a tax identifier. `SSN`, `ITIN` and `EIN` are US numbers: of Social Security, of an individual, and of an employer. */
export const IdentificationType = Schema.Literals(["SSN", "ITIN", "EIN", "NON_US_TAX_ID"]).annotate({
  identifier: "IdentificationType",
})

/** Where the money of a person comes from. */
export const IndividualSourceOfFundsCategory = Schema.Literals([
  "SALARY",
  "SELF_EMPLOYMENT_INCOME",
  "INVESTMENT_INCOME",
  "PENSION",
  "RENTAL_INCOME",
  "GIFT",
  "INHERITANCE",
  "LOAN",
  "SAVINGS",
  "SALE_OF_ASSETS",
  "OTHER",
]).annotate({ identifier: "IndividualSourceOfFundsCategory" })

/** How a person acquired the wealth. */
export const SourceOfWealthCategory = Schema.Literals([
  "SALARY",
  "BUSINESS_INCOME",
  "INVESTMENTS",
  "INHERITANCE",
  "PROPERTY_SALE",
  "GIFT",
  "RETIREMENT",
  "SAVINGS",
  "OTHER",
]).annotate({ identifier: "SourceOfWealthCategory" })

/** A person's income in a year. The wire contract names no currency for it. */
export const AnnualIncomeRange = Schema.Literals([
  "UNDER_50K",
  "RANGE_50K_100K",
  "RANGE_100K_250K",
  "RANGE_250K_1M",
  "OVER_1M",
]).annotate({ identifier: "AnnualIncomeRange" })

/** A person's net worth. The wire contract names no currency for it. */
export const NetWorthRange = Schema.Literals([
  "UNDER_100K",
  "RANGE_100K_500K",
  "RANGE_500K_1M",
  "RANGE_1M_5M",
  "RANGE_5M_25M",
  "OVER_25M",
]).annotate({ identifier: "NetWorthRange" })

/** Whether a person is politically exposed. `HIO`: head of an international organization. `FAMILY_OR_ASSOCIATE`: of an exposed person. */
export const PepStatus = Schema.Literals(["NONE", "DOMESTIC", "FOREIGN", "HIO", "FAMILY_OR_ASSOCIATE"]).annotate({
  identifier: "PepStatus",
})

/** The fields that the resource shows as sent. `address` and `identifier` are handled separately. */
export const individualFields = {
  fullName: Schema.optionalKey(Text(255)),
  birthDate: Schema.optionalKey(CalendarDate),
  nationality: Schema.optionalKey(CountryCode),
  idType: Schema.optionalKey(IdentificationType),
  countryOfIssuance: Schema.optionalKey(CountryCode),
  sourceOfFundsCategories: Schema.optionalKey(
    Schema.Array(IndividualSourceOfFundsCategory).check(
      Schema.isMaxLength(IndividualSourceOfFundsCategory.literals.length),
    ),
  ),
  sourceOfFundsOtherDescription: Schema.optionalKey(Text(255)),
  sourceOfWealthCategories: Schema.optionalKey(
    Schema.Array(SourceOfWealthCategory).check(Schema.isMaxLength(SourceOfWealthCategory.literals.length)),
  ),
  sourceOfWealthOtherDescription: Schema.optionalKey(Text(255)),
  purposeOfAccount: Schema.optionalKey(PurposeOfAccount),
  purposeOfAccountOtherDescription: Schema.optionalKey(Text(255)),
  expectedMonthlyTransactionCount: Schema.optionalKey(ExpectedMonthlyTransactionCount),
  expectedMonthlyTransactionVolume: Schema.optionalKey(ExpectedMonthlyTransactionVolume),
  annualIncomeRange: Schema.optionalKey(AnnualIncomeRange),
  netWorthRange: Schema.optionalKey(NetWorthRange),
  pepStatus: Schema.optionalKey(PepStatus),
}
