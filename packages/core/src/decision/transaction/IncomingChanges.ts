/**
 * What an incoming transaction changes at each arrow of its machine: the record, the ledger, the events and the next job.
 * Source: wire contract 5.6, 5.7, 6.1, 6.3 and 7.2.
 */

import type { IdSource } from "../../foundation/ids/IdPool.ts"
import type { Json } from "../../foundation/kit/CanonicalJson.ts"
import { IncomingMachine } from "../../model/transaction/IncomingMachine.ts"
import {
  type IncomingFailureReason,
  type IncomingTransaction,
  referenceOf,
} from "../../model/transaction/Transaction.ts"
import { type StoredIncoming, toIncomingTransaction } from "../../model/transaction/TransactionResource.ts"
import type { NewJob, Stored } from "../../store/ChangeSet.ts"
import * as Changes from "../../store/Changes.ts"
import { type JobKind, job } from "../../store/JobKinds.ts"
import { withoutPlaceholders } from "../../store/Placeholders.ts"
import { newEvent } from "../event/NewEvent.ts"
import * as Postings from "../ledger/PostingChanges.ts"

/** A transaction as it stands after the change, and the change. */
export interface TransitionResult {
  readonly transaction: StoredIncoming
  readonly changes: Changes.Changes
}

type Trigger = (typeof IncomingMachine.triggers)[number]
type NewTransaction = Omit<IncomingTransaction, "type" | "status" | "direction" | "reference">

const stateOf = ({ status }: IncomingTransaction) => IncomingMachine.states.find((name) => name === status) ?? null

/** Whether the transaction can still take this arrow. */
export const can = (data: IncomingTransaction, on: Trigger): boolean => IncomingMachine.step(stateOf(data), on).moved

interface Telling {
  /** Which job delivers the event, where it is not the one of all events. */
  readonly by?: JobKind
  /** What the event shows beside the record. */
  readonly more?: { readonly [name: string]: Json }
}

const told = (
  ids: IdSource,
  now: number,
  from: (typeof IncomingMachine.states)[number] | null,
  on: Trigger,
  after: StoredIncoming,
  { by, more }: Telling = {},
) => {
  const step = IncomingMachine.step(from, on)
  if (!step.moved) throw new Error(`an incoming transaction does not move from ${from ?? "(none)"} on ${on}`)
  return Changes.combine(
    ...step.emits.map((type) =>
      newEvent(ids, now, {
        type,
        customerId: after.customerId,
        subject: after.id,
        data: withoutPlaceholders({ ...toIncomingTransaction(after), ...more }),
        ...(by === undefined ? {} : { job: by }),
      }),
    ),
  )
}

const open = (
  ids: IdSource,
  now: number,
  destination: Stored<"InternalAccount">,
  on: "Pull" | "Fund" | "Receive",
  details: NewTransaction,
  telling?: Telling,
): TransitionResult => {
  const id = ids("Transaction")
  const data: IncomingTransaction = {
    type: "INCOMING",
    status: IncomingMachine.follow(null, on),
    direction: "CREDIT",
    reference: referenceOf("P", id),
    ...details,
  }
  const transaction = { ...Changes.insertedRecord("Transaction", id, destination, data, now), data }
  return {
    transaction,
    changes: Changes.combine(
      Changes.insert("Transaction", id, destination, data),
      told(ids, now, null, on, transaction, telling),
    ),
  }
}

/** The job that asks the rail about a pull. */
export const pullJob = (ids: IdSource, { customerId, data, id }: StoredIncoming, dueAt: number) =>
  job(ids, "transfer.pull", {
    customerId,
    dueAt,
    lane: `pull:${id}`,
    payload: { transactionId: id, ...(data.sourceAccountId === undefined ? {} : { accountId: data.sourceAccountId }) },
  })

/** A pull begins: the record is `PENDING`, and a job asks the rail. */
export const startPull = (
  ids: IdSource,
  now: number,
  destination: Stored<"InternalAccount">,
  details: NewTransaction,
): TransitionResult => {
  const { changes, transaction } = open(ids, now, destination, "Pull", details)
  return { transaction, changes: Changes.combine(changes, { jobs: [pullJob(ids, transaction, now)] }) }
}

/** A payment arrives over a rail that asks: the event is the question, and its answer the decision. */
export const receive = (
  ids: IdSource,
  now: number,
  destination: Stored<"InternalAccount">,
  details: NewTransaction,
): TransitionResult =>
  open(ids, now, destination, "Receive", details, {
    by: "payment.question",
    more: {
      requestedReceiverCustomerInfoFields: (details.approval?.requestedFields ?? []).map((field) => ({ ...field })),
    },
  })

/** The account that money enters, and what its owner owes in its currency. */
export interface Receiver {
  readonly account: Stored<"InternalAccount">
  readonly owed: Postings.Owed
}

const credited = (ids: IdSource, now: number, { account, owed }: Receiver, { data, id }: StoredIncoming) =>
  Changes.combine(
    Postings.credit({ account, amount: data.amount, reference: id }, owed),
    Postings.balanceEvent(ids, now, account),
  )

/** The sandbox puts money into an account: complete at once. */
export const fund = (ids: IdSource, now: number, receiver: Receiver, details: NewTransaction): TransitionResult => {
  const { changes, transaction } = open(ids, now, receiver.account, "Fund", { ...details, settledAt: now })
  return { transaction, changes: Changes.combine(changes, credited(ids, now, receiver, transaction)) }
}

const move = (
  ids: IdSource,
  now: number,
  stored: StoredIncoming,
  on: Trigger,
  patch: Partial<IncomingTransaction>,
): TransitionResult => {
  const state = stateOf(stored.data)
  const data: IncomingTransaction = { ...stored.data, ...patch, status: IncomingMachine.follow(state, on) }
  const transaction = { ...Changes.after(stored, data, now), data }
  return {
    transaction,
    changes: Changes.combine(Changes.update(stored, data), told(ids, now, state, on, transaction)),
  }
}

/** The money is in the account. */
export const settle = (
  ids: IdSource,
  now: number,
  stored: StoredIncoming,
  receiver: Receiver,
  patch: Partial<IncomingTransaction> = {},
): TransitionResult => {
  const { changes, transaction } = move(ids, now, stored, "Settle", { ...patch, settledAt: now })
  return { transaction, changes: Changes.combine(changes, credited(ids, now, receiver, transaction)) }
}

/** The rail delivered what the account cannot take: the transaction fails, and its money is on the books, unapplied. */
export const setAside = (
  ids: IdSource,
  now: number,
  stored: StoredIncoming,
  destination: Stored<"InternalAccount">,
): TransitionResult => {
  const failed = fail(ids, now, stored, "COLLECTION_FAILED", { isUnapplied: true })
  const aside = Postings.setAside({ account: destination, amount: stored.data.amount, reference: stored.id })
  return { ...failed, changes: Changes.combine(failed.changes, aside) }
}

/** Nothing came: the rail refused, or somebody called the pull back. */
export const fail = (
  ids: IdSource,
  now: number,
  stored: StoredIncoming,
  failureReason: IncomingFailureReason,
  patch: Partial<IncomingTransaction> = {},
): TransitionResult => move(ids, now, stored, "Fail", { ...patch, failureReason })

/** The platform does not take the payment, or did not say in time. */
export const reject = (
  ids: IdSource,
  now: number,
  stored: StoredIncoming,
  patch: Partial<IncomingTransaction>,
): TransitionResult => move(ids, now, stored, "Reject", patch)

/** The platform decides later: until then nothing moves. */
export const wait = (
  stored: StoredIncoming,
  now: number,
  { approval, job: timeOut }: { readonly approval: NonNullable<IncomingTransaction["approval"]>; readonly job: NewJob },
): TransitionResult => {
  const data: IncomingTransaction = { ...stored.data, approval }
  return {
    transaction: { ...Changes.after(stored, data, now), data },
    changes: Changes.combine(Changes.update(stored, data), { jobs: [timeOut] }),
  }
}

/** The payer's bank took a completed pull back. */
export const takeBack = (
  ids: IdSource,
  now: number,
  stored: StoredIncoming,
  account: Stored<"InternalAccount">,
  available: { readonly balance: number; readonly sequence: number },
): TransitionResult => {
  const { changes, transaction } = move(ids, now, stored, "Return", { failureReason: "COLLECTION_FAILED" })
  return {
    transaction,
    changes: Changes.combine(
      changes,
      Postings.takeBack({ account, amount: stored.data.amount, reference: stored.id }, available),
      Postings.balanceEvent(ids, now, account),
    ),
  }
}
