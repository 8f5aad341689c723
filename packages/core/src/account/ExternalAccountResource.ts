/**
 * External accounts on the wire. This version takes `USD_ACCOUNT`.
 * Spec: ExternalAccount, Beneficiary, 4.3; wire contract 2.2 to 2.4.
 */
import { Schema } from "effect"
import { Id } from "../ids/IdTypes.ts"
import * as CrossField from "../kit/CrossField.ts"
import { CalendarDate, iso, Timestamp } from "../kit/Instant.ts"
import { CountryCode, Email, Text } from "../kit/Text.ts"
import { CurrencyCode } from "../money/Currencies.ts"
import type { Stored } from "../ports/ChangeSet.ts"
import { AccountTypes } from "./AccountTypes.ts"
import {
  AccountInfo,
  BeneficiaryVerificationStatus,
  BeneficiaryVerifiedData,
  ExternalAccountStatus,
} from "./ExternalAccount.ts"

const digits = (pattern: RegExp, expected: string) => Schema.String.check(Schema.isPattern(pattern, { expected }))
const routingNumber = digits(/^\d{9}$/u, "exactly 9 digits")

const Address = Schema.Struct({
  line1: Text(255),
  line2: Schema.optionalKey(Text(255)),
  city: Text(255),
  state: Schema.optionalKey(Text(255)),
  postalCode: Text(32),
  country: CountryCode,
}).annotate({ identifier: "BeneficiaryAddress" })

const contact = {
  email: Schema.optionalKey(Email),
  phoneNumber: Schema.optionalKey(Text(32)),
  countryOfResidence: Schema.optionalKey(CountryCode),
}

const Individual = Schema.Struct({
  beneficiaryType: Schema.Literal("INDIVIDUAL"),
  fullName: Text(255, "The name of the account's holder, as the bank knows it."),
  birthDate: Schema.optionalKey(CalendarDate),
  nationality: Schema.optionalKey(CountryCode),
  address: Address,
  ...contact,
}).annotate({ identifier: "IndividualBeneficiary" })

const company = {
  legalName: Schema.optionalKey(Text(255)),
  taxId: Schema.optionalKey(Text(255)),
  registrationNumber: Schema.optionalKey(Text(255)),
}

/** The company's data stand in `businessInfo` or flat beside it; nested wins when both are given. Source: wire contract 2.4. */
const Business = Schema.Struct({
  beneficiaryType: Schema.Literal("BUSINESS"),
  businessInfo: Schema.optionalKey(
    Schema.Struct(company).annotate({
      identifier: "BeneficiaryBusinessInfo",
      description: "legalName is required here or beside it.",
    }),
  ),
  ...company,
  address: Address,
  ...contact,
})
  .check(
    CrossField.check(({ businessInfo, legalName }) =>
      (CrossField.isObject(businessInfo) ? businessInfo["legalName"] : undefined) === undefined &&
      legalName === undefined
        ? [{ path: ["businessInfo", "legalName"], message: "is required" }]
        : [],
    ),
  )
  .annotate({ identifier: "BusinessBeneficiary" })

const Beneficiary = Schema.Union([Individual, Business]).annotate({ identifier: "Beneficiary" })

const UsdAccount = Schema.Struct({
  accountType: Schema.Literal("USD_ACCOUNT"),
  accountNumber: digits(/^\d{4,17}$/u, "4 to 17 digits"),
  routingNumber,
  bankName: Schema.optionalKey(Text(140)),
  bankAccountType: Schema.optionalKey(
    Schema.Literals(["CHECKING", "SAVINGS"]).annotate({ description: "Absent: a checking account." }),
  ),
  intermediaryBankName: Schema.optionalKey(Text(140, "For WIRE only.")),
  intermediaryRoutingNumber: Schema.optionalKey(routingNumber),
  fiToFiInformation: Schema.optionalKey(
    Schema.String.check(Schema.isMaxLength(210)).annotate({ description: "For WIRE only." }),
  ),
  beneficiary: Beneficiary,
}).annotate({ identifier: "UsdAccountInfo" })

const PhpAccount = Schema.Struct({
  accountType: Schema.Literal("PHP_ACCOUNT"),
  bankName: Text(255),
  accountNumber: digits(/^\d{8,16}$/u, "8 to 16 digits"),
  beneficiary: Beneficiary,
}).annotate({ identifier: "PhpAccountInfo" })

const wallet = <const T extends string>(accountType: T, identifier: string) =>
  Schema.Struct({
    accountType: Schema.Literal(accountType),
    address: Text(255),
    vaspName: Schema.optionalKey(Text(255)),
  }).annotate({ identifier })

export const ExternalAccountCreateRequest = Schema.Struct({
  customerId: Schema.optionalKey(Id("Customer").annotate({ description: "Absent: an account of the platform." })),
  currency: CurrencyCode,
  platformAccountId: Schema.optionalKey(Text(255, "The platform's own id of the account.")),
  ownershipType: Schema.optionalKey(Schema.Literals(["FIRST_PARTY", "THIRD_PARTY"])),
  defaultUmaDepositAccount: Schema.optionalKey(Schema.Boolean),
  accountInfo: Schema.Union([
    UsdAccount,
    PhpAccount,
    wallet("SPARK_WALLET", "SparkWalletInfo"),
    wallet("ETHEREUM_WALLET", "EthereumWalletInfo"),
    wallet("SOLANA_WALLET", "SolanaWalletInfo"),
    wallet("TRON_WALLET", "TronWalletInfo"),
  ]).annotate({ identifier: "ExternalAccountCreateInfo" }),
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
  beneficiaryVerifiedData: Schema.optionalKey(BeneficiaryVerifiedData),
  accountInfo: AccountInfo,
  createdAt: Timestamp,
}).annotate({ identifier: "ExternalAccount" })
export type ExternalAccountResource = typeof ExternalAccountResource.Type

/** A business shows its data nested and flat. Source: wire contract 2.4. */
const shown = (accountInfo: AccountInfo): AccountInfo => {
  const { beneficiary } = accountInfo
  if (!CrossField.isObject(beneficiary) || beneficiary["beneficiaryType"] !== "BUSINESS") return accountInfo
  const nested = CrossField.isObject(beneficiary["businessInfo"]) ? beneficiary["businessInfo"] : {}
  const data = Object.fromEntries(
    Object.keys(company).flatMap((name) => {
      const value = nested[name] ?? beneficiary[name]
      return typeof value === "string" ? [[name, value]] : []
    }),
  )
  return { ...accountInfo, beneficiary: { ...beneficiary, ...data, businessInfo: data } }
}

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
    ...(data.beneficiaryVerifiedData === undefined ? {} : { beneficiaryVerifiedData: data.beneficiaryVerifiedData }),
    accountInfo: { ...shown(data.accountInfo), ...(rails.length === 0 ? {} : { paymentRails: rails }) },
    createdAt: iso(createdAt),
  }
}
