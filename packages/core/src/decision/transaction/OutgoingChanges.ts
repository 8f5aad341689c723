/**
 * What becomes of an outgoing transaction: begun as a transfer, delivered, failed, returned, called back and refunded, each as
 * one change.
 * Source: wire contract 5.7 (event sequences), 7.3; D-091.
 */

import type { OutgoingFailureReason, RefundReason } from "../../model/transaction/Transaction.ts"
import type { StoredOutgoing } from "../../model/transaction/TransactionResource.ts"
import type { Stored } from "../../store/ChangeSet.ts"
import * as Changes from "../../store/Changes.ts"
import { job } from "../../store/JobKinds.ts"
import * as Postings from "../ledger/PostingChanges.ts"
import {
  begin,
  concluded,
  createdEvents,
  type DecisionScope,
  follow,
  insertedTransaction,
  type NewTransaction,
  pushJob,
  refundBegins,
  refundEnds,
  refundJob,
  status,
  type TransitionResult,
} from "./OutgoingStepChanges.ts"

/** A push begins: the record is `PENDING`, its money is held, and a job asks the rail. */
export const startPush = (
  place: DecisionScope & { readonly source: Stored<"InternalAccount"> },
  details: NewTransaction,
): TransitionResult => {
  const { ids, now, source } = place
  const transaction = insertedTransaction(place, source, details)
  const { data, id } = transaction
  return {
    transaction,
    changes: Changes.combine(
      Changes.insert("Transaction", id, source, data),
      ...createdEvents(place, transaction),
      Postings.hold({ account: source, amount: data.amount, reference: id }),
      Postings.balanceEvent(ids, now, source),
      { jobs: [pushJob(ids, transaction, now)] },
    ),
  }
}

/** The rail has begun and does not know the end yet. */
export const processing = (place: DecisionScope, stored: StoredOutgoing): TransitionResult =>
  follow(place, stored, begin)

/** The rail delivered. What the platform earned by it is brought to its account. */
export const delivered = (place: DecisionScope, stored: StoredOutgoing): TransitionResult => {
  const moved = follow(place, stored, begin, status("Deliver", { settledAt: place.now }, "deliver"))
  const { currency, exchange } = stored.data
  if (exchange === undefined || exchange.fees.platform === 0) return moved
  const sweep = job(place.ids, "fees.sweep", {
    customerId: null,
    dueAt: place.now,
    lane: `fees.sweep:${stored.platformId}`,
    payload: { customerId: stored.customerId, currency },
  })
  return { ...moved, changes: Changes.combine(moved.changes, { jobs: [sweep] }) }
}

const withRefund = (place: DecisionScope, moved: TransitionResult): TransitionResult => ({
  ...moved,
  changes: Changes.combine(moved.changes, { jobs: [refundJob(place.ids, moved.transaction, place.now)] }),
})

/**
 * The rail refused, or returned before it had delivered: the money begins its way back. Where no rail was asked, as its
 * account stopped being active before, the money is back at once.
 */
export const failed = (
  place: DecisionScope,
  stored: StoredOutgoing,
  failureReason: OutgoingFailureReason,
  refund: RefundReason,
): TransitionResult => {
  const steps = [begin, status("Fail", { failureReason }), refundBegins(stored.id, place.now, refund)]
  return stored.data.submittedAt === undefined
    ? follow(place, stored, ...steps, refundEnds("Complete", place.now))
    : withRefund(place, follow(place, stored, ...steps))
}

/** The receiving bank returned what was delivered. */
export const returned = (place: DecisionScope, stored: StoredOutgoing): TransitionResult =>
  withRefund(
    place,
    follow(
      place,
      stored,
      status("Return", { failureReason: "PAYOUT_RETURNED" }, "comeBack"),
      refundBegins(stored.id, place.now, "TRANSACTION_FAILED"),
    ),
  )

/** Called back. What no rail was asked for is back at once; otherwise the rail says when. */
export const cancelled = (place: DecisionScope, stored: StoredOutgoing): TransitionResult => {
  const back = refundBegins(stored.id, place.now, "USER_CANCELLATION")
  return stored.data.submittedAt === undefined
    ? follow(place, stored, begin, back, refundEnds("Complete", place.now), concluded("Conclude"))
    : withRefund(place, follow(place, stored, begin, back))
}

/** The money is back in the account. */
export const refunded = (place: DecisionScope, stored: StoredOutgoing): TransitionResult =>
  follow(place, stored, refundEnds("Complete", place.now), concluded("Conclude"))

/** The money does not come back, or its account cannot take it: it waits for a person. */
export const refundFailed = (place: DecisionScope, stored: StoredOutgoing): TransitionResult =>
  follow(place, stored, refundEnds("Fail", place.now), concluded("Fail", { failureReason: "QUOTE_EXECUTION_FAILED" }))
