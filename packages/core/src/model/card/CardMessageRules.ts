/**
 * Network messages about an existing card transaction, and the rules that accept them, in order of precedence.
 * Source: wire contract 3.5, 7.1 and 7.5; D-174.
 */
import type { Refusal } from "../../foundation/errors/ServiceError.ts"
import * as Rules from "../../foundation/kit/Rules.ts"
import { inRange } from "../../foundation/money/Amount.ts"
import { type CardTransaction, hasPendingPull, netSettled, openAmount } from "./CardTransaction.ts"

/** Network message about an existing card transaction. Amounts are in the smallest unit. */
export type CardMessage =
  /** The new total of an open authorization. */
  | { readonly _tag: "Advice"; readonly amount: number }
  /** An amount of 0 expires the authorization. */
  | { readonly _tag: "Clearing"; readonly amount: number }
  | { readonly _tag: "Return"; readonly amount: number }
  | { readonly _tag: "ReturnReversal" }

export interface CardMessageFacts {
  readonly transaction: CardTransaction
  readonly message: CardMessage
}

const refusal = (reason: string, message: string, { status }: CardTransaction): Refusal => ({
  code: "INVALID_INPUT",
  message,
  details: { reason, status },
})

const isOpen = (transaction: CardTransaction): boolean => openAmount(transaction) > 0

export const CardMessageRules = Rules.make<CardMessageFacts, Refusal>("CardMessage", [
  [
    "ADVICE_OF_OPEN",
    ({ message, transaction }) =>
      message._tag === "Advice" && !isOpen(transaction)
        ? refusal("AUTHORIZATION_NOT_OPEN", "Only an open authorization can be advised.", transaction)
        : undefined,
  ],
  [
    "CLEARABLE",
    ({ message, transaction: { status }, transaction }) =>
      message._tag === "Clearing" && (status === "REFUNDED" || status === "EXCEPTION")
        ? refusal("NOT_CLEARABLE", "A transaction that was refunded or failed takes no clearing.", transaction)
        : undefined,
  ],
  [
    "EXPIRY_OF_OPEN",
    ({ message, transaction }) =>
      message._tag === "Clearing" && message.amount === 0 && !isOpen(transaction)
        ? refusal("AUTHORIZATION_NOT_OPEN", "Only an open authorization can expire.", transaction)
        : undefined,
  ],
  [
    "RETURN_OF_PURCHASE",
    ({ message, transaction }) =>
      message._tag === "Return" && transaction.direction === "CREDIT"
        ? refusal("NOT_A_PURCHASE", "Only a purchase can be returned.", transaction)
        : undefined,
  ],
  [
    "RETURN_OF_SETTLED",
    ({ message, transaction }) =>
      message._tag === "Return" && (transaction.status !== "SETTLED" || hasPendingPull(transaction))
        ? refusal("NOT_SETTLED", "Only a settled transaction can be returned.", transaction)
        : undefined,
  ],
  [
    "RETURN_WITHIN_NET",
    ({ message, transaction }) =>
      message._tag === "Return" && message.amount > netSettled(transaction)
        ? {
            code: "INVALID_INPUT",
            message: "A return is at the most what was settled and not refunded yet.",
            details: { reason: "EXCEEDS_NET_SETTLED", netSettled: netSettled(transaction) },
          }
        : undefined,
  ],
  [
    "REVERSAL_OF_REFUNDED",
    ({ message, transaction }) =>
      message._tag === "ReturnReversal" && transaction.status !== "REFUNDED"
        ? refusal(
            "NOT_REFUNDED",
            "Only a transaction that was refunded in full can have its return reversed.",
            transaction,
          )
        : undefined,
  ],
  [
    "SUMS_EXACT",
    ({ message, transaction }) =>
      message._tag === "Clearing" && !inRange(netSettled(transaction) + message.amount)
        ? { code: "AMOUNT_OUT_OF_RANGE", message: "The amounts would go beyond what can be kept exactly." }
        : undefined,
  ],
])
