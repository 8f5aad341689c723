/**
 * What becomes of a transaction when its rail says something: early or late, once or several times. What comes too late or
 * twice changes nothing.
 * Source: architecture, "Jobs, outside calls and time"; wire contract 5.7, 7.3 and 11 (49, 50, 51); D-010, D-092.
 */

import { RailRefusals } from "../../model/transaction/RailRefusals.ts"
import {
  isIncoming,
  isOutgoing,
  type StoredIncoming,
  type StoredOutgoing,
} from "../../model/transaction/TransactionResource.ts"
import type { RailOutcome } from "../../ports/Rails.ts"
import type { Stored } from "../../store/ChangeSet.ts"
import * as Changes from "../../store/Changes.ts"
import { job } from "../../store/JobKinds.ts"
import { failExecution } from "../agent/ActionChanges.ts"
import type { DecisionContext } from "../Decision.ts"
import { nothingOwed, type Owed } from "../ledger/PostingChanges.ts"
import * as Incoming from "./IncomingChanges.ts"
import * as Outgoing from "./OutgoingChanges.ts"
import { can, type DecisionScope, isUnderWay, pushJob, refundJob } from "./OutgoingStepChanges.ts"

/** What a rail can say for certain. */
export type Certain = Exclude<RailOutcome, { readonly _tag: "Unknown" }>

/** What comes through the one door: an answer of the rail, a return by a bank, or that it was called back. */
export type Report = Certain

export interface OutcomeLoaded {
  readonly transaction: Stored<"Transaction">
  /** The internal account of the transaction: it takes an incoming one, and pays an outgoing one or takes what comes back. */
  readonly account: Stored<"InternalAccount"> | undefined
  /** The internal account that an outgoing one pays to. */
  readonly receiver?: Stored<"InternalAccount"> | undefined
  /** What the owner of that one owes in its currency. */
  readonly receiverOwed?: Owed
  /** The quote that an outgoing one executes. */
  readonly quote?: Stored<"Quote"> | undefined
  readonly available: { readonly balance: number; readonly sequence: number }
  /** What the account's owner owes in its currency. */
  readonly owed: Owed
  readonly action: Stored<"AgentAction"> | undefined
  readonly agent: Stored<"Agent"> | undefined
}

type Context = Pick<DecisionContext, "ids" | "now">

/** The transaction after a change, and the change; `undefined`: nothing changes. */
type Outcome = { readonly transaction: Stored<"Transaction">; readonly changes: Changes.Changes } | undefined

/** A rail that says "later" is not asked again within this time. */
const laterMillisMin = 1000

/** The end of a transaction that did not succeed: so ends the action that began it. */
const ended = (
  { action, agent }: OutcomeLoaded,
  moved: NonNullable<Outcome>,
  reason: string,
  now: number,
): Outcome => ({
  transaction: moved.transaction,
  changes: Changes.combine(
    moved.changes,
    action === undefined || agent === undefined || action.data.status !== "APPROVED"
      ? undefined
      : failExecution(action, agent, reason, now).changes,
  ),
})

const incoming = (loaded: OutcomeLoaded, stored: StoredIncoming, report: Report, isFull: boolean, context: Context) => {
  const { account, available, owed } = loaded
  const { ids, now } = context
  if (account === undefined) throw new Error(`${stored.id} has no account that receives`)
  const isPull = stored.data.sourceAccountId !== undefined
  if (report._tag === "Returned" && isPull && Incoming.can(stored.data, "Return")) {
    return ended(loaded, Incoming.takeBack(ids, now, stored, account, available), "RETURNED", now)
  }
  if (!isPull || !Incoming.can(stored.data, "Settle")) return undefined
  switch (report._tag) {
    case "Done":
      return isFull
        ? ended(loaded, Incoming.setAside(ids, now, stored, account), "AMOUNT_OUT_OF_RANGE", now)
        : Incoming.settle(ids, now, stored, { account, owed })
    case "Refused":
      return ended(loaded, Incoming.fail(ids, now, stored, RailRefusals.get(report.reason).pull), report.reason, now)
    case "Returned":
      return ended(loaded, Incoming.fail(ids, now, stored, "COLLECTION_FAILED"), "RETURNED", now)
    case "Cancelled":
      return ended(loaded, Incoming.fail(ids, now, stored, "COLLECTION_FAILED"), "CANCELLED", now)
    case "Later": {
      const jobs = [Incoming.pullJob(ids, stored, Math.max(report.at, now + laterMillisMin))]
      return { transaction: stored, changes: { jobs } }
    }
  }
}

const placeOf = (
  { account, owed, quote, receiver, receiverOwed = nothingOwed }: OutcomeLoaded,
  { ids, now }: Context,
): DecisionScope => ({ ids, now, source: account, owed, receiver, receiverOwed, quote })

const outgoing = (
  loaded: OutcomeLoaded,
  stored: StoredOutgoing,
  report: Report,
  isFull: boolean,
  context: Context,
): Outcome => {
  const { ids, now } = context
  const place = placeOf(loaded, context)
  const { data } = stored
  if (report._tag === "Returned" && data.refund === undefined && can(data, "Return")) {
    return ended(loaded, Outgoing.returned(place, stored), "RETURNED", now)
  }
  if (!isUnderWay(data)) return undefined
  switch (report._tag) {
    case "Done": {
      if (isFull) {
        const failed = Outgoing.failed(place, stored, "ACCOUNT_CANNOT_RECEIVE", "TRANSACTION_FAILED")
        return ended(loaded, failed, "AMOUNT_OUT_OF_RANGE", now)
      }
      const delivered = Outgoing.delivered(place, stored)
      const { askAgainAt: at } = report
      const jobs = at === undefined ? [] : [confirmJob(context, stored, Math.max(at, now + laterMillisMin))]
      return { ...delivered, changes: Changes.combine(delivered.changes, { jobs }) }
    }
    case "Refused": {
      const { push, refund } = RailRefusals.get(report.reason)
      return ended(loaded, Outgoing.failed(place, stored, push, refund), report.reason, now)
    }
    case "Returned":
      return ended(loaded, Outgoing.failed(place, stored, "PAYOUT_RETURNED", "TRANSACTION_FAILED"), "RETURNED", now)
    case "Cancelled":
      return ended(loaded, Outgoing.cancelled(place, stored), "CANCELLED", now)
    case "Later": {
      const begun =
        report.isQueued === true || data.status === "PROCESSING" ? undefined : Outgoing.processing(place, stored)
      const jobs = [pushJob(ids, stored, Math.max(report.at, now + laterMillisMin))]
      return { transaction: begun?.transaction ?? stored, changes: Changes.combine(begun?.changes, { jobs }) }
    }
  }
}

/** What one report changes; `undefined`: it comes too late or twice. `isFull`: the account cannot take the money. */
export const decideOutcome = (loaded: OutcomeLoaded, report: Report, isFull: boolean, context: Context): Outcome => {
  const { transaction } = loaded
  if (isIncoming(transaction)) return incoming(loaded, transaction, report, isFull, context)
  return isOutgoing(transaction) ? outgoing(loaded, transaction, report, isFull, context) : undefined
}

/** What the rail says of money that is on its way back. */
export const decideRefund = (loaded: OutcomeLoaded, outcome: Certain, isFull: boolean, context: Context): Outcome => {
  const { ids, now } = context
  const { transaction } = loaded
  if (!isOutgoing(transaction) || transaction.data.refund?.status !== "PENDING") return undefined
  const place = placeOf(loaded, context)
  if (outcome._tag === "Later") {
    const jobs = [refundJob(ids, transaction, Math.max(outcome.at, now + laterMillisMin))]
    return { transaction, changes: { jobs } }
  }
  // An account that was closed with its customer takes nothing any more.
  const isTaken = !isFull && loaded.account?.data.status !== "CLOSED"
  return outcome._tag === "Done" && isTaken
    ? Outgoing.refunded(place, transaction)
    : Outgoing.refundFailed(place, transaction)
}

/** The job that asks a rail about a delivery that may still come back. */
const confirmJob = ({ ids }: Context, { customerId, data, id }: StoredOutgoing, dueAt: number) =>
  job(ids, "transfer.confirm", {
    customerId,
    dueAt,
    lane: `transfer.confirm:${id}`,
    payload: { transactionId: id, accountId: data.destinationAccountId },
  })

/** The job that asks the rail to call a payment back. */
export const cancelJob = ({ ids, now }: Context, { customerId, id }: Stored<"Transaction">, at = now) =>
  job(ids, "transfer.cancel", {
    customerId,
    dueAt: at,
    lane: `transfer.cancel:${id}`,
    payload: { transactionId: id },
  })

/** What the rail says of the wish to call a payment back. Too late: the payment goes on. */
export const decideCancellation = (loaded: OutcomeLoaded, outcome: Certain, context: Context): Outcome => {
  if (outcome._tag === "Done" || outcome._tag === "Cancelled") {
    return decideOutcome(loaded, { _tag: "Cancelled" }, false, context)
  }
  if (outcome._tag !== "Later") return undefined
  const { transaction } = loaded
  const isOpen = decideOutcome(loaded, outcome, false, context) !== undefined
  const at = Math.max(outcome.at, context.now + laterMillisMin)
  return isOpen ? { transaction, changes: { jobs: [cancelJob(context, transaction, at)] } } : undefined
}
