/**
 * What becomes of a transaction that was created from a quote, and of the quote with it: created, challenged, executed, funded,
 * or ended without its money having moved.
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
import {
  createdEvents,
  type DecisionScope,
  follow,
  funded,
  insertedTransaction,
  type NewTransaction,
  pushJob,
  refundBegins,
  refundEnds,
  status,
  type Transition,
  type TransitionResult,
  taken,
} from "./OutgoingStepChanges.ts"

/** The two records after a change. */
export interface QuoteTransition extends TransitionResult {
  readonly quote: Stored<"Quote">
}

/** How a quote goes on at once when it is created. */
export type FirstStep = "wait" | "challenge" | "execute"

interface NewQuote {
  readonly id: string
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

/** The steps of an execution: money that is held here is exchanged at once, other money is asked for first. */
const execution = (
  { now }: DecisionScope,
  exchange: Pick<Exchange, "funding"> | undefined,
): ReadonlyArray<Transition> => (exchange?.funding === "PULL" ? [status("Begin")] : [status("Begin"), funded(now)])

/** Who goes on with an executed payment: the rail of its source, or that of its destination. */
const next = (place: DecisionScope, transaction: StoredOutgoing): Changes.Changes => ({
  jobs: [
    transaction.data.exchange?.funding === "PULL"
      ? pullJob(place, transaction)
      : pushJob(place.ids, transaction, place.now),
  ],
})

/** The job that looks what time has done to a quote. */
const endJob = ({ ids }: Pick<DecisionScope, "ids">, { customerId, id }: Stored<"Quote">, dueAt: number) =>
  job(ids, "quote.end", { customerId, dueAt, lane: `quote.end:${id}`, payload: { quoteId: id } })

/** A quote and its transaction come into being, and go on at once where that is wanted. */
export const created = (
  place: DecisionScope,
  { details, id: quoteId, owner, quote: wanted }: NewQuote,
  first: FirstStep,
): QuoteTransition => {
  const born = insertedTransaction(place, owner, { ...details, exchange: { ...details.exchange, quoteId } })
  const data: Quote = { ...wanted, status: QuoteMachine.follow(null, "Create"), transactionId: born.id }
  const quote = Changes.insertedRecord("Quote", quoteId, owner, data, place.now)
  const { exchange } = born.data
  const steps = first === "wait" ? [] : first === "challenge" ? [status("Challenge")] : execution(place, exchange)
  const after = taken({ ...place, quote }, born, steps)
  const moved = after.quote ?? quote
  return {
    transaction: after.transaction,
    quote: moved,
    changes: Changes.combine(
      Changes.insert("Quote", quoteId, owner, moved.data),
      Changes.insert("Transaction", born.id, owner, after.transaction.data),
      ...createdEvents(place, born),
      after.changes,
      first === "execute" ? next(place, after.transaction) : undefined,
      { jobs: [endJob(place, quote, wanted.expiresAt)] },
      wanted.challenge === undefined ? undefined : { jobs: [endJob(place, quote, wanted.challenge.expiresAt)] },
    ),
  }
}

const withQuote = (moved: TransitionResult): QuoteTransition => {
  const { quote } = moved
  if (quote === undefined) throw new Error(`${moved.transaction.id} has no quote`)
  return { ...moved, quote }
}

/** It is executed. */
export const executed = (place: DecisionScope, stored: StoredOutgoing): QuoteTransition => {
  const moved = withQuote(follow(place, stored, ...execution(place, stored.data.exchange)))
  return { ...moved, changes: Changes.combine(moved.changes, next(place, moved.transaction)) }
}

/** The money that was pulled is there. */
export const collected = (place: DecisionScope, stored: StoredOutgoing): TransitionResult => {
  const moved = follow(place, stored, funded(place.now))
  return {
    ...moved,
    changes: Changes.combine(moved.changes, { jobs: [pushJob(place.ids, moved.transaction, place.now)] }),
  }
}

/** The money could not be pulled: there is nothing to give back. */
export const notCollected = (
  place: DecisionScope,
  stored: StoredOutgoing,
  failureReason: OutgoingFailureReason,
): TransitionResult => follow(place, stored, status("Fail", { failureReason }))

/** A payer sent the money. */
export const paid = (place: DecisionScope, stored: StoredOutgoing): QuoteTransition => {
  const moved = withQuote(follow(place, stored, status("Begin"), funded(place.now)))
  return {
    ...moved,
    changes: Changes.combine(moved.changes, { jobs: [pushJob(place.ids, moved.transaction, place.now)] }),
  }
}

/** A payer sent another amount than the quote's: it goes back. */
export const mispaid = (place: DecisionScope, stored: StoredOutgoing, amount: number): QuoteTransition =>
  withQuote(
    follow(
      place,
      stored,
      status("Begin"),
      funded(place.now, amount),
      status("Fail", { failureReason: "FUNDING_AMOUNT_MISMATCH" }),
      refundBegins(stored.id, place.now, "TRANSACTION_FAILED"),
      refundEnds("Complete", place.now),
    ),
  )

/** A challenge waits for its answer; `place.quoteData` has it. */
export const challenged = (place: DecisionScope, stored: StoredOutgoing): QuoteTransition => {
  const moved = withQuote(follow(place, stored, status("Challenge")))
  const { challenge } = moved.quote.data
  return challenge === undefined
    ? moved
    : { ...moved, changes: Changes.combine(moved.changes, { jobs: [endJob(place, moved.quote, challenge.expiresAt)] }) }
}

/** The last challenge was answered, and a payer has to send the money. */
export const authorized = (place: DecisionScope, stored: StoredOutgoing): QuoteTransition =>
  withQuote(follow(place, stored, status("Authorize")))

/** Nobody executed it in time. */
export const expired = (place: DecisionScope, stored: StoredOutgoing): TransitionResult =>
  follow(place, stored, status("Expire"))

/** Nobody answered the challenge in time. */
export const lapsed = (place: DecisionScope, stored: StoredOutgoing): TransitionResult =>
  follow(place, stored, status("Fail", { failureReason: "SCA_NOT_COMPLETED" }))
