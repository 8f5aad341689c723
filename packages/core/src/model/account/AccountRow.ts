/**
 * Rows of the table of account types that several types share, and what follows from other fields.
 * Source: wire contract 2.3 and 2.4.
 */
import type { CurrencyCode } from "../../foundation/money/Currencies.ts"
import { describing, digits, type Format, oneOf, optional, required, text } from "./AccountField.ts"
import * as Is from "./AccountFormat.ts"
import type { AccountTypeRow, AccountWay, Members, PaymentRail, RailKind } from "./AccountTypeRow.ts"
import type { OwnerSignature } from "./WalletSignature.ts"

type Fields = AccountTypeRow["fields"]

export const way = (
  kind: RailKind,
  rails: ReadonlyArray<PaymentRail>,
  ...needs: ReadonlyArray<string>
): AccountWay => ({
  kind,
  rails,
  needs,
})
export const bankWay = (...needs: ReadonlyArray<string>) => way("bank", ["BANK_TRANSFER"], ...needs)
export const mobileWay = (...needs: ReadonlyArray<string>) => way("mobile", ["MOBILE_MONEY"], ...needs)

/** An account that all of `rails` reach. */
export const bank = <const F extends Fields>(
  currency: CurrencyCode,
  country: AccountTypeRow["country"] & {},
  rails: ReadonlyArray<PaymentRail>,
  fields: F,
) => ({ currencies: [currency], country, fields, ways: [way("bank", rails)], beneficiary: "required" }) as const

/** An account at a bank or of mobile money, as the fields that are given say. */
export const bankOrMobile = <const F extends Fields>(
  currency: CurrencyCode,
  country: AccountTypeRow["country"] & {},
  needs: ReadonlyArray<string>,
  fields: F,
) =>
  ({
    currencies: [currency],
    country,
    fields,
    ways: [bankWay(...needs), mobileWay("phoneNumber")],
    beneficiary: "required",
  }) as const

/** An account of mobile money at an operator. */
export const mobile = <const P extends string>(
  currency: CurrencyCode,
  country: AccountTypeRow["country"] & {},
  phoneNumber: Format,
  provider: Format<P>,
) =>
  ({
    currencies: [currency],
    country,
    fields: { phoneNumber: required(phoneNumber), provider: required(provider, "The operator of the mobile money.") },
    ways: [mobileWay()],
    beneficiary: "required",
  }) as const

export const wallet = (currencies: ReadonlyArray<CurrencyCode>, ownerSignature: OwnerSignature, address: Format) =>
  ({
    currencies,
    ownerSignature,
    fields: {
      address: required(address),
      vaspName: optional(
        describing(text(255, "Example Exchange")),
        "Where an exchange holds the wallet: its name in the directory of exchanges.",
      ),
    },
    ways: [way("wallet", [])],
    beneficiary: "optional",
    individualNeeds: ["countryOfResidence"],
  }) as const

/** A bank that its BIC names. */
export const byBic = (currency: CurrencyCode, country: AccountTypeRow["country"] & {}, bankName: string, bic: string) =>
  bank(currency, country, ["BANK_TRANSFER"], {
    bankName: required(describing(Is.bankName(bankName))),
    accountNumber: required(Is.accountNumber),
    swiftCode: required(Is.bic(bic)),
  })

export const named = (example: string) => required(Is.bankName(example))
export const mobilePhone = (example: string) => optional(Is.anyPhone(example), "For mobile money.")
export const bankOnly = <V extends string>(format: Format<V>) => optional(format, "For an account at a bank.")
export const freeBankName = (example: string) => optional(describing(Is.bankName(example)))
export const branchCode = digits(5, 5, "00001")

/** `bankName` is one of those that the bank directory has. */
export const discovered = (example: string) => required(Is.bankName(example), "Exactly a bankName of GET /discoveries.")

const regions: Readonly<Record<string, "SN" | "CI" | "BJ">> = { "+221": "SN", "+225": "CI", "+229": "BJ" }
export const regionOf = ({ phoneNumber }: Members) =>
  typeof phoneNumber === "string" ? regions[phoneNumber.slice(0, 4)] : undefined

export const residence = ({ beneficiary, iban }: Members) => {
  const { address, beneficiaryType } = Object(beneficiary) as Members
  const { country } = Object(address) as Members
  if (beneficiaryType !== "INDIVIDUAL") return undefined
  return typeof country === "string" ? country : typeof iban === "string" ? iban.slice(0, 2) : undefined
}

export const documents = {
  documentType: optional(oneOf("CC", "CE", "TI", "NIT", "PP"), "Most banks require it."),
  documentNumber: optional(text(50, "1020304050"), "Most banks require it."),
}
