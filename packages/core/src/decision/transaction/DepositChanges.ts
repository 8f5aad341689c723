/**
 * The life of a deposit as changes: credited, held, released, refused and given back. Held money is in the account's held balance until
 * it is the owner's or has gone back.
 * Source: wire contract areas 2.7, 2.8 and 2.13; D-398, D-399, D-415.
 */
import type { IdSource } from "../../foundation/ids/IdPool.ts"
import type { TriggerOf } from "../../foundation/kit/Machine.ts"
import { depositHoldMillis, type PendingReason } from "../../model/account/Deposit.ts"
import { fundingReference } from "../../model/account/FundingReference.ts"
import { endsByDeclaration } from "../../model/account/WalletDeclaration.ts"
import { IncomingMachine } from "../../model/transaction/IncomingMachine.ts"
import { IncomingRefundMachine } from "../../model/transaction/IncomingRefundMachine.ts"
import {
  type IncomingFailureReason,
  type IncomingTransaction,
  paymentReference,
  type Refund,
} from "../../model/transaction/Transaction.ts"
import type { StoredIncoming } from "../../model/transaction/TransactionResource.ts"
import type { DepositVerdict } from "../../ports/DepositScreening.ts"
import type { Stored } from "../../store/ChangeSet.ts"
import * as Changes from "../../store/Changes.ts"
import { type JobKind, job } from "../../store/JobKinds.ts"
import * as Postings from "../ledger/PostingChanges.ts"
import { type CreditedAccount, incomingEvents, type TransitionResult, transitionEvents } from "./IncomingChanges.ts"

type Account = Stored<"InternalAccount">

/** A deposit as it arrives. */
export interface NewDeposit {
  readonly id: string
  readonly details: Omit<IncomingTransaction, "type" | "status" | "direction" | "reference" | "destinationAccountId">
  readonly verdict: DepositVerdict
}

const movement = (account: Account, { data, id }: StoredIncoming): Postings.Movement => ({
  account,
  amount: data.amount,
  reference: id,
})

const depositJob = (ids: IdSource, kind: JobKind, { customerId, id }: StoredIncoming, dueAt: number) =>
  job(ids, kind, { customerId, dueAt, lane: `${kind}:${id}`, payload: { transactionId: id } })

/** The job that asks the rail about a held deposit. */
export const askJob = (ids: IdSource, stored: StoredIncoming, dueAt: number) =>
  depositJob(ids, "deposit.ask", stored, dueAt)

/** The job that screens a held deposit again. */
export const screenJob = (ids: IdSource, stored: StoredIncoming, dueAt: number) =>
  depositJob(ids, "deposit.screen", stored, dueAt)

/** The jobs of a hold: the rail is asked when the screening says so. */
const askJobs = (ids: IdSource, stored: StoredIncoming, askAgainAt: number | undefined) =>
  askAgainAt === undefined ? [] : [askJob(ids, stored, askAgainAt)]

/** The job that gives the money back. */
export const depositRefundJob = (ids: IdSource, stored: StoredIncoming, dueAt: number) =>
  depositJob(ids, "deposit.refund", stored, dueAt)

/** The transaction after a transition of its refund, with the events. */
const withRefund = (
  ids: IdSource,
  now: number,
  stored: StoredIncoming,
  trigger: TriggerOf<typeof IncomingRefundMachine>,
  patch: Partial<Refund> = {},
) => {
  const { refund } = stored.data
  const { emits, state } = IncomingRefundMachine.follow(refund?.status ?? null, trigger)
  const begun: Refund = refund ?? {
    reference: paymentReference("R", stored.id),
    initiatedAt: now,
    status: state,
    reason: "TRANSACTION_FAILED",
  }
  const status =
    trigger === "Complete" ? IncomingMachine.follow(stored.data.status, "Refund").state : stored.data.status
  const transaction = { ...stored, data: { ...stored.data, status, refund: { ...begun, ...patch, status: state } } }
  return { transaction, changes: incomingEvents(ids, now, emits, transaction) }
}

/** The transaction with the beginning of its refund. */
const givingBack = (ids: IdSource, now: number, failed: StoredIncoming): TransitionResult => {
  const { changes, transaction } = withRefund(ids, now, failed, "Begin")
  return { transaction, changes: Changes.combine(changes, { jobs: [depositRefundJob(ids, transaction, now)] }) }
}

const inserted = (
  now: number,
  account: Account,
  { details, id }: NewDeposit,
  trigger: "Fund" | "Hold" | "Refuse",
  patch: Partial<IncomingTransaction>,
): StoredIncoming => {
  const data: IncomingTransaction = {
    type: "INCOMING",
    status: IncomingMachine.follow(null, trigger).state,
    direction: "CREDIT",
    reference: fundingReference(account.id),
    destinationAccountId: account.id,
    ...details,
    ...patch,
  }
  return { ...Changes.insertedRecord("Transaction", id, account, data, now), data }
}

/** Credits a deposit, holds it, or holds it and begins to give it back. */
export const arrive = (
  ids: IdSource,
  now: number,
  { account, receivable }: CreditedAccount,
  deposit: NewDeposit,
): TransitionResult => {
  const { verdict } = deposit
  const insert = ({ data, id }: StoredIncoming) => Changes.insert("Transaction", id, account, data)
  const balance = Postings.balanceEvent(ids, now, account)
  switch (verdict._tag) {
    case "Clear": {
      const transaction = inserted(now, account, deposit, "Fund", { settledAt: now })
      return {
        transaction,
        changes: Changes.combine(
          insert(transaction),
          transitionEvents(ids, now, null, "Fund", transaction),
          Postings.credit(movement(account, transaction), receivable),
          balance,
        ),
      }
    }
    case "Hold": {
      const transaction = inserted(now, account, deposit, "Hold", { pendingReason: verdict.reason })
      const asks = askJobs(ids, transaction, verdict.askAgainAt)
      // The wallet may have been declared between the screening and this commit.
      const screens = endsByDeclaration(verdict.reason) ? [screenJob(ids, transaction, now)] : []
      return {
        transaction,
        changes: Changes.combine(
          insert(transaction),
          transitionEvents(ids, now, null, "Hold", transaction),
          Postings.creditToHeld(movement(account, transaction)),
          balance,
          { jobs: [...asks, ...screens, depositJob(ids, "deposit.expire", transaction, now + depositHoldMillis)] },
        ),
      }
    }
    case "Refuse": {
      const failed = inserted(now, account, deposit, "Refuse", { failureReason: verdict.reason })
      const events = transitionEvents(ids, now, null, "Refuse", failed)
      const { changes, transaction } = givingBack(ids, now, failed)
      const posting = Postings.creditToHeld(movement(account, transaction))
      return { transaction, changes: Changes.combine(insert(transaction), events, changes, posting, balance) }
    }
  }
}

/** The transaction without the reason for which it waited. */
const notWaiting = (stored: StoredIncoming): StoredIncoming => {
  const { pendingReason: _, ...data } = stored.data
  return { ...stored, data }
}

const after = (
  stored: StoredIncoming,
  now: number,
  trigger: TriggerOf<typeof IncomingMachine>,
  patch: Partial<IncomingTransaction>,
): StoredIncoming => {
  const { status } = stored.data
  const data = { ...notWaiting(stored).data, ...patch, status: IncomingMachine.follow(status, trigger).state }
  return { ...Changes.after(stored, data, now), data }
}

/** The hold ends well: the account is credited. */
export const release = (
  ids: IdSource,
  now: number,
  stored: StoredIncoming,
  { account, receivable }: CreditedAccount,
): TransitionResult => {
  const transaction = after(stored, now, "Settle", { settledAt: now })
  return {
    transaction,
    changes: Changes.combine(
      Changes.update(stored, transaction.data),
      transitionEvents(ids, now, stored.data.status, "Settle", transaction),
      Postings.creditFromHeld(movement(account, transaction), receivable),
      Postings.balanceEvent(ids, now, account),
    ),
  }
}

/** The reason of the hold changes. */
export const holdFor = (
  ids: IdSource,
  now: number,
  stored: StoredIncoming,
  pendingReason: PendingReason,
  askAgainAt?: number,
): TransitionResult => {
  const transaction = after(stored, now, "Hold", { pendingReason })
  return {
    transaction,
    changes: Changes.combine(
      Changes.update(stored, transaction.data),
      transitionEvents(ids, now, stored.data.status, "Hold", transaction),
      { jobs: askJobs(ids, transaction, askAgainAt) },
    ),
  }
}

/** The deposit is refused: its refund begins, and its money stays held until then. */
export const refuse = (
  ids: IdSource,
  now: number,
  stored: StoredIncoming,
  failureReason: IncomingFailureReason,
): TransitionResult => {
  const failed = after(stored, now, "Fail", { failureReason })
  const events = transitionEvents(ids, now, stored.data.status, "Fail", failed)
  const { changes, transaction } = givingBack(ids, now, failed)
  return { transaction, changes: Changes.combine(Changes.update(stored, transaction.data), events, changes) }
}

/** The sender's bank took a held deposit back: nothing is left to refund. */
export const recall = (ids: IdSource, now: number, stored: StoredIncoming, account: Account): TransitionResult => {
  const transaction = after(stored, now, "Fail", { failureReason: "COLLECTION_FAILED" })
  return {
    transaction,
    changes: Changes.combine(
      Changes.update(stored, transaction.data),
      transitionEvents(ids, now, stored.data.status, "Fail", transaction),
      Postings.capture(movement(account, transaction)),
      Postings.balanceEvent(ids, now, account),
    ),
  }
}

const refunded = (
  ids: IdSource,
  now: number,
  stored: StoredIncoming,
  trigger: "Complete" | "Fail" | "Retry",
  patch: Partial<Refund> = {},
  data = stored.data,
): TransitionResult => {
  const { changes, transaction } = withRefund(ids, now, { ...stored, data }, trigger, patch)
  return {
    transaction: { ...Changes.after(stored, transaction.data, now), data: transaction.data },
    changes: Changes.combine(Changes.update(stored, transaction.data), changes),
  }
}

/** The money is back with its sender. */
export const completeRefund = (
  ids: IdSource,
  now: number,
  stored: StoredIncoming,
  account: Account,
): TransitionResult => {
  const result = refunded(ids, now, stored, "Complete", { settledAt: now })
  const postings = [Postings.capture(movement(account, stored)), Postings.balanceEvent(ids, now, account)]
  return { ...result, changes: Changes.combine(result.changes, ...postings) }
}

/** The money cannot be given back: it stays held for a person. */
export const failRefund = (ids: IdSource, now: number, stored: StoredIncoming): TransitionResult =>
  refunded(ids, now, stored, "Fail", {}, { ...stored.data, isUnapplied: true })

/** An operator lets the rail be asked again. */
export const retryRefund = (ids: IdSource, now: number, stored: StoredIncoming): TransitionResult => {
  const { isUnapplied: _, ...data } = stored.data
  const result = refunded(ids, now, stored, "Retry", {}, data)
  return { ...result, changes: Changes.combine(result.changes, { jobs: [depositRefundJob(ids, stored, now)] }) }
}
