/**
 * The life of an incoming transaction as changes: the record, the ledger, the events and the next job of each transition.
 * Source: wire contract 5.6, 5.7, 6.1, 6.3 and 7.2.
 */

import type { IdSource } from "../../foundation/ids/IdPool.ts"
import type { Json } from "../../foundation/kit/CanonicalJson.ts"
import type { TriggerOf } from "../../foundation/kit/Machine.ts"
import { fundingReference } from "../../model/account/FundingReference.ts"
import type { EventType } from "../../model/event/EventTypes.ts"
import { IncomingMachine } from "../../model/transaction/IncomingMachine.ts"
import {
  type IncomingFailureReason,
  type IncomingTransaction,
  paymentReference,
} from "../../model/transaction/Transaction.ts"
import { type StoredIncoming, toIncomingTransaction } from "../../model/transaction/TransactionResource.ts"
import type { NewJob, Stored } from "../../store/ChangeSet.ts"
import * as Changes from "../../store/Changes.ts"
import { type JobKind, job } from "../../store/JobKinds.ts"
import { withoutPlaceholders } from "../../store/Placeholders.ts"
import { newEvent } from "../event/NewEvent.ts"
import * as Postings from "../ledger/PostingChanges.ts"

/** The transaction after the change, and the change. */
export interface TransitionResult {
  readonly transaction: StoredIncoming
  readonly changes: Changes.Changes
}

type Trigger = TriggerOf<typeof IncomingMachine>
type NewTransaction = Omit<IncomingTransaction, "type" | "status" | "direction" | "reference">

/** Whether the machine has an arrow for this trigger from the present status. */
export const canTake = (data: IncomingTransaction, trigger: Trigger): boolean =>
  IncomingMachine.allows(data.status, trigger)

interface EventOptions {
  /** The job that delivers the event; absent: the default delivery job. */
  readonly deliveryJob?: JobKind
  /** Fields of the event's data beside those of the transaction. */
  readonly extraData?: { readonly [name: string]: Json }
}

/** Events with the transaction as it is after a transition. */
export const incomingEvents = (
  ids: IdSource,
  now: number,
  emits: ReadonlyArray<EventType>,
  after: StoredIncoming,
  { deliveryJob, extraData }: EventOptions = {},
) =>
  Changes.combine(
    ...emits.map((type) =>
      newEvent(ids, now, {
        type,
        customerId: after.customerId,
        subject: after.id,
        data: withoutPlaceholders({ ...toIncomingTransaction(after), ...extraData }),
        ...(deliveryJob === undefined ? {} : { job: deliveryJob }),
      }),
    ),
  )

/** The events of one transition; a missing arrow is a defect. */
export const transitionEvents = (
  ids: IdSource,
  now: number,
  from: IncomingTransaction["status"] | null,
  trigger: Trigger,
  after: StoredIncoming,
  options: EventOptions = {},
) => incomingEvents(ids, now, IncomingMachine.follow(from, trigger).emits, after, options)

const insertTransaction = (
  ids: IdSource,
  now: number,
  destination: Stored<"InternalAccount">,
  trigger: "Pull" | "Receive",
  details: NewTransaction,
  options?: EventOptions,
): TransitionResult => {
  const id = ids("Transaction", destination.customerId)
  const data: IncomingTransaction = {
    type: "INCOMING",
    status: IncomingMachine.follow(null, trigger).state,
    direction: "CREDIT",
    reference: paymentReference("P", id),
    ...details,
  }
  const transaction = { ...Changes.insertedRecord("Transaction", id, destination, data, now), data }
  return {
    transaction,
    changes: Changes.combine(
      Changes.insert("Transaction", id, destination, data),
      transitionEvents(ids, now, null, trigger, transaction, options),
    ),
  }
}

const updateTransaction = (
  ids: IdSource,
  now: number,
  stored: StoredIncoming,
  trigger: Trigger,
  patch: Partial<IncomingTransaction>,
): TransitionResult => {
  const { status } = stored.data
  const data: IncomingTransaction = { ...stored.data, ...patch, status: IncomingMachine.follow(status, trigger).state }
  const transaction = { ...Changes.after(stored, data, now), data }
  return {
    transaction,
    changes: Changes.combine(Changes.update(stored, data), transitionEvents(ids, now, status, trigger, transaction)),
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

/** Starts a pull: the record is `PENDING`, and a job will ask the rail. */
export const startPull = (
  ids: IdSource,
  now: number,
  destination: Stored<"InternalAccount">,
  details: NewTransaction,
): TransitionResult => {
  const { changes, transaction } = insertTransaction(ids, now, destination, "Pull", details)
  return { transaction, changes: Changes.combine(changes, { jobs: [pullJob(ids, transaction, now)] }) }
}

/** Receives a payment that needs the platform's approval: the response to its event is the platform's decision. */
export const receive = (
  ids: IdSource,
  now: number,
  destination: Stored<"InternalAccount">,
  details: NewTransaction,
): TransitionResult =>
  insertTransaction(ids, now, destination, "Receive", details, {
    deliveryJob: "payment.question",
    extraData: {
      requestedReceiverCustomerInfoFields: (details.approval?.requestedFields ?? []).map((field) => ({ ...field })),
    },
  })

/** The account that is credited, and its owner's debt in its currency. */
export interface CreditedAccount {
  readonly account: Stored<"InternalAccount">
  readonly receivable: Postings.ReceivableBalance
}

const creditAccount = (
  ids: IdSource,
  now: number,
  { account, receivable }: CreditedAccount,
  { data, id }: StoredIncoming,
) =>
  Changes.combine(
    Postings.credit({ account, amount: data.amount, reference: id }, receivable),
    Postings.balanceEvent(ids, now, account),
  )

/** Settles the transaction: the account is credited. */
export const settle = (
  ids: IdSource,
  now: number,
  stored: StoredIncoming,
  credited: CreditedAccount,
  patch: Partial<IncomingTransaction> = {},
): TransitionResult => {
  const { changes, transaction } = updateTransaction(ids, now, stored, "Settle", { ...patch, settledAt: now })
  return { transaction, changes: Changes.combine(changes, creditAccount(ids, now, credited, transaction)) }
}

/** The rail delivered an amount that the account cannot accept: the transaction fails, and the money is unapplied. */
export const failUnapplied = (
  ids: IdSource,
  now: number,
  stored: StoredIncoming,
  destination: Stored<"InternalAccount">,
): TransitionResult => {
  const failed = fail(ids, now, stored, "COLLECTION_FAILED", { isUnapplied: true })
  const movement = { account: destination, amount: stored.data.amount, reference: stored.id }
  return { ...failed, changes: Changes.combine(failed.changes, Postings.creditToUnapplied(movement)) }
}

/** A deposit whose account cannot hold the amount: it fails, and its money is unapplied. */
export const failUnappliedDeposit = (
  ids: IdSource,
  now: number,
  account: Stored<"InternalAccount">,
  id: string,
  details: NewTransaction,
): TransitionResult => {
  const data: IncomingTransaction = {
    type: "INCOMING",
    status: IncomingMachine.follow(null, "Refuse").state,
    direction: "CREDIT",
    reference: fundingReference(account.id),
    ...details,
    failureReason: "COLLECTION_FAILED",
    isUnapplied: true,
  }
  const transaction = { ...Changes.insertedRecord("Transaction", id, account, data, now), data }
  return {
    transaction,
    changes: Changes.combine(
      Changes.insert("Transaction", id, account, data),
      transitionEvents(ids, now, null, "Refuse", transaction),
      Postings.creditToUnapplied({ account, amount: data.amount, reference: id }),
    ),
  }
}

/** No money was received: the rail refused, or the pull was cancelled. */
export const fail = (
  ids: IdSource,
  now: number,
  stored: StoredIncoming,
  failureReason: IncomingFailureReason,
  patch: Partial<IncomingTransaction> = {},
): TransitionResult => updateTransaction(ids, now, stored, "Fail", { ...patch, failureReason })

/** The platform rejected the payment, or did not decide in time. */
export const reject = (
  ids: IdSource,
  now: number,
  stored: StoredIncoming,
  patch: Partial<IncomingTransaction>,
): TransitionResult => updateTransaction(ids, now, stored, "Reject", patch)

/** The platform decides later: the status stays the same, and a job ends the time to decide. */
export const deferApproval = (
  stored: StoredIncoming,
  now: number,
  {
    approval,
    job: timeoutJob,
  }: { readonly approval: NonNullable<IncomingTransaction["approval"]>; readonly job: NewJob },
): TransitionResult => {
  const data: IncomingTransaction = { ...stored.data, approval }
  return {
    transaction: { ...Changes.after(stored, data, now), data },
    changes: Changes.combine(Changes.update(stored, data), { jobs: [timeoutJob] }),
  }
}

/** The payer's bank returned a completed pull. */
export const returnPull = (
  ids: IdSource,
  now: number,
  stored: StoredIncoming,
  account: Stored<"InternalAccount">,
  available: { readonly balance: number; readonly sequence: number },
): TransitionResult => {
  const patch = { failureReason: "COLLECTION_FAILED" } as const
  const { changes, transaction } = updateTransaction(ids, now, stored, "Return", patch)
  const posting = Postings.returnPull({ account, amount: stored.data.amount, reference: stored.id }, available)
  const balanceEvent = Postings.balanceEvent(ids, now, Postings.accountAfter(account, posting, now))
  return { transaction, changes: Changes.combine(changes, posting, balanceEvent) }
}
