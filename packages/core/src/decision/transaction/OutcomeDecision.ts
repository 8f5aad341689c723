/**
 * Decides what a rail's outcome changes in a transaction. Outcomes may arrive early, late or repeatedly: a late or repeated one
 * changes nothing.
 * Source: architecture, "Jobs, external calls and time"; wire contract 5.7, 7.3 and 11 (49, 50, 51); D-010, D-092.
 */

import { RailRefusals } from "../../model/transaction/RailRefusals.ts"
import {
  isIncoming,
  isOutgoing,
  type StoredIncoming,
  type StoredOutgoing,
} from "../../model/transaction/TransactionResource.ts"
import type { Stored } from "../../store/ChangeSet.ts"
import * as Changes from "../../store/Changes.ts"
import { job } from "../../store/JobKinds.ts"
import { failExecution } from "../agent/ActionChanges.ts"
import type { DecisionContext } from "../Decision.ts"
import { zeroReceivable } from "../ledger/PostingChanges.ts"
import type { DecisionScope } from "./DecisionScope.ts"
import { decideHeldDeposit } from "./DepositDecision.ts"
import * as Incoming from "./IncomingChanges.ts"
import type { DefiniteOutcome, OutcomeLoaded } from "./OutcomeLoaded.ts"
import * as Outgoing from "./OutgoingChanges.ts"
import { confirmJob, pushJob, refundJob } from "./OutgoingJobs.ts"
import { canTake, isUnderWay } from "./OutgoingTransitions.ts"

export type { DefiniteOutcome, OutcomeLoaded }

type Context = Pick<DecisionContext, "ids" | "now">

/** The transaction after the change, and the change; `undefined` when nothing changes. */
type Outcome = { readonly transaction: Stored<"Transaction">; readonly changes: Changes.Changes } | undefined

/** The shortest time (ms) before a rail that answered `Later` is asked again. */
const laterMillisMin = 1000

const askAgainAt = (at: number, now: number): number => Math.max(at, now + laterMillisMin)

const hashOf = ({ transactionHash }: Extract<DefiniteOutcome, { readonly _tag: "Done" }>) =>
  transactionHash === undefined ? {} : { transactionHash }

/** Fails the agent's action together with the transaction that it started. */
const withFailedAction = (
  { action, agent }: OutcomeLoaded,
  result: NonNullable<Outcome>,
  reason: string,
  now: number,
): Outcome => ({
  transaction: result.transaction,
  changes: Changes.combine(
    result.changes,
    action === undefined || agent === undefined || action.data.status !== "APPROVED"
      ? undefined
      : failExecution(action, agent, reason, now).changes,
  ),
})

const decideIncoming = (
  loaded: OutcomeLoaded,
  stored: StoredIncoming,
  outcome: DefiniteOutcome,
  isFull: boolean,
  { ids, now }: Context,
): Outcome => {
  const { account, accountReceivable: receivable, available } = loaded
  if (account === undefined) throw new Error(`${stored.id} has no destination account`)
  const failed = (result: NonNullable<Outcome>, reason: string) => withFailedAction(loaded, result, reason, now)
  const isPull = stored.data.sourceAccountId !== undefined
  const isDeposit = stored.data.deposit !== undefined
  if (outcome._tag === "Returned" && (isPull || isDeposit) && Incoming.canTake(stored.data, "Return")) {
    return failed(Incoming.returnPull(ids, now, stored, account, available), "RETURNED")
  }
  if (isDeposit && stored.data.status === "PENDING")
    return decideHeldDeposit(loaded, stored, outcome, isFull, { ids, now })
  if (!isPull || !Incoming.canTake(stored.data, "Settle")) return undefined
  switch (outcome._tag) {
    case "Done":
      return isFull
        ? failed(Incoming.failUnapplied(ids, now, stored, account), "AMOUNT_OUT_OF_RANGE")
        : Incoming.settle(ids, now, stored, { account, receivable }, hashOf(outcome))
    case "Refused":
      return failed(Incoming.fail(ids, now, stored, RailRefusals.get(outcome.reason).pull), outcome.reason)
    case "Returned":
      return failed(Incoming.fail(ids, now, stored, "COLLECTION_FAILED"), "RETURNED")
    case "Cancelled":
      return failed(Incoming.fail(ids, now, stored, "COLLECTION_FAILED"), "CANCELLED")
    case "Later": {
      const jobs = [Incoming.pullJob(ids, stored, askAgainAt(outcome.at, now))]
      return { transaction: stored, changes: { jobs } }
    }
  }
}

const scopeOf = (
  { account, accountReceivable, destination, destinationReceivable = zeroReceivable, quote }: OutcomeLoaded,
  { ids, now }: Context,
): DecisionScope => ({
  ids,
  now,
  source: account,
  sourceReceivable: accountReceivable,
  destination,
  destinationReceivable,
  quote,
})

const decideOutgoing = (
  loaded: OutcomeLoaded,
  stored: StoredOutgoing,
  outcome: DefiniteOutcome,
  isFull: boolean,
  context: Context,
): Outcome => {
  const { ids, now } = context
  const scope = scopeOf(loaded, context)
  const { data } = stored
  const failed = (result: NonNullable<Outcome>, reason: string) => withFailedAction(loaded, result, reason, now)
  if (outcome._tag === "Returned" && data.refund === undefined && canTake(data, "Return")) {
    return failed(Outgoing.returnPayout(scope, stored), "RETURNED")
  }
  if (!isUnderWay(data)) return undefined
  switch (outcome._tag) {
    case "Done": {
      if (isFull) {
        const refunded = Outgoing.fail(scope, stored, "ACCOUNT_CANNOT_RECEIVE", "TRANSACTION_FAILED")
        return failed(refunded, "AMOUNT_OUT_OF_RANGE")
      }
      const delivered = Outgoing.deliver(scope, stored, outcome.transactionHash)
      const jobs =
        outcome.askAgainAt === undefined ? [] : [confirmJob(ids, stored, askAgainAt(outcome.askAgainAt, now))]
      return { ...delivered, changes: Changes.combine(delivered.changes, { jobs }) }
    }
    case "Refused": {
      const { push, refund } = RailRefusals.get(outcome.reason)
      return failed(Outgoing.fail(scope, stored, push, refund), outcome.reason)
    }
    case "Returned":
      return failed(Outgoing.fail(scope, stored, "PAYOUT_RETURNED", "TRANSACTION_FAILED"), "RETURNED")
    case "Cancelled":
      return failed(Outgoing.cancel(scope, stored), "CANCELLED")
    case "Later": {
      const isStarted = outcome.isQueued !== true && data.status !== "PROCESSING"
      const started = isStarted ? Outgoing.startProcessing(scope, stored) : undefined
      const jobs = [pushJob(ids, stored, askAgainAt(outcome.at, now))]
      return { transaction: started?.transaction ?? stored, changes: Changes.combine(started?.changes, { jobs }) }
    }
  }
}

/** Decides one outcome; `undefined` when it is late or repeated. `isFull`: the account cannot accept the amount. */
export const decideOutcome = (
  loaded: OutcomeLoaded,
  outcome: DefiniteOutcome,
  isFull: boolean,
  context: Context,
): Outcome => {
  const { transaction } = loaded
  if (isIncoming(transaction)) return decideIncoming(loaded, transaction, outcome, isFull, context)
  return isOutgoing(transaction) ? decideOutgoing(loaded, transaction, outcome, isFull, context) : undefined
}

/** Decides the rail's answer whether a delivered payment has come back. As long as it may, the rail is asked again when it says. */
export const decideConfirmation = (
  loaded: OutcomeLoaded,
  outcome: DefiniteOutcome,
  isFull: boolean,
  context: Context,
): Outcome => {
  if (outcome._tag === "Returned") return decideOutcome(loaded, outcome, isFull, context)
  const { transaction } = loaded
  const at = outcome._tag === "Later" ? outcome.at : outcome._tag === "Done" ? outcome.askAgainAt : undefined
  if (at === undefined || !isOutgoing(transaction) || !canTake(transaction.data, "Return")) return undefined
  const { ids, now } = context
  return { transaction, changes: { jobs: [confirmJob(ids, transaction, askAgainAt(at, now))] } }
}

/** Decides the outcome of a pending refund. */
export const decideRefund = (
  loaded: OutcomeLoaded,
  outcome: DefiniteOutcome,
  isFull: boolean,
  context: Context,
): Outcome => {
  const { ids, now } = context
  const { transaction } = loaded
  if (!isOutgoing(transaction) || transaction.data.refund?.status !== "PENDING") return undefined
  const scope = scopeOf(loaded, context)
  if (outcome._tag === "Later") {
    const jobs = [refundJob(ids, transaction, askAgainAt(outcome.at, now))]
    return { transaction, changes: { jobs } }
  }
  // An account that was closed with its customer cannot be credited any more.
  const isAccepted = !isFull && loaded.account?.data.status !== "CLOSED"
  return outcome._tag === "Done" && isAccepted
    ? Outgoing.completeRefund(scope, transaction)
    : Outgoing.failRefund(scope, transaction)
}

/** The job that asks the rail to cancel a payment. */
export const cancelJob = ({ ids, now }: Context, { customerId, id }: Stored<"Transaction">, at = now) =>
  job(ids, "transfer.cancel", {
    customerId,
    dueAt: at,
    lane: `transfer.cancel:${id}`,
    payload: { transactionId: id },
  })

/** Decides the rail's answer to a cancellation. A refused cancellation changes nothing: the payment continues. */
export const decideCancellation = (loaded: OutcomeLoaded, outcome: DefiniteOutcome, context: Context): Outcome => {
  if (outcome._tag === "Done" || outcome._tag === "Cancelled") {
    return decideOutcome(loaded, { _tag: "Cancelled" }, false, context)
  }
  if (outcome._tag !== "Later") return undefined
  const { transaction } = loaded
  const isOpen = decideOutcome(loaded, outcome, false, context) !== undefined
  const at = askAgainAt(outcome.at, context.now)
  return isOpen ? { transaction, changes: { jobs: [cancelJob(context, transaction, at)] } } : undefined
}
