/**
 * The life of an outgoing transaction as changes: started as a transfer, delivered, failed, returned, cancelled and refunded.
 * Source: wire contract 5.7 (event sequences), 7.3; D-091.
 */

import type { OutgoingFailureReason, RefundReason } from "../../model/transaction/Transaction.ts"
import { payingOwnerOf, type StoredOutgoing } from "../../model/transaction/TransactionResource.ts"
import type { Stored } from "../../store/ChangeSet.ts"
import * as Changes from "../../store/Changes.ts"
import { job } from "../../store/JobKinds.ts"
import * as Postings from "../ledger/PostingChanges.ts"
import type { DecisionScope } from "./DecisionScope.ts"
import { pushJob, refundJob } from "./OutgoingJobs.ts"
import {
  beginProcessing,
  beginRefund,
  changeStatus,
  endCancellation,
  endRefund,
  retryRefund,
} from "./OutgoingTransitions.ts"
import {
  createdEvents,
  type NewTransaction,
  newTransaction,
  type TransitionResult,
  updateTransaction,
} from "./OutgoingUpdates.ts"
import { countVolume } from "./VolumeChanges.ts"

/** Starts a push: the record is `PENDING`, its money is held, and a job will ask the rail. */
export const startPush = (
  scope: DecisionScope & { readonly source: Stored<"InternalAccount"> },
  details: NewTransaction,
): TransitionResult => {
  const { ids, now, source } = scope
  const created = newTransaction(scope, source, details)
  const { changes, data } = countVolume(scope, created)
  const transaction = { ...created, data }
  const { id } = transaction
  return {
    transaction,
    changes: Changes.combine(
      changes,
      Changes.insert("Transaction", id, source, data),
      ...createdEvents(scope, transaction),
      Postings.hold({ account: source, amount: data.amount, reference: id }),
      Postings.balanceEvent(ids, now, source),
      { jobs: [pushJob(ids, transaction, now)] },
    ),
  }
}

/** The rail started the payment, and its outcome is not known yet. */
export const startProcessing = (scope: DecisionScope, stored: StoredOutgoing): TransitionResult =>
  updateTransaction(scope, stored, beginProcessing)

/** The rail delivered the payment. A job moves the platform's fee to the platform's account. */
export const deliver = (scope: DecisionScope, stored: StoredOutgoing, transactionHash?: string): TransitionResult => {
  const patch = { settledAt: scope.now, ...(transactionHash === undefined ? {} : { transactionHash }) }
  const deliverTransition = changeStatus("Deliver", patch, "deliver")
  const delivered = updateTransaction(scope, stored, beginProcessing, deliverTransition)
  const { currency, exchange } = stored.data
  if (exchange === undefined || exchange.fees.platform === 0) return delivered
  const sweep = job(scope.ids, "fees.sweep", {
    customerId: null,
    dueAt: scope.now,
    lane: `fees.sweep:${stored.platformId}`,
    payload: { customerId: payingOwnerOf(stored).customerId, currency },
  })
  return { ...delivered, changes: Changes.combine(delivered.changes, { jobs: [sweep] }) }
}

const withRefundJob = (scope: DecisionScope, result: TransitionResult): TransitionResult => ({
  ...result,
  changes: Changes.combine(result.changes, { jobs: [refundJob(scope.ids, result.transaction, scope.now)] }),
})

/**
 * The rail refused the payment, or returned it before delivery: the refund begins. The refund completes at once when the
 * payment was never submitted to a rail, because its account became inactive first.
 */
export const fail = (
  scope: DecisionScope,
  stored: StoredOutgoing,
  failureReason: OutgoingFailureReason,
  refundReason: RefundReason,
): TransitionResult => {
  const transitions = [
    beginProcessing,
    changeStatus("Fail", { failureReason }),
    beginRefund(stored.id, scope.now, refundReason),
  ]
  return stored.data.submittedAt === undefined
    ? updateTransaction(scope, stored, ...transitions, endRefund("Complete", scope.now))
    : withRefundJob(scope, updateTransaction(scope, stored, ...transitions))
}

/** The receiving bank returned a delivered payment. */
export const returnPayout = (scope: DecisionScope, stored: StoredOutgoing): TransitionResult =>
  withRefundJob(
    scope,
    updateTransaction(
      scope,
      stored,
      changeStatus("Return", { failureReason: "PAYOUT_RETURNED" }, "returnPayout"),
      beginRefund(stored.id, scope.now, "TRANSACTION_FAILED"),
    ),
  )

/** The payment was cancelled. The refund completes at once when no rail was asked; otherwise the rail reports it. */
export const cancel = (scope: DecisionScope, stored: StoredOutgoing): TransitionResult => {
  const refund = beginRefund(stored.id, scope.now, "USER_CANCELLATION")
  if (stored.data.submittedAt !== undefined) {
    return withRefundJob(scope, updateTransaction(scope, stored, beginProcessing, refund))
  }
  const completion = endRefund("Complete", scope.now)
  return updateTransaction(scope, stored, beginProcessing, refund, completion, endCancellation("Conclude"))
}

/** The refund arrived in the source account. */
export const completeRefund = (scope: DecisionScope, stored: StoredOutgoing): TransitionResult =>
  updateTransaction(scope, stored, endRefund("Complete", scope.now), endCancellation("Conclude"))

/** An operator lets the rail be asked again about a refund that failed. */
export const retryFailedRefund = (scope: DecisionScope, stored: StoredOutgoing): TransitionResult =>
  withRefundJob(scope, updateTransaction(scope, stored, retryRefund))

/** The refund did not arrive, or its account cannot accept it: the money stays unapplied until an operator resolves it. */
export const failRefund = (scope: DecisionScope, stored: StoredOutgoing): TransitionResult =>
  updateTransaction(
    scope,
    stored,
    endRefund("Fail", scope.now),
    endCancellation("Fail", { failureReason: "QUOTE_EXECUTION_FAILED" }),
  )
