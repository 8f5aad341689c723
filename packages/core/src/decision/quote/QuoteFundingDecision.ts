/**
 * Money for a quote, decided: sent by a payer, or pulled from an account outside; and what time does to a quote for which none
 * came.
 * Source: wire contract 5.5, 5.7, 7.1 (FUNDING_AMOUNT_MISMATCH) and 11 (7); D-130.
 */

import type { Refusal } from "../../foundation/errors/ServiceError.ts"
import type { CurrencyCode } from "../../foundation/money/Currencies.ts"
import { withoutChallenge } from "../../model/quote/Quote.ts"
import { quoteStateRefusal } from "../../model/quote/QuoteExecutionRules.ts"
import { RailRefusals } from "../../model/transaction/RailRefusals.ts"
import { type TransactionResource, toTransaction } from "../../model/transaction/TransactionResource.ts"
import { asOf } from "../../store/AsOf.ts"
import type { Stored } from "../../store/ChangeSet.ts"
import * as Changes from "../../store/Changes.ts"
import { failExecution } from "../agent/ActionChanges.ts"
import { auditRecord } from "../audit/Audit.ts"
import { answer, type Decision, type DecisionContext, refuse } from "../Decision.ts"
import type { DefiniteOutcome } from "../transaction/OutcomeDecision.ts"
import type { TransitionResult } from "../transaction/OutgoingUpdates.ts"
import {
  expireQuote,
  failChallenge,
  failCollection,
  recordCollection,
  recordPayment,
  refundMismatch,
} from "../transaction/QuotePaymentChanges.ts"
import { placeOf, type QuoteParts } from "./QuoteExecutionDecision.ts"

/** Money as it came. */
export interface Payment {
  readonly currency: CurrencyCode
  /** Absent: the quote's sending amount. */
  readonly amount: number | undefined
}

const notFundable = (parts: QuoteParts, { currency }: Payment, now: number): Refusal | undefined => {
  const { data } = parts.quote
  if (data.funding !== "PUSH") {
    return {
      code: "INVALID_INPUT",
      message: "The quote is not paid by a payer: execute it.",
      details: { reason: "NOT_SENT_BY_PAYER" },
    }
  }
  if (currency !== data.sendingCurrency) {
    return {
      code: "INVALID_CURRENCY",
      message: `The quote is paid in ${data.sendingCurrency}.`,
      details: { sendingCurrency: data.sendingCurrency },
    }
  }
  const quote = asOf(parts.quote, now).data
  return quote.status === "PENDING" ? undefined : { ...quoteStateRefusal(quote), code: "INVALID_INPUT" }
}

/** A payer's money came. */
export const fund =
  (payment: Payment) =>
  (parts: QuoteParts, context: DecisionContext): Decision<TransactionResource> => {
    const refusal = notFundable(parts, payment, context.now)
    if (refusal !== undefined) return refuse(refusal)
    const place = placeOf(parts, context)
    const { amount = parts.transaction.data.amount } = payment
    const moved =
      amount === parts.transaction.data.amount
        ? recordPayment(place, parts.transaction)
        : refundMismatch(place, parts.transaction, amount)
    const told = auditRecord(context, "SANDBOX_SEND", parts.quote, { details: { amount, currency: payment.currency } })
    return answer(
      200,
      toTransaction(moved.transaction),
      Changes.combine(moved.changes, told, { validUntil: parts.quote.data.expiresAt }),
    )
  }

/** A quote, and the agent's action that executed it, where one did. */
export interface BegunQuote {
  readonly parts: QuoteParts
  readonly action: Stored<"AgentAction"> | undefined
  readonly agent: Stored<"Agent"> | undefined
}

/** How long (ms) a rail that says "later" is left alone at least. */
export const laterMillisMin = 1000

/** What the rail said of a pull; `undefined`: it comes too late or twice, or is not known yet. */
export const decidePull = (
  { action, agent, parts }: BegunQuote,
  outcome: DefiniteOutcome,
  context: Pick<DecisionContext, "ids" | "now">,
): TransitionResult | undefined => {
  const { transaction } = parts
  const isAwaited = transaction.data.status === "PROCESSING" && transaction.data.exchange?.fundedAt === undefined
  if (!isAwaited || outcome._tag === "Later") return undefined
  const place = placeOf(parts, context)
  if (outcome._tag === "Done") return recordCollection(place, transaction)
  const reason = outcome._tag === "Refused" ? outcome.reason : "BANK_REJECTED"
  const moved = failCollection(place, transaction, RailRefusals.get(reason).push)
  return { ...moved, changes: Changes.combine(moved.changes, failing({ action, agent }, reason, context.now)) }
}

/** The action that executed the quote fails with it. */
const failing = ({ action, agent }: Pick<BegunQuote, "action" | "agent">, reason: string, now: number) =>
  action === undefined || agent === undefined || action.data.status !== "APPROVED"
    ? undefined
    : failExecution(action, agent, reason, now).changes

/** What time has done to the quote; `undefined`: nothing, or nothing more. */
export const decideEnd = (
  { parts, ...begun }: BegunQuote,
  context: Pick<DecisionContext, "ids" | "now">,
): TransitionResult | undefined => {
  const { quote, transaction } = parts
  const { status } = asOf(quote, context.now).data
  if (status === quote.data.status) return undefined
  const place = placeOf(parts, context)
  if (status === "EXPIRED") return expireQuote(place, transaction)
  const moved = failChallenge({ ...place, updatedQuote: withoutChallenge(quote.data) }, transaction)
  return { ...moved, changes: Changes.combine(moved.changes, failing(begun, "SCA_NOT_COMPLETED", context.now)) }
}
