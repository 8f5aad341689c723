/**
 * Builders of rows and fields that several account types share, and the derivations of their derived fields.
 * Source: wire contract 2.3 and 2.4; wire contract areas 2.3.
 */
import type { CurrencyCode } from "../../foundation/money/Currencies.ts"
import { descriptive, digits, type Format, oneOf, optional, required, text } from "./AccountField.ts"
import * as Formats from "./AccountFormat.ts"
import type { AccountTypeRow, Members, PaymentRail, PaymentRoute, RouteKind } from "./AccountTypeRow.ts"
import type { OwnerSignature } from "./WalletSignature.ts"

type Fields = AccountTypeRow["fields"]

export const route = (
  kind: RouteKind,
  rails: ReadonlyArray<PaymentRail>,
  ...requiredFields: ReadonlyArray<string>
): PaymentRoute => ({
  kind,
  rails,
  requiredFields,
})
export const bankRoute = (...requiredFields: ReadonlyArray<string>) =>
  route("bank", ["BANK_TRANSFER"], ...requiredFields)
export const mobileRoute = (...requiredFields: ReadonlyArray<string>) =>
  route("mobile", ["MOBILE_MONEY"], ...requiredFields)

/** An account at a bank, which each of `rails` reaches. */
export const bankAccount = <const F extends Fields>(
  currency: CurrencyCode,
  country: AccountTypeRow["country"] & {},
  rails: ReadonlyArray<PaymentRail>,
  fields: F,
) => ({ currencies: [currency], country, fields, routes: [route("bank", rails)], beneficiary: "required" }) as const

/** An account at a bank or of mobile money. The presence of `bankFields` selects the bank route. */
export const bankOrMobileAccount = <const F extends Fields>(
  currency: CurrencyCode,
  country: AccountTypeRow["country"] & {},
  bankFields: ReadonlyArray<string>,
  fields: F,
) =>
  ({
    currencies: [currency],
    country,
    fields,
    routes: [bankRoute(...bankFields), mobileRoute("phoneNumber")],
    beneficiary: "required",
  }) as const

/** A mobile money account at an operator. */
export const mobileMoneyAccount = <const P extends string>(
  currency: CurrencyCode,
  country: AccountTypeRow["country"] & {},
  phoneNumber: Format,
  provider: Format<P>,
) =>
  ({
    currencies: [currency],
    country,
    fields: { phoneNumber: required(phoneNumber), provider: required(provider, "The operator of the mobile money.") },
    routes: [mobileRoute()],
    beneficiary: "required",
  }) as const

/** A wallet, with an optional beneficiary. */
export const walletAccount = (
  currencies: ReadonlyArray<CurrencyCode>,
  ownerSignature: OwnerSignature,
  address: Format,
) =>
  ({
    currencies,
    ownerSignature,
    fields: {
      address: required(address),
      vaspName: optional(
        descriptive(text(255, "Example Exchange")),
        "Where an exchange holds the wallet: exactly a vaspName of GET /vasps.",
      ),
    },
    routes: [route("wallet", [])],
    beneficiary: "optional",
    individualFields: ["countryOfResidence"],
  }) as const

/** An account at a bank that its BIC identifies. */
export const bicAccount = (
  currency: CurrencyCode,
  country: AccountTypeRow["country"] & {},
  bankName: string,
  bic: string,
) =>
  bankAccount(currency, country, ["BANK_TRANSFER"], {
    bankName: required(descriptive(Formats.bankName(bankName))),
    accountNumber: required(Formats.accountNumber),
    swiftCode: required(Formats.bic(bic)),
  })

export const requiredBankName = (example: string) => required(Formats.bankName(example))
export const mobileMoneyPhone = (example: string) => optional(Formats.anyPhone(example), "For mobile money.")
export const bankAccountField = <V extends string>(format: Format<V>) => optional(format, "For an account at a bank.")
export const optionalBankName = (example: string) => optional(descriptive(Formats.bankName(example)))
export const branchCode = digits(5, 5, "00001")

/** A `bankName` that must be in the bank directory. */
export const discoveredBankName = (example: string) =>
  required(Formats.bankName(example), "Exactly a bankName of GET /discoveries.")

/** The countries of the two franc zones, and the dial codes of their phone numbers. */
export const xofRegion = descriptive(oneOf("BJ", "CI", "SN", "TG"))
export const xafRegion = descriptive(oneOf("CM", "CG"))
const xofDialCodes = { "+229": "BJ", "+225": "CI", "+221": "SN", "+228": "TG" }
const xafDialCodes = { "+237": "CM", "+242": "CG" }

/** Makes the derivation of a region. A phone number of another zone says nothing about the account's country. */
const regionOf =
  (dialCodes: Readonly<Record<string, string>>) =>
  ({ phoneNumber }: Members) =>
    typeof phoneNumber === "string" ? dialCodes[phoneNumber.slice(0, 4)] : undefined
export const xofRegionOfPhone = regionOf(xofDialCodes)
export const xafRegionOfPhone = regionOf(xafDialCodes)

/** Returns the residence of an individual: the country of the address, otherwise of the IBAN. */
export const derivedResidence = ({ beneficiary, iban }: Members) => {
  const { address, beneficiaryType } = Object(beneficiary) as Members
  const { country } = Object(address) as Members
  if (beneficiaryType !== "INDIVIDUAL") return undefined
  return typeof country === "string" ? country : typeof iban === "string" ? iban.slice(0, 2) : undefined
}

export const identityDocumentFields = {
  documentType: optional(oneOf("CC", "CE", "TI", "NIT", "PP"), "Most banks require it."),
  documentNumber: optional(text(50, "1020304050"), "Most banks require it."),
}
