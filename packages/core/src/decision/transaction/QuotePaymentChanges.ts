/**
 * The life of a quote and its transaction as changes: created, challenged, executed, funded, and ended without funding.
 * Source: wire contract 5.5 and 5.7; D-120, D-122.
 */

import type { Quote } from "../../model/quote/Quote.ts"
import { QuoteMachine } from "../../model/quote/QuoteMachine.ts"
import type { Owner } from "../../model/record/Record.ts"
import type { Exchange } from "../../model/transaction/Exchange.ts"
import type { OutgoingFailureReason } from "../../model/transaction/Transaction.ts"
import type { StoredOutgoing } from "../../model/transaction/TransactionResource.ts"
import type { Stored } from "../../store/ChangeSet.ts"
import * as Changes from "../../store/Changes.ts"
import { job } from "../../store/JobKinds.ts"
import type { DecisionScope } from "./DecisionScope.ts"
import { pushJob } from "./OutgoingJobs.ts"
import { beginRefund, changeStatus, endRefund, recordFunding, type Transition } from "./OutgoingTransitions.ts"
import {
  applyTransitions,
  createdEvents,
  type NewTransaction,
  newTransaction,
  type TransitionResult,
  updateTransaction,
} from "./OutgoingUpdates.ts"

/** A transition of both records. */
export interface QuoteTransition extends TransitionResult {
  readonly quote: Stored<"Quote">
}

/** What happens to a quote in the commit that creates it. */
export type FirstStep = "wait" | "challenge" | "execute"

interface NewQuote {
  readonly id: string
  /** Who pays: the owner of the quote. */
  readonly payer: Owner
  /** The owner of the transaction. */
  readonly owner: Owner
  readonly quote: Omit<Quote, "status" | "transactionId">
  readonly details: Omit<NewTransaction, "exchange"> & { readonly exchange: Omit<Exchange, "quoteId"> }
}

const pullJob = ({ ids, now }: DecisionScope, { customerId, data, id }: StoredOutgoing) =>
  job(ids, "quote.pull", {
    customerId,
    dueAt: now,
    lane: `quote.pull:${id}`,
    payload: { transactionId: id, accountId: data.sourceAccountId ?? "" },
  })

/** Execution exchanges money of an internal account at once; pulled money is exchanged when it has been collected. */
const executionTransitions = (
  { now }: DecisionScope,
  exchange: Pick<Exchange, "funding"> | undefined,
): ReadonlyArray<Transition> =>
  exchange?.funding === "PULL" ? [changeStatus("Begin")] : [changeStatus("Begin"), recordFunding(now)]

/** The job after execution asks the rail of the source for a pull, and otherwise the rail of the destination. */
const executionJob = (scope: DecisionScope, transaction: StoredOutgoing): Changes.Changes => ({
  jobs: [
    transaction.data.exchange?.funding === "PULL"
      ? pullJob(scope, transaction)
      : pushJob(scope.ids, transaction, scope.now),
  ],
})

/** The job that ends a quote whose lifetime, or whose challenge's lifetime, is over. */
const expiryJob = ({ ids }: Pick<DecisionScope, "ids">, { customerId, id }: Stored<"Quote">, dueAt: number) =>
  job(ids, "quote.end", { customerId, dueAt, lane: `quote.end:${id}`, payload: { quoteId: id } })

const transitionsOf = (scope: DecisionScope, firstStep: FirstStep, exchange: Exchange | undefined) => {
  switch (firstStep) {
    case "wait":
      return []
    case "challenge":
      return [changeStatus("Challenge")]
    case "execute":
      return executionTransitions(scope, exchange)
  }
}

/** Inserts a quote and its transaction, and takes the first step in the same commit. */
export const insertQuote = (
  scope: DecisionScope,
  { details, id: quoteId, owner, payer, quote: terms }: NewQuote,
  firstStep: FirstStep,
): QuoteTransition => {
  const inserted = newTransaction(scope, owner, { ...details, exchange: { ...details.exchange, quoteId } })
  const data: Quote = { ...terms, status: QuoteMachine.follow(null, "Create").state, transactionId: inserted.id }
  const quote = Changes.insertedRecord("Quote", quoteId, payer, data, scope.now)
  const transitions = transitionsOf(scope, firstStep, inserted.data.exchange)
  const applied = applyTransitions({ ...scope, quote }, inserted, transitions)
  const quoteAfter = applied.quote ?? quote
  return {
    transaction: applied.transaction,
    quote: quoteAfter,
    changes: Changes.combine(
      Changes.insert("Quote", quoteId, payer, quoteAfter.data),
      Changes.insert("Transaction", inserted.id, owner, applied.transaction.data),
      ...createdEvents(scope, inserted),
      applied.changes,
      firstStep === "execute" ? executionJob(scope, applied.transaction) : undefined,
      { jobs: [expiryJob(scope, quote, terms.expiresAt)] },
      terms.challenge === undefined ? undefined : { jobs: [expiryJob(scope, quote, terms.challenge.expiresAt)] },
    ),
  }
}

const requireQuote = (result: TransitionResult): QuoteTransition => {
  const { quote } = result
  if (quote === undefined) throw new Error(`${result.transaction.id} has no quote`)
  return { ...result, quote }
}

const withPushJob = <T extends TransitionResult>(scope: DecisionScope, result: T): T => ({
  ...result,
  changes: Changes.combine(result.changes, { jobs: [pushJob(scope.ids, result.transaction, scope.now)] }),
})

/** Executes the quote. */
export const startExecution = (scope: DecisionScope, stored: StoredOutgoing): QuoteTransition => {
  const transitions = executionTransitions(scope, stored.data.exchange)
  const started = requireQuote(updateTransaction(scope, stored, ...transitions))
  return { ...started, changes: Changes.combine(started.changes, executionJob(scope, started.transaction)) }
}

const hashOf = (transactionHash: string | undefined) => (transactionHash === undefined ? {} : { transactionHash })

/** The pull collected the money. */
export const recordCollection = (
  scope: DecisionScope,
  stored: StoredOutgoing,
  transactionHash?: string,
): TransitionResult =>
  withPushJob(scope, updateTransaction(scope, stored, recordFunding(scope.now, hashOf(transactionHash))))

/** The pull failed: no money was received, so there is nothing to refund. */
export const failCollection = (
  scope: DecisionScope,
  stored: StoredOutgoing,
  failureReason: OutgoingFailureReason,
): TransitionResult => updateTransaction(scope, stored, changeStatus("Fail", { failureReason }))

/** A payer sent the quote's amount. */
export const recordPayment = (
  scope: DecisionScope,
  stored: StoredOutgoing,
  transactionHash?: string,
): QuoteTransition => {
  const funding = recordFunding(scope.now, hashOf(transactionHash))
  return withPushJob(scope, requireQuote(updateTransaction(scope, stored, changeStatus("Begin"), funding)))
}

/**
 * A payer sent an amount other than the quote's: the transaction fails, and the amount is refunded. `isFull`: the refund's account cannot
 * accept it, so that it stays unapplied until an operator resolves it.
 */
export const refundMismatch = (
  scope: DecisionScope,
  stored: StoredOutgoing,
  amount: number,
  isFull: boolean,
): QuoteTransition =>
  requireQuote(
    updateTransaction(
      scope,
      stored,
      changeStatus("Begin"),
      recordFunding(scope.now, { mismatch: amount }),
      changeStatus("Fail", { failureReason: "FUNDING_AMOUNT_MISMATCH" }),
      beginRefund(stored.id, scope.now, "TRANSACTION_FAILED"),
      endRefund(isFull ? "Fail" : "Complete", scope.now),
    ),
  )

/** The customer must answer a challenge, which `scope.updatedQuote` contains. */
export const startChallenge = (scope: DecisionScope, stored: StoredOutgoing): QuoteTransition => {
  const started = requireQuote(updateTransaction(scope, stored, changeStatus("Challenge")))
  const { challenge } = started.quote.data
  if (challenge === undefined) return started
  const jobs = [expiryJob(scope, started.quote, challenge.expiresAt)]
  return { ...started, changes: Changes.combine(started.changes, { jobs }) }
}

/** The last challenge was answered; a payer must send the money next. */
export const authorizePayment = (scope: DecisionScope, stored: StoredOutgoing): QuoteTransition =>
  requireQuote(updateTransaction(scope, stored, changeStatus("Authorize")))

/** The quote was not executed within its lifetime. */
export const expireQuote = (scope: DecisionScope, stored: StoredOutgoing): TransitionResult =>
  updateTransaction(scope, stored, changeStatus("Expire"))

/** The challenge was not answered within its lifetime. */
export const failChallenge = (scope: DecisionScope, stored: StoredOutgoing): TransitionResult =>
  updateTransaction(scope, stored, changeStatus("Fail", { failureReason: "SCA_NOT_COMPLETED" }))
