/**
 * The table of account types: currencies, payment rails, and the fields that identify the account.
 * Spec: ExternalAccount; wire contract 2.3 and 7.2.
 */
import { Schema } from "effect"
import * as Table from "../kit/Table.ts"
import type { CurrencyCode } from "../money/Currencies.ts"
import type { AccountInfo } from "./ExternalAccount.ts"

/** How money reaches an account. Source: wire contract A. */
export const PaymentRail = Schema.Literals([
  "ACH",
  "ACH_COLOMBIA",
  "BANK_TRANSFER",
  "BRE_B",
  "CIPS",
  "FAST",
  "FASTER_PAYMENTS",
  "FEDNOW",
  "INSTAPAY",
  "MOBILE_MONEY",
  "NEFT",
  "PAYNOW",
  "PESONET",
  "PIX",
  "RTGS",
  "RTP",
  "SEPA",
  "SEPA_INSTANT",
  "SPEI",
  "SWIFT",
  "UNIONPAY",
  "UPI",
  "WIRE",
]).annotate({ identifier: "PaymentRail" })
export type PaymentRail = typeof PaymentRail.Type

/** What kind of rail serves a type; `bank-or-mobile`: the fields that are given decide. */
export type RailKind = "bank" | "mobile" | "bank-or-mobile" | "wallet"

/** The fields that may identify an account, in the order in which they are looked for. */
export const identifierFields = [
  "accountNumber",
  "iban",
  "clabeNumber",
  "pixKey",
  "vpa",
  "phoneNumber",
  "address",
  "lightningAddress",
  "invoice",
  "bolt12",
] as const
export type IdentifierField = (typeof identifierFields)[number]

export interface AccountTypeRow {
  /** The currencies that an account of this type may hold. */
  readonly currencies: ReadonlyArray<CurrencyCode>
  readonly railKind: RailKind
  /** What the account shows as `paymentRails`; none for a wallet. */
  readonly rails: ReadonlyArray<PaymentRail>
  /** Its identifying fields, in the order of `identifierFields`. */
  readonly identifiers: ReadonlyArray<IdentifierField>
}

const bank = (
  currencies: ReadonlyArray<CurrencyCode>,
  rails: ReadonlyArray<PaymentRail>,
  identifiers: ReadonlyArray<IdentifierField>,
): AccountTypeRow => ({ currencies, railKind: "bank", rails, identifiers })

export const AccountTypes = Table.make("AccountTypes", {
  USD_ACCOUNT: bank(["USD"], ["ACH", "WIRE", "RTP", "FEDNOW"], ["accountNumber"]),
})

export type AccountType = (typeof AccountTypes.keys)[number]

/** Whether accounts of this type can be reached over a bank rail. An unknown type cannot. */
export const hasBankRail = (accountType: string): boolean => {
  const kind = AccountTypes.find(accountType)?.railKind
  return kind === "bank" || kind === "bank-or-mobile"
}

/** The rails over which this account can be paid, the usual one first: what it was described by leaves of its type's rails. */
export const railsOf = (accountInfo: AccountInfo): ReadonlyArray<PaymentRail> => {
  const row: AccountTypeRow | undefined = AccountTypes.find(accountInfo.accountType)
  const rails = row?.rails ?? []
  const declared = rails.filter((rail) => rail === accountInfo["rail"])
  if (declared.length > 0) return declared
  if (row?.railKind !== "bank-or-mobile") return rails
  const isMobile = accountInfo["accountNumber"] === undefined && accountInfo["iban"] === undefined
  return rails.filter((rail) => (rail === "MOBILE_MONEY") === isMobile)
}

/** The value by which an account is known outside: the first identifying field that it has. */
export const mainIdentifier = (accountInfo: AccountInfo): string | undefined => {
  for (const field of identifierFields) {
    const value = accountInfo[field]
    if (typeof value === "string" && value !== "") return value
  }
  return undefined
}
