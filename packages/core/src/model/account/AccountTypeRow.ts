/**
 * What a row of the table of account types says.
 * Spec: ExternalAccount; wire contract 2.3; D-040, D-043.
 */
import { Schema } from "effect"
import type { CurrencyCode } from "../../foundation/money/Currencies.ts"
import type { AccountField } from "./AccountField.ts"
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

/** The members of an account, of any type before they are checked. */
export type Members = Readonly<Record<string, unknown>>

export type RailKind = "bank" | "mobile" | "wallet"

/** One way to reach an account: it is the account's way when all that it needs is given. */
export interface AccountWay {
  readonly kind: RailKind
  /** What the account shows as `paymentRails`; none for a wallet. */
  readonly rails: ReadonlyArray<PaymentRail>
  /** The fields that this way needs beside the required ones; the first tells that this way is meant. */
  readonly needs: ReadonlyArray<string>
  /** The field whose value is the one of `rails`. */
  readonly railField?: string
  /** The values that a field may have on this way. */
  readonly values?: { readonly [field: string]: ReadonlyArray<string> }
  /** The only beneficiaries that this way takes. */
  readonly beneficiaryType?: "INDIVIDUAL" | "BUSINESS"
}

/** A value that follows from others where it is left out. */
export interface FilledField {
  readonly path: readonly [string, ...ReadonlyArray<string>]
  readonly from: (account: Members) => string | undefined
  /** In words, what it follows from; then a given value must be the same. */
  readonly binding?: string
}

export interface AccountTypeRow {
  /** The currencies that an account of this type may hold. */
  readonly currencies: ReadonlyArray<CurrencyCode>
  /** Where the account is; of SWIFT a field says it. Wallets are nowhere. */
  readonly country?: string | { readonly field: string }
  readonly fields: { readonly [name: string]: AccountField }
  /** In order: the first whose needs are given is the account's way. */
  readonly ways: readonly [AccountWay, ...ReadonlyArray<AccountWay>]
  /** Fields of one way only. */
  readonly isExclusive?: true
  /** Whether `bankName` must be one that the bank directory has; otherwise it is free text. */
  readonly bankNameDiscovered?: true
  readonly fills?: ReadonlyArray<FilledField>
  /** How the owner of a wallet proves it by a signature; absent: by liveness only. */
  readonly ownerSignature?: OwnerSignature
  readonly beneficiary: "required" | "optional" | "none"
  /** What individuals need beside the table of minimum fields. */
  readonly individualNeeds?: ReadonlyArray<string>
  /** What beneficiaries of this type may say beside the common fields. */
  readonly beneficiaryFields?: { readonly [name: string]: AccountField<string, false> }
  /** Other names of the type that callers may send. */
  readonly aliases?: ReadonlyArray<string>
  readonly note?: string
}
