/**
 * Card transaction record: one authorization with its clearings, pulls and refunds.
 * Source: wire contract 3.5.
 */
import { Schema } from "effect"
import { Matching } from "../../foundation/kit/Lengths.ts"
import { CountryCode } from "../../foundation/kit/Text.ts"
import { CurrencyCode } from "../../foundation/money/Currencies.ts"
import { UnappliedResolution } from "../account/UnappliedMoney.ts"
import { CardTransactionMachine } from "./CardTransactionMachine.ts"

/**
 * `AUTHORIZED`: a hold. `PARTIALLY_SETTLED`, `SETTLED`: partly or completely cleared. `REFUNDED`: returned in full. `EXCEPTION`:
 * cleared, but the pull failed.
 */
export const CardTransactionStatus = Schema.Literals(CardTransactionMachine.states)
export type CardTransactionStatus = typeof CardTransactionStatus.Type

/** The merchant of a card transaction: its text on the statement, its merchant category code, and its country. */
export const CardMerchant = Schema.Struct({
  descriptor: Schema.String.check(Schema.isMinLength(1), Schema.isMaxLength(255)),
  mcc: Schema.optionalKey(Matching("code", /^\d{4}$/u, "a merchant category code of 4 digits")),
  country: Schema.optionalKey(CountryCode),
}).annotate({ identifier: "CardMerchant" })
export type CardMerchant = typeof CardMerchant.Type

/** Debit of the account for a clearing. The money of a `FAILED` pull stays held until the operator resolves it. */
export const Pull = Schema.Struct({
  amount: Schema.Int,
  status: Schema.Literals(["PENDING", "DONE", "FAILED"]),
  requestedAt: Schema.Int,
})
export type Pull = typeof Pull.Type

/** Stored data of a card transaction. Amounts are in the smallest unit of `currency`. */
export const CardTransaction = Schema.Struct({
  cardId: Schema.String,
  platformCustomerId: Schema.String,
  issuerTransactionToken: Schema.String,
  status: CardTransactionStatus,
  /** `CREDIT` pays money to the cardholder. */
  direction: Schema.Literals(["CREDIT", "DEBIT"]),
  merchant: CardMerchant,
  currency: CurrencyCode,
  /** Funding source chosen at authorization. */
  accountId: Schema.String,
  authorized: Schema.Int,
  /** Amount held for future clearings. */
  held: Schema.Int,
  /** Whether the authorization has ended: no further clearing is expected and its hold is released. */
  isExpired: Schema.Boolean,
  clearings: Schema.Array(Schema.Int),
  pulls: Schema.Array(Pull),
  refunds: Schema.Array(Schema.Int),
  /** Set when money arrived that the account could not receive; the operator resolves it (D-033). */
  isUnapplied: Schema.optionalKey(Schema.Literal(true)),
  unappliedResolution: Schema.optionalKey(UnappliedResolution),
  /** Identifiers of processed network messages. A repeated message changes nothing. */
  messageIds: Schema.Array(Schema.String),
  authorizedAt: Schema.Int,
  lastEventAt: Schema.optionalKey(Schema.Int),
})
export type CardTransaction = typeof CardTransaction.Type

export const total = (amounts: ReadonlyArray<number>): number =>
  amounts.reduce((subtotal, amount) => subtotal + amount, 0)

/** Part of the authorized amount that may still clear. */
export const openAmount = ({ authorized, clearings, isExpired }: CardTransaction): number =>
  isExpired ? 0 : Math.max(0, authorized - total(clearings))

/** Cleared amount minus refunds. */
export const netSettled = ({ clearings, refunds }: CardTransaction): number => total(clearings) - total(refunds)

export const hasPendingPull = ({ pulls }: CardTransaction): boolean => pulls.some(({ status }) => status === "PENDING")

/** Whether money may still move, or waits for the operator. The customer cannot be deleted until then. */
export const isInProgress = (transaction: CardTransaction): boolean =>
  openAmount(transaction) > 0 || hasPendingPull(transaction) || transaction.isUnapplied === true
