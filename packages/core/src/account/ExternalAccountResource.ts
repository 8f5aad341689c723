/**
 * External accounts on the wire. This version takes `USD_ACCOUNT`.
 * Spec: ExternalAccount, Beneficiary, 4.3; wire contract 2.2 to 2.4.
 */
import { Schema } from "effect"
import { Id } from "../ids/IdTypes.ts"
import * as CrossField from "../kit/CrossField.ts"
import { CalendarDate, iso, Timestamp } from "../kit/Instant.ts"
import { CountryCode as country, Text } from "../kit/Text.ts"
import { CurrencyCode } from "../money/Currencies.ts"
import type { Stored } from "../ports/ChangeSet.ts"
import { AccountTypes } from "./AccountTypes.ts"
import { AccountInfo, BeneficiaryVerificationStatus, ExternalAccountStatus } from "./ExternalAccount.ts"

const digits = (pattern: RegExp, expected: string) => Schema.String.check(Schema.isPattern(pattern, { expected }))
const routingNumber = digits(/^\d{9}$/u, "exactly 9 digits")

const Address = Schema.Struct({
  line1: text(255),
  line2: Schema.optionalKey(Schema.String),
  city: text(255),
  state: Schema.optionalKey(Schema.String),
  postalCode: text(32),
  country,
}).annotate({ identifier: "BeneficiaryAddress" })

const contact = {
  email: Schema.optionalKey(Schema.String),
  phoneNumber: Schema.optionalKey(Schema.String),
  countryOfResidence: Schema.optionalKey(country),
}

const Individual = Schema.Struct({
  beneficiaryType: Schema.Literal("INDIVIDUAL"),
  fullName: text(255),
  birthDate: Schema.optionalKey(CalendarDate),
  nationality: Schema.optionalKey(country),
  address: Address,
  ...contact,
}).annotate({ identifier: "IndividualBeneficiary" })

const companyFields = {
  legalName: Schema.optionalKey(text(255)),
  taxId: Schema.optionalKey(text(255)),
  registrationNumber: Schema.optionalKey(text(255)),
}

const Business = Schema.Struct({
  beneficiaryType: Schema.Literal("BUSINESS"),
  businessInfo: Schema.optionalKey(Schema.Struct(companyFields)),
  ...companyFields,
  address: Address,
  ...contact,
})
  .check(
    CrossField.check(({ businessInfo, legalName }) =>
      (CrossField.isObject(businessInfo) ? businessInfo["legalName"] : undefined) === undefined && legalName === undefined
        ? [{ path: ["businessInfo", "legalName"], message: "is required" }]
        : [],
    ),
  )
  .annotate({ identifier: "BusinessBeneficiary" })

const UsdAccount = Schema.Struct({
  accountType: Schema.Literal("USD_ACCOUNT"),
  accountNumber: digits(/^\d{4,17}$/u, "4 to 17 digits"),
  routingNumber,
  bankName: Schema.optionalKey(text(140)),
  bankAccountType: Schema.optionalKey(Schema.Literals(["CHECKING", "SAVINGS"])),
  intermediaryBankName: Schema.optionalKey(text(140)),
  intermediaryRoutingNumber: Schema.optionalKey(routingNumber),
  fiToFiInformation: Schema.optionalKey(Schema.String.check(Schema.isMaxLength(210))),
  beneficiary: Schema.Union([Individual, Business]).annotate({
    message: "beneficiaryType must be one of INDIVIDUAL, BUSINESS",
  }),
}).annotate({ identifier: "UsdAccountInfo" })

export const ExternalAccountCreateRequest = Schema.Struct({
  customerId: Schema.optionalKey(Id("Customer").annotate({ description: "Absent: an account of the platform." })),
  currency: CurrencyCode,
  platformAccountId: Schema.optionalKey(text(255)),
  ownershipType: Schema.optionalKey(Schema.Literals(["FIRST_PARTY", "THIRD_PARTY"])),
  defaultUmaDepositAccount: Schema.optionalKey(Schema.Boolean),
  accountInfo: Schema.Union([UsdAccount]).annotate({
    message: `accountType must be one of ${AccountTypes.keys.join(", ")}`,
  }),
})
  .check(
    CrossField.check(({ accountInfo, currency }) => {
      const accountType = CrossField.isObject(accountInfo) ? accountInfo["accountType"] : undefined
      const row = typeof accountType === "string" ? AccountTypes.find(accountType) : undefined
      return row === undefined || currency === undefined || row.currencies.some((held) => held === currency)
        ? []
        : [{ path: ["currency"], message: `must be ${row.currencies.join(" or ")} for ${accountType}` }]
    }),
  )
  .annotate({ identifier: "ExternalAccountCreateRequest" })
export type ExternalAccountCreateRequest = typeof ExternalAccountCreateRequest.Type

export const ExternalAccountResource = Schema.Struct({
  id: Id("ExternalAccount"),
  customerId: Schema.optionalKey(Id("Customer")),
  status: ExternalAccountStatus,
  platformAccountId: Schema.optionalKey(Schema.String),
  ownershipType: Schema.optionalKey(Schema.Literals(["FIRST_PARTY", "THIRD_PARTY"])),
  currency: CurrencyCode,
  defaultUmaDepositAccount: Schema.Boolean,
  beneficiaryVerificationStatus: Schema.optionalKey(BeneficiaryVerificationStatus),
  accountInfo: AccountInfo,
  createdAt: Timestamp,
}).annotate({ identifier: "ExternalAccount" })
export type ExternalAccountResource = typeof ExternalAccountResource.Type

export const toExternalAccount = ({
  createdAt,
  customerId,
  data,
  id,
}: Stored<"ExternalAccount">): ExternalAccountResource => {
  const rails = AccountTypes.find(data.accountInfo.accountType)?.rails ?? []
  return {
    id,
    ...(customerId === null ? {} : { customerId }),
    status: data.status,
    ...(data.platformAccountId === undefined ? {} : { platformAccountId: data.platformAccountId }),
    ...(data.ownershipType === undefined ? {} : { ownershipType: data.ownershipType }),
    currency: data.currency,
    defaultUmaDepositAccount: data.defaultUmaDepositAccount,
    ...(data.beneficiaryVerificationStatus === undefined
      ? {}
      : { beneficiaryVerificationStatus: data.beneficiaryVerificationStatus }),
    accountInfo: { ...data.accountInfo, ...(rails.length === 0 ? {} : { paymentRails: rails }) },
    createdAt: iso(createdAt),
  }
}
