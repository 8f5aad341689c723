/**
 * What an outgoing transaction changes at each arrow of its machine and of its refund's: the record, the ledger, the events
 * and the next job.
 * Source: wire contract 5.7 (event sequences), 7.3; D-091.
 */

import type { PaymentRail } from "../account/AccountTypeRow.ts"
import { announce } from "../event/Announce.ts"
import type { EventType } from "../event/EventTypes.ts"
import type { IdSource } from "../ids/IdPool.ts"
import * as Changes from "../operation/Changes.ts"
import { type JobKind, job } from "../operation/JobKinds.ts"
import type { Stored } from "../ports/ChangeSet.ts"
import { plain } from "../ports/Facts.ts"
import { OutgoingMachine } from "./OutgoingMachine.ts"
import { PaymentRails } from "./PaymentRails.ts"
import * as Postings from "./PostingChanges.ts"
import { RefundMachine } from "./RefundMachine.ts"
import { type OutgoingFailureReason, type OutgoingTransaction, type RefundReason, referenceOf } from "./Transaction.ts"
import { type StoredOutgoing, toOutgoingTransaction } from "./TransactionResource.ts"

/** A transaction as it stands after the change, and the change. */
export interface Moved {
  readonly transaction: StoredOutgoing
  readonly changes: Changes.Changes
}

/** What every change needs: the operation's identifiers and time, and the account that pays. */
export interface Place {
  readonly ids: IdSource
  readonly now: number
  readonly source: Stored<"InternalAccount">
  /** What its owner owes in its currency. */
  readonly owed: Postings.Owed
}

/** What the start of a payment needs of it. */
type Start = Omit<Place, "owed">

type Trigger = (typeof OutgoingMachine.triggers)[number]
type NewTransaction = Omit<OutgoingTransaction, "type" | "status" | "direction" | "reference">

/** One arrow, taken: the record after it, what it tells, and what it moves in the books. */
interface Step {
  readonly data: OutgoingTransaction
  readonly emits: ReadonlyArray<EventType>
  readonly post?: (moved: Postings.Movement, owed: Postings.Owed) => Changes.Changes
}
type Stepping = (data: OutgoingTransaction) => Step

/** Whether the transaction can still take this arrow. */
export const can = (data: OutgoingTransaction, on: Trigger): boolean => OutgoingMachine.step(data.status, on).moved

/** Whether the rail's word on the payment is still awaited: nothing of it is on its way back. */
export const isUnderWay = ({ refund, status }: OutgoingTransaction): boolean =>
  refund === undefined && (status === "PENDING" || status === "PROCESSING")

const status =
  (on: Trigger, patch: Partial<OutgoingTransaction> = {}, post?: Step["post"]): Stepping =>
  (data) => {
    const step = OutgoingMachine.step(data.status, on)
    if (!step.moved) throw new Error(`an outgoing transaction does not move from ${data.status} on ${on}`)
    return { data: { ...data, ...patch, status: step.to }, emits: step.emits, ...(post === undefined ? {} : { post }) }
  }

const begin: Stepping = (data) =>
  data.status === "PROCESSING" ? { data, emits: [] } : status("Begin", {}, Postings.send)(data)

const refundBegins =
  (id: string, initiatedAt: number, reason: RefundReason): Stepping =>
  (data) => {
    const step = RefundMachine.step(data.refund?.status ?? null, "Begin")
    if (!step.moved) throw new Error(`${id} is refunded already`)
    const refund = { reference: referenceOf("R", id), initiatedAt, status: step.to, reason }
    return { data: { ...data, refund }, emits: step.emits }
  }

const refundEnds =
  (on: "Complete" | "Fail", settledAt: number): Stepping =>
  (data) => {
    const step = RefundMachine.step(data.refund?.status ?? null, on)
    if (!step.moved || data.refund === undefined) throw new Error(`there is no refund to ${on}`)
    const refund = { ...data.refund, status: step.to, ...(on === "Complete" ? { settledAt } : {}) }
    return on === "Complete"
      ? { data: { ...data, refund }, emits: step.emits, post: Postings.refund }
      : { data: { ...data, refund, isUnapplied: true }, emits: step.emits, post: Postings.strand }
  }

/** Of a payment that was called back while it was processing: its refund was the last thing missing. */
const concluded =
  (on: "Conclude" | "Fail", patch: Partial<OutgoingTransaction> = {}): Stepping =>
  (data) =>
    data.status === "PROCESSING" ? status(on, patch)(data) : { data, emits: [] }

const toldOf = ({ ids, now }: Start, stored: StoredOutgoing, emits: ReadonlyArray<EventType>) =>
  emits.map((type) =>
    announce(ids, now, {
      type,
      customerId: stored.customerId,
      subject: stored.id,
      data: plain(toOutgoingTransaction(stored)),
    }),
  )

/** Takes several arrows in one commit: each is told as the record then was, the balances once. */
const follow = (place: Place, stored: StoredOutgoing, ...steps: ReadonlyArray<Stepping>): Moved => {
  let transaction = stored
  const parts: Array<Changes.Changes> = []
  const moved: Postings.Movement = { account: place.source, amount: stored.data.amount, reference: stored.id }
  for (const stepping of steps) {
    const { data, emits, post } = stepping(transaction.data)
    transaction = { ...Changes.after(stored, data, place.now), data }
    parts.push(...toldOf(place, transaction, emits))
    if (post !== undefined) parts.push(post(moved, place.owed))
  }
  const isTold = parts.some((part) => part.transfers?.some(({ from, to }) => isOf(place.source, from, to)) === true)
  return {
    transaction,
    changes: Changes.combine(
      Changes.update(stored, transaction.data),
      ...parts,
      isTold ? Postings.balanceTold(place.ids, place.now, place.source) : undefined,
    ),
  }
}

/** Whether a balance that the account shows changes. */
const isOf = ({ id }: Stored<"InternalAccount">, ...accounts: ReadonlyArray<string>) =>
  accounts.some((account) => account.endsWith(id))

const jobOf = (ids: IdSource, kind: JobKind, { customerId, data, id }: StoredOutgoing, dueAt: number) =>
  job(ids, kind, {
    customerId,
    dueAt,
    lane: `${kind}:${id}`,
    payload: { transactionId: id, accountId: data.destinationAccountId },
  })

/** The job that asks the rail about a push. */
export const pushJob = (ids: IdSource, stored: StoredOutgoing, dueAt: number) =>
  jobOf(ids, "transfer.push", stored, dueAt)
/** The job that asks the rail whether the money is back. */
export const refundJob = (ids: IdSource, stored: StoredOutgoing, dueAt: number) =>
  jobOf(ids, "transfer.refund", stored, dueAt)

const timelineOf = (rail: PaymentRail | undefined): Pick<OutgoingTransaction, "settlementTimelineSeconds"> =>
  rail === undefined ? {} : { settlementTimelineSeconds: PaymentRails.get(rail).settlementSeconds }

/** A push begins: the record is `PENDING`, its money is held, and a job asks the rail. */
export const startPush = (place: Start, details: NewTransaction): Moved => {
  const { ids, now, source } = place
  const id = ids("Transaction")
  const data: OutgoingTransaction = {
    type: "OUTGOING",
    status: OutgoingMachine.follow(null, "Create"),
    direction: "DEBIT",
    reference: referenceOf("P", id),
    ...timelineOf(details.externalAccount?.rail),
    ...details,
  }
  const transaction = { ...Changes.born("Transaction", id, source, data, now), data }
  const created = OutgoingMachine.step(null, "Create")
  return {
    transaction,
    changes: Changes.combine(
      Changes.insert("Transaction", id, source, data),
      ...toldOf(place, transaction, created.moved ? created.emits : []),
      Postings.hold({ account: source, amount: data.amount, reference: id }),
      Postings.balanceTold(ids, now, source),
      { jobs: [pushJob(ids, transaction, now)] },
    ),
  }
}

/** The rail has begun and does not know the end yet. */
export const processing = (place: Place, stored: StoredOutgoing): Moved => follow(place, stored, begin)

export const delivered = (place: Place, stored: StoredOutgoing): Moved =>
  follow(place, stored, begin, status("Deliver", { settledAt: place.now }, Postings.deliver))

const withRefund = (place: Place, moved: Moved): Moved => ({
  transaction: moved.transaction,
  changes: Changes.combine(moved.changes, { jobs: [refundJob(place.ids, moved.transaction, place.now)] }),
})

/**
 * The rail refused, or returned before it had delivered: the money begins its way back. Where no rail was asked, as its
 * account stopped being active before, the money is back at once.
 */
export const failed = (
  place: Place,
  stored: StoredOutgoing,
  failureReason: OutgoingFailureReason,
  refund: RefundReason,
): Moved => {
  const steps = [begin, status("Fail", { failureReason }), refundBegins(stored.id, place.now, refund)]
  return stored.data.submittedAt === undefined
    ? follow(place, stored, ...steps, refundEnds("Complete", place.now))
    : withRefund(place, follow(place, stored, ...steps))
}

/** The receiving bank returned what was delivered. */
export const returned = (place: Place, stored: StoredOutgoing): Moved =>
  withRefund(
    place,
    follow(
      place,
      stored,
      status("Return", { failureReason: "PAYOUT_RETURNED" }, Postings.comeBack),
      refundBegins(stored.id, place.now, "TRANSACTION_FAILED"),
    ),
  )

/** Called back. What no rail was asked for is back at once; otherwise the rail says when. */
export const cancelled = (place: Place, stored: StoredOutgoing): Moved => {
  const back = refundBegins(stored.id, place.now, "USER_CANCELLATION")
  return stored.data.submittedAt === undefined
    ? follow(place, stored, begin, back, refundEnds("Complete", place.now), concluded("Conclude"))
    : withRefund(place, follow(place, stored, begin, back))
}

/** The money is back in the account. */
export const refunded = (place: Place, stored: StoredOutgoing): Moved =>
  follow(place, stored, refundEnds("Complete", place.now), concluded("Conclude"))

/** The money does not come back, or its account cannot take it: it waits for a person. */
export const refundFailed = (place: Place, stored: StoredOutgoing): Moved =>
  follow(place, stored, refundEnds("Fail", place.now), concluded("Fail", { failureReason: "QUOTE_EXECUTION_FAILED" }))
