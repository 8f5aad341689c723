/**
 * What a card spent, or was credited: one record for each authorization, with its clearings, pulls and refunds.
 * Source: wire contract 3.5.
 */
import { Schema } from "effect"
import { CurrencyCode } from "../../foundation/money/Currencies.ts"
import { CardTransactionMachine } from "./CardTransactionMachine.ts"

export const CardTransactionStatus = Schema.Literals(CardTransactionMachine.states)
export type CardTransactionStatus = typeof CardTransactionStatus.Type

export const CardMerchant = Schema.Struct({
  descriptor: Schema.String.check(Schema.isMinLength(1), Schema.isMaxLength(255)),
  mcc: Schema.optionalKey(
    Schema.String.check(Schema.isPattern(/^\d{4}$/u, { expected: "a merchant category code of 4 digits" })),
  ),
  country: Schema.optionalKey(
    Schema.String.check(
      Schema.isPattern(/^[A-Z]{2}$/u, { expected: "an ISO 3166-1 alpha-2 country code, such as US" }),
    ),
  ),
}).annotate({ identifier: "CardMerchant" })
export type CardMerchant = typeof CardMerchant.Type

/** What is taken from the account for a clearing; `FAILED`: its money stays held until somebody acts. */
export const Pull = Schema.Struct({
  amount: Schema.Int,
  status: Schema.Literals(["PENDING", "DONE", "FAILED"]),
  requestedAt: Schema.Int,
})
export type Pull = typeof Pull.Type

/** What is stored of a card transaction. Amounts are in the smallest unit of `currency`. */
export const CardTransaction = Schema.Struct({
  cardId: Schema.String,
  platformCustomerId: Schema.String,
  issuerTransactionToken: Schema.String,
  status: CardTransactionStatus,
  /** `CREDIT`: money that comes in by the card. */
  direction: Schema.Literals(["CREDIT", "DEBIT"]),
  merchant: CardMerchant,
  currency: CurrencyCode,
  /** The funding source that was chosen at authorization. */
  accountId: Schema.String,
  authorized: Schema.Int,
  /** What is held for clearings to come. */
  held: Schema.Int,
  /** No more clearings are waited for: what was held for them is free again. */
  isExpired: Schema.Boolean,
  clearings: Schema.Array(Schema.Int),
  pulls: Schema.Array(Pull),
  refunds: Schema.Array(Schema.Int),
  /** Money that came and that its account could not take waits for a person (D-033). */
  isUnapplied: Schema.optionalKey(Schema.Literal(true)),
  /** The network's messages that were taken already: one that comes again changes nothing. */
  messageIds: Schema.Array(Schema.String),
  authorizedAt: Schema.Int,
  lastEventAt: Schema.optionalKey(Schema.Int),
})
export type CardTransaction = typeof CardTransaction.Type

export const sum = (amounts: ReadonlyArray<number>): number => amounts.reduce((total, amount) => total + amount, 0)

/** What of the authorization may still clear. */
export const openOf = ({ authorized, clearings, isExpired }: CardTransaction): number =>
  isExpired ? 0 : Math.max(0, authorized - sum(clearings))

/** What was cleared and not refunded. */
export const netSettled = ({ clearings, refunds }: CardTransaction): number => sum(clearings) - sum(refunds)

export const isPending = ({ pulls }: CardTransaction): boolean => pulls.some(({ status }) => status === "PENDING")

/** Whether money may still move by itself, or waits for a person: until then the customer stays. */
export const isUnderWay = (transaction: CardTransaction): boolean =>
  openOf(transaction) > 0 || isPending(transaction) || transaction.isUnapplied === true
