/**
 * The steps of an outgoing transaction: each arrow of its machine and of its refund's with what it tells and moves in the books,
 * and several of them in one commit. A quote moves in step with its transaction.
 * Source: wire contract 5.5 and 5.7 (event sequences); D-091, D-120.
 */

import type { IdSource } from "../../foundation/ids/IdPool.ts"
import type { PaymentRail } from "../../model/account/AccountTypeRow.ts"
import type { EventType } from "../../model/event/EventTypes.ts"
import type { Quote } from "../../model/quote/Quote.ts"
import { QuoteMachine } from "../../model/quote/QuoteMachine.ts"
import type { Owner } from "../../model/record/Record.ts"
import { OutgoingMachine } from "../../model/transaction/OutgoingMachine.ts"
import { PaymentRails } from "../../model/transaction/PaymentRails.ts"
import { RefundMachine } from "../../model/transaction/RefundMachine.ts"
import { type OutgoingTransaction, type RefundReason, referenceOf } from "../../model/transaction/Transaction.ts"
import { type StoredOutgoing, toOutgoingTransaction } from "../../model/transaction/TransactionResource.ts"
import type { Stored } from "../../store/ChangeSet.ts"
import * as Changes from "../../store/Changes.ts"
import { type JobKind, job } from "../../store/JobKinds.ts"
import { withoutPlaceholders } from "../../store/Placeholders.ts"
import { newEvent } from "../event/NewEvent.ts"
import * as Postings from "../ledger/PostingChanges.ts"
import * as Exchanges from "./ExchangeChanges.ts"

/** A transaction as it stands after the change, its quote, and the change. */
export interface TransitionResult {
  readonly transaction: StoredOutgoing
  readonly quote?: Stored<"Quote">
  readonly changes: Changes.Changes
}

/** What every change needs: the operation's identifiers and time, and the records that move with the transaction. */
export interface DecisionScope {
  readonly ids: IdSource
  readonly now: number
  /** The account that pays, or takes what comes back; absent: that is outside. */
  readonly source: Stored<"InternalAccount"> | undefined
  /** What the owner of that account owes in its currency; nothing when absent. */
  readonly owed?: Postings.Owed
  /** The account that receives, where it is an internal one. */
  readonly receiver?: Stored<"InternalAccount"> | undefined
  /** What the owner of that one owes in its currency; nothing when absent. */
  readonly receiverOwed?: Postings.Owed
  /** The quote that the transaction executes: it moves in step. */
  readonly quote?: Stored<"Quote"> | undefined
  /** The quote as it is to be, but for its status; absent: only that changes. */
  readonly quoteData?: Quote | undefined
}

type Trigger = (typeof OutgoingMachine.triggers)[number]
export type NewTransaction = Omit<OutgoingTransaction, "type" | "status" | "direction">

/** What an arrow moves in the books, by the name of the posting. */
type Posting = "send" | "deliver" | "comeBack" | "refund" | "strand"

/** One arrow, taken: the record after it, its trigger where the status changes, what it tells, and what it moves. */
interface Step {
  readonly data: OutgoingTransaction
  readonly on?: Trigger
  readonly emits: ReadonlyArray<EventType>
  readonly post?: Posting | undefined
}
export type Transition = (data: OutgoingTransaction) => Step

/** Whether the transaction can still take this arrow. */
export const can = (data: OutgoingTransaction, on: Trigger): boolean => OutgoingMachine.step(data.status, on).moved

/** Whether the rail's word on the payment is still awaited: its money is there, and nothing of it is on its way back. */
export const isUnderWay = ({ exchange, refund, status }: OutgoingTransaction): boolean =>
  refund === undefined &&
  (status === "PROCESSING" || (status === "PENDING" && exchange === undefined)) &&
  (exchange === undefined || exchange.fundedAt !== undefined)

export const status =
  (on: Trigger, patch: Partial<OutgoingTransaction> = {}, post?: Step["post"]): Transition =>
  (data) => {
    const step = OutgoingMachine.step(data.status, on)
    if (!step.moved) throw new Error(`an outgoing transaction does not move from ${data.status} on ${on}`)
    return { data: { ...data, ...patch, status: step.to }, on, emits: step.emits, post }
  }

export const begin: Transition = (data) =>
  data.status === "PROCESSING" ? { data, emits: [] } : status("Begin", {}, "send")(data)

/** The money of a quote is there: it is exchanged, unless it is another amount. */
export const funded =
  (fundedAt: number, mismatch?: number): Transition =>
  (data) => {
    if (data.exchange === undefined) throw new Error("a transfer without a quote is not funded")
    const exchange = { ...data.exchange, fundedAt, ...(mismatch === undefined ? {} : { mismatch }) }
    return { data: { ...data, exchange }, emits: [], post: "send" }
  }

export const refundBegins =
  (id: string, initiatedAt: number, reason: RefundReason): Transition =>
  (data) => {
    const step = RefundMachine.step(data.refund?.status ?? null, "Begin")
    if (!step.moved) throw new Error(`${id} is refunded already`)
    const refund = { reference: referenceOf("R", id), initiatedAt, status: step.to, reason }
    return { data: { ...data, refund }, emits: step.emits }
  }

export const refundEnds =
  (on: "Complete" | "Fail", settledAt: number): Transition =>
  (data) => {
    const step = RefundMachine.step(data.refund?.status ?? null, on)
    if (!step.moved || data.refund === undefined) throw new Error(`there is no refund to ${on}`)
    const refund = { ...data.refund, status: step.to, ...(on === "Complete" ? { settledAt } : {}) }
    return on === "Complete"
      ? { data: { ...data, refund }, emits: step.emits, post: "refund" }
      : { data: { ...data, refund, isUnapplied: true }, emits: step.emits, post: "strand" }
  }

/** Of a payment that was called back while it was processing: its refund was the last thing missing. */
export const concluded =
  (on: "Conclude" | "Fail", patch: Partial<OutgoingTransaction> = {}): Transition =>
  (data) =>
    data.status === "PROCESSING" ? status(on, patch)(data) : { data, emits: [] }

const toldOf = ({ ids, now }: DecisionScope, stored: StoredOutgoing, emits: ReadonlyArray<EventType>) =>
  emits.map((type) =>
    newEvent(ids, now, {
      type,
      customerId: stored.customerId,
      subject: stored.id,
      data: withoutPlaceholders(toOutgoingTransaction(stored)),
    }),
  )

/** The postings of a payment: those of a transfer, or those of an exchange. */
const booksOf = (place: DecisionScope, { data, ...stored }: StoredOutgoing): Record<Posting, () => Changes.Changes> => {
  const { owed = Postings.nothingOwed, receiver, receiverOwed = Postings.nothingOwed, source } = place
  const { amount, currency, exchange } = data
  if (exchange === undefined) {
    if (source === undefined) throw new Error(`${stored.id} has no account that pays`)
    const moved: Postings.Movement = { account: source, amount, reference: stored.id }
    return {
      send: () => Postings.send(moved),
      deliver: () => Postings.deliver(moved),
      comeBack: () => Postings.comeBack(moved),
      refund: () => Postings.refund(moved, owed),
      strand: () => Postings.strand(moved),
    }
  }
  const sent = { amount, currency }
  const parties = { account: source, owed, receiver, receiverOwed }
  const moved: Exchanges.Exchanging = { owner: stored, reference: stored.id, sent, exchange, ...parties }
  const isMismatch = exchange.mismatch !== undefined
  return {
    send: () => (isMismatch ? Exchanges.sendMismatch(moved) : Exchanges.send(moved)),
    deliver: () => Exchanges.deliver(moved),
    comeBack: () => Exchanges.comeBack(moved),
    refund: () => (isMismatch ? Exchanges.refundMismatch(moved) : Exchanges.refund(moved)),
    strand: () => (isMismatch ? Exchanges.strandMismatch(moved) : Exchanges.strand(moved)),
  }
}

/** The quote after the same arrow. */
const inStep = (quote: Stored<"Quote">, on: Trigger, now: number): Stored<"Quote"> => ({
  ...quote,
  updatedAt: now,
  data: { ...quote.data, status: QuoteMachine.follow(quote.data.status, on) },
})

/** Whether a balance that the account shows changes. */
const isOf = ({ id }: Stored<"InternalAccount">, ...accounts: ReadonlyArray<string>) =>
  accounts.some((account) => account.endsWith(id))

/** The balances of the internal accounts that parts of a change touch, each once. */
const balancesTold = ({ ids, now, receiver, source }: DecisionScope, parts: ReadonlyArray<Changes.Changes>) =>
  [source, receiver].flatMap((account) =>
    account !== undefined &&
    parts.some((part) => part.transfers?.some(({ from, to }) => isOf(account, from, to)) === true)
      ? [Postings.balanceEvent(ids, now, account)]
      : [],
  )

/** The records after several arrows of one commit, and what these tell and move: each arrow is told as the record then was. */
export const taken = (place: DecisionScope, stored: StoredOutgoing, steps: ReadonlyArray<Transition>) => {
  let transaction = stored
  let quote = place.quote && place.quoteData ? { ...place.quote, data: place.quoteData } : place.quote
  const parts: Array<Changes.Changes> = []
  for (const stepping of steps) {
    const { data, emits, on, post } = stepping(transaction.data)
    transaction = { ...transaction, updatedAt: place.now, data }
    if (on !== undefined && quote !== undefined) quote = inStep(quote, on, place.now)
    parts.push(...toldOf(place, transaction, emits))
    if (post !== undefined) parts.push(booksOf(place, transaction)[post]())
  }
  return { transaction, quote, changes: Changes.combine(...parts, ...balancesTold(place, parts)) }
}

/** Takes several arrows in one commit. */
export const follow = (
  place: DecisionScope,
  stored: StoredOutgoing,
  ...steps: ReadonlyArray<Transition>
): TransitionResult => {
  const { changes, quote, transaction } = taken(place, stored, steps)
  const isMoved = place.quote !== undefined && quote !== undefined && quote !== place.quote
  return {
    transaction: { ...transaction, version: stored.version + 1 },
    ...(quote === undefined ? {} : { quote }),
    changes: Changes.combine(
      Changes.update(stored, transaction.data),
      isMoved ? Changes.update(place.quote, quote.data) : undefined,
      changes,
    ),
  }
}

const jobOf = (ids: IdSource, kind: JobKind, { customerId, data, id }: StoredOutgoing, dueAt: number) =>
  job(ids, kind, {
    customerId,
    dueAt,
    lane: `${kind}:${id}`,
    payload: { transactionId: id, accountId: data.destinationAccountId },
  })

/** The job that asks the rail about a push; between internal accounts there is none, and the money arrives. */
export const pushJob = (ids: IdSource, stored: StoredOutgoing, dueAt: number) =>
  jobOf(ids, stored.data.exchange?.isInternal === true ? "quote.deliver" : "transfer.push", stored, dueAt)
/** The job that asks the rail whether the money is back. */
export const refundJob = (ids: IdSource, stored: StoredOutgoing, dueAt: number) =>
  jobOf(ids, "transfer.refund", stored, dueAt)

const timelineOf = (rail: PaymentRail | undefined): Pick<OutgoingTransaction, "settlementTimelineSeconds"> =>
  rail === undefined ? {} : { settlementTimelineSeconds: PaymentRails.get(rail).settlementSeconds }

export const insertedTransaction = (
  { ids, now }: DecisionScope,
  owner: Owner,
  details: NewTransaction,
): StoredOutgoing => {
  const id = ids("Transaction")
  const data: OutgoingTransaction = {
    type: "OUTGOING",
    status: OutgoingMachine.follow(null, "Create"),
    direction: "DEBIT",
    reference: referenceOf("P", id),
    ...timelineOf(details.externalAccount?.rail),
    ...details,
  }
  return { ...Changes.insertedRecord("Transaction", id, owner, data, now), data }
}

export const createdEvents = (place: DecisionScope, transaction: StoredOutgoing) => {
  const created = OutgoingMachine.step(null, "Create")
  return toldOf(place, transaction, created.moved ? created.emits : [])
}
