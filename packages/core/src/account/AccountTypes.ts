/**
 * The table of account types: currencies, payment rails, and the fields that identify the account.
 * Spec: ExternalAccount; wire contract 2.3 and 7.2.
 */
import { Schema } from "effect"
import * as Table from "../kit/Table.ts"
import type { CurrencyCode } from "../money/Currencies.ts"
import type { AccountInfo } from "./ExternalAccount.ts"
import type { OwnerSignature } from "./WalletSignature.ts"

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
  /** Whether `bankName` must be one that the bank directory has; otherwise it is free text. */
  readonly bankNameDiscovered?: true
  /** How the owner of a wallet proves it by a signature; absent: by liveness only. */
  readonly ownerSignature?: OwnerSignature
}

const bank = (
  currencies: ReadonlyArray<CurrencyCode>,
  rails: ReadonlyArray<PaymentRail>,
  identifiers: ReadonlyArray<IdentifierField>,
): AccountTypeRow => ({ currencies, railKind: "bank", rails, identifiers })

const wallet = (currencies: ReadonlyArray<CurrencyCode>, ownerSignature: OwnerSignature): AccountTypeRow => ({
  currencies,
  railKind: "wallet",
  rails: [],
  identifiers: ["address"],
  ownerSignature,
})

export const AccountTypes = Table.make("AccountTypes", {
  USD_ACCOUNT: bank(["USD"], ["ACH", "WIRE", "RTP", "FEDNOW"], ["accountNumber"]),
  PHP_ACCOUNT: { ...bank(["PHP"], ["BANK_TRANSFER"], ["accountNumber"]), bankNameDiscovered: true },
  SPARK_WALLET: wallet(["BTC", "USDB"], "SPARK"),
  ETHEREUM_WALLET: wallet(["USDC", "USDT"], "EVM"),
  SOLANA_WALLET: wallet(["USDC", "USDT"], "SOLANA"),
  TRON_WALLET: wallet(["USDT"], "TRON"),
})

export type AccountType = (typeof AccountTypes.keys)[number]

/** Whether accounts of this type can be reached over a bank rail. An unknown type cannot. */
export const hasBankRail = (accountType: string): boolean => {
  const kind = AccountTypes.find(accountType)?.railKind
  return kind === "bank" || kind === "bank-or-mobile"
}

/** The value by which an account is known outside: the first identifying field that it has. */
export const mainIdentifier = (accountInfo: AccountInfo): string | undefined => {
  for (const field of identifierFields) {
    const value = accountInfo[field]
    if (typeof value === "string" && value !== "") return value
  }
  return undefined
}
