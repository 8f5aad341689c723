/**
 * What an incoming transaction changes at each arrow of its machine: the record, the ledger, the events and the next job.
 * Source: wire contract 5.6, 5.7, 6.1 and 7.2.
 */
import { toInternalAccount } from "../account/InternalAccountResource.ts"
import { announce } from "../event/Announce.ts"
import type { IdSource } from "../ids/IdPool.ts"
import * as Ledger from "../ledger/LedgerAccounts.ts"
import * as Changes from "../operation/Changes.ts"
import { job } from "../operation/JobKinds.ts"
import type { Stored } from "../ports/ChangeSet.ts"
import { plain } from "../ports/Facts.ts"
import { IncomingMachine } from "./IncomingMachine.ts"
import type { IncomingFailureReason, Transaction } from "./Transaction.ts"
import { toIncomingTransaction } from "./TransactionResource.ts"

/** A transaction as it stands after the change, and the change. */
export interface Moved {
  readonly transaction: Stored<"Transaction">
  readonly changes: Changes.Changes
}

type Trigger = (typeof IncomingMachine.triggers)[number]
type NewTransaction = Omit<Transaction, "type" | "status" | "direction">

const told = (
  ids: IdSource,
  now: number,
  from: Transaction["status"] | null,
  on: Trigger,
  after: Stored<"Transaction">,
) => {
  const state = IncomingMachine.states.find((name) => name === from) ?? null
  const step = IncomingMachine.step(state, on)
  if (!step.moved) throw new Error(`an incoming transaction does not move from ${from ?? "(none)"} on ${on}`)
  return Changes.combine(
    ...step.emits.map((type) =>
      announce(ids, now, {
        type,
        customerId: after.customerId,
        subject: after.id,
        data: plain(toIncomingTransaction(after)),
      }),
    ),
  )
}

/** Credits the internal account, and tells its new balance. */
const credit = (ids: IdSource, now: number, account: Stored<"InternalAccount">, amount: number, reference: string) =>
  Changes.combine(
    {
      transfers: [
        {
          from: Ledger.outside(account, account.data.currency),
          to: Ledger.available(account.id),
          amount,
          currency: account.data.currency,
          reference,
        },
      ],
      observes: [Ledger.held(account.id)],
    },
    announce(ids, now, {
      type: "INTERNAL_ACCOUNT.BALANCE_UPDATED",
      customerId: account.customerId,
      subject: account.id,
      data: {
        body: toInternalAccount(account, { available: 0, held: 0 }),
        holes: Ledger.balanceHoles(account.id),
      },
    }),
  )

const open = (
  ids: IdSource,
  now: number,
  destination: Stored<"InternalAccount">,
  on: "Pull" | "Fund",
  details: NewTransaction,
): Moved => {
  const status = IncomingMachine.follow(null, on)
  const data: Transaction = { type: "INCOMING", status, direction: "CREDIT", ...details }
  const transaction = Changes.born("Transaction", ids("Transaction"), destination, data, now)
  return {
    transaction,
    changes: Changes.combine(
      Changes.insert("Transaction", transaction.id, destination, data),
      told(ids, now, null, on, transaction),
    ),
  }
}

/** A pull begins: the record is `PENDING`, and a job asks the rail. */
export const startPull = (
  ids: IdSource,
  now: number,
  destination: Stored<"InternalAccount">,
  details: NewTransaction,
): Moved => {
  const { changes, transaction } = open(ids, now, destination, "Pull", details)
  const { sourceAccountId } = details
  const pull = job(ids, "transfer.pull", {
    customerId: transaction.customerId,
    dueAt: now,
    lane: `pull:${transaction.id}`,
    payload: { transactionId: transaction.id, ...(sourceAccountId === undefined ? {} : { sourceAccountId }) },
  })
  return { transaction, changes: Changes.combine(changes, { jobs: [pull] }) }
}

/** The sandbox puts money into an account: complete at once. */
export const fund = (
  ids: IdSource,
  now: number,
  destination: Stored<"InternalAccount">,
  details: NewTransaction,
): Moved => {
  const { changes, transaction } = open(ids, now, destination, "Fund", { ...details, settledAt: now })
  return {
    transaction,
    changes: Changes.combine(changes, credit(ids, now, destination, details.amount, transaction.id)),
  }
}

const move = (
  ids: IdSource,
  now: number,
  stored: Stored<"Transaction">,
  on: Trigger,
  patch: Partial<Transaction>,
): Moved => {
  const state = IncomingMachine.states.find((name) => name === stored.data.status) ?? null
  const data: Transaction = { ...stored.data, ...patch, status: IncomingMachine.follow(state, on) }
  const transaction = Changes.after(stored, data, now)
  return {
    transaction,
    changes: Changes.combine(Changes.update(stored, data), told(ids, now, state, on, transaction)),
  }
}

/** The rail delivered: the money is in the account. */
export const settle = (
  ids: IdSource,
  now: number,
  stored: Stored<"Transaction">,
  destination: Stored<"InternalAccount">,
): Moved => {
  const { changes, transaction } = move(ids, now, stored, "Settle", { settledAt: now })
  return {
    transaction,
    changes: Changes.combine(changes, credit(ids, now, destination, stored.data.amount, stored.id)),
  }
}

/** The rail delivered what the account cannot take: the transaction fails, and its money is on the books, unapplied. */
export const setAside = (ids: IdSource, now: number, stored: Stored<"Transaction">): Moved => {
  const failed = fail(ids, now, stored, "COLLECTION_FAILED")
  const { amount, currency } = stored.data
  const { from, to } = Ledger.unapplied(stored.id, stored, currency)
  return {
    ...failed,
    changes: Changes.combine(failed.changes, {
      ledgerAccounts: [from, to],
      transfers: [{ from: from.id, to: to.id, amount, currency, reference: stored.id }],
    }),
  }
}

/** The rail refused: nothing moved. */
export const fail = (
  ids: IdSource,
  now: number,
  stored: Stored<"Transaction">,
  failureReason: IncomingFailureReason,
): Moved => move(ids, now, stored, "Fail", { failureReason })
