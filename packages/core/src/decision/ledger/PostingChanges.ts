/**
 * The postings of every movement of money: which ledger accounts it leaves and enters. Each is balanced by itself.
 * Source: issue "Books"; architecture, "The Store port" (Ledger); D-091, D-092.
 */

import type { IdSource } from "../../foundation/ids/IdPool.ts"
import { toInternalAccount } from "../../model/account/InternalAccountResource.ts"
import type { LedgerAccount, Stored } from "../../store/ChangeSet.ts"
import type { Changes } from "../../store/Changes.ts"
import * as Ledger from "../../store/LedgerAccounts.ts"
import { newEvent } from "../event/NewEvent.ts"

/** What moves, on whose account, and the transaction that moves it. */
export interface Movement {
  readonly account: Stored<"InternalAccount">
  readonly amount: number
  readonly reference: string
}

/** What the owner of an account owes in its currency, as it was read. */
export interface Owed {
  /** 0, or below it by what is owed. */
  readonly balance: number
  readonly sequence: number
}

/** Nothing is owed. */
export const nothingOwed: Owed = { balance: 0, sequence: 0 }

/** What is owed, as a positive amount. */
export const debtOf = ({ balance }: Owed): number => Math.max(0, -balance)

const post = (
  { account, amount, reference }: Movement,
  from: string,
  to: string,
  opened: ReadonlyArray<LedgerAccount> = [],
): Required<Pick<Changes, "ledgerAccounts" | "transfers">> => ({
  ledgerAccounts: opened,
  transfers: [{ from, to, amount, currency: account.data.currency, reference }],
})

const outside = ({ account }: Movement) => Ledger.outside(account, account.data.currency)
const transit = ({ account }: Movement) => Ledger.transit(account, account.data.currency)

/** Money that comes pays first what its owner owes (D-114); `rest` says where what is left of it goes. */
const payFirst = (moved: Movement, from: string, owed: Owed, rest: (left: Movement) => Changes): Changes => {
  const { account, amount } = moved
  const receivable = Ledger.receivable(account, account.data.currency).id
  const paid = Math.min(amount, debtOf(owed))
  if (paid === 0) return rest(moved)
  const debt = post({ ...moved, amount: paid }, from, receivable)
  const left = paid === amount ? {} : rest({ ...moved, amount: amount - paid })
  return {
    ledgerAccounts: left.ledgerAccounts ?? [],
    transfers: [...debt.transfers, ...(left.transfers ?? [])],
    // Nobody pays the same debt twice.
    assertions: [{ account: receivable, sequence: owed.sequence }],
  }
}

/** What enters an account: what is left of it after a debt can be spent. */
const enter = (moved: Movement, from: string, owed: Owed): Changes =>
  payFirst(moved, from, owed, (left) => post(left, from, Ledger.available(left.account.id)))

/** Money came in from outside. */
export const credit = (moved: Movement, owed: Owed): Changes => enter(moved, outside(moved), owed)

/** Money that came in and that its account cannot take: on the books, unapplied (D-033). */
export const setAside = (moved: Movement): Changes => {
  const { from, to } = Ledger.unapplied(moved.reference, moved.account, moved.account.data.currency)
  return post(moved, from.id, to.id, [from, to])
}

/** A transfer out is submitted: its money can no longer be spent. */
export const hold = (moved: Movement): Changes =>
  post(moved, Ledger.available(moved.account.id), Ledger.held(moved.account.id))

/** A hold ends: its money can be spent again. */
export const release = (moved: Movement): Changes =>
  post(moved, Ledger.held(moved.account.id), Ledger.available(moved.account.id))

/** What was held leaves the house. */
export const capture = (moved: Movement): Changes => post(moved, Ledger.held(moved.account.id), outside(moved))

/** The house paid what the account does not hold: its owner owes it. */
export const owe = (moved: Movement): Changes => {
  const receivable = Ledger.receivable(moved.account, moved.account.data.currency)
  return post(moved, receivable.id, outside(moved), [receivable])
}

/** Money that came in and that its account cannot take pays what its owner owes; the rest is unapplied. */
export const takeAside = (moved: Movement, owed: Owed): Changes => payFirst(moved, outside(moved), owed, setAside)

/** Execution begins: the account is debited, the money is under way. */
export const send = (moved: Movement): Changes =>
  post(moved, Ledger.held(moved.account.id), transit(moved).id, [transit(moved)])

/** The rail delivered: the money is outside. */
export const deliver = (moved: Movement): Changes => post(moved, transit(moved).id, outside(moved))

/** The bank returned what was delivered: it is under way again, back. */
export const comeBack = (moved: Movement): Changes => post(moved, outside(moved), transit(moved).id, [transit(moved)])

/** The account has its money back. */
export const refund = (moved: Movement, owed: Owed): Changes => ({
  ...enter(moved, transit(moved).id, owed),
  ledgerAccounts: [transit(moved)],
})

/** The money does not find back to its account: unapplied, it waits for a person. */
export const strand = (moved: Movement): Changes => {
  const { to } = Ledger.unapplied(moved.reference, moved.account, moved.account.data.currency)
  return post(moved, transit(moved).id, to.id, [transit(moved), to])
}

/** Whether a change moves what the account shows of its balances. */
export const shows = ({ id }: Stored<"InternalAccount">, changes: Changes): boolean =>
  changes.transfers?.some(({ from, to }) =>
    [Ledger.available(id), Ledger.held(id)].some((own) => own === from || own === to),
  ) ?? false

/** The bank took a pull back: what is still there pays for it, and the owner owes the rest. */
export const takeBack = (
  moved: Movement,
  available: { readonly balance: number; readonly sequence: number },
): Changes => {
  const { account, amount } = moved
  const paid = Math.max(0, Math.min(amount, available.balance))
  const owed = amount - paid
  const receivable = Ledger.receivable(account, account.data.currency)
  const whole = Ledger.available(account.id)
  const parts = [
    ...(paid === 0 ? [] : [post({ ...moved, amount: paid }, whole, outside(moved))]),
    ...(owed === 0 ? [] : [post({ ...moved, amount: owed }, receivable.id, outside(moved))]),
  ]
  return {
    ledgerAccounts: owed === 0 ? [] : [receivable],
    transfers: parts.flatMap((part) => part.transfers),
    // The whole balance was read to tell what is owed.
    assertions: owed === 0 ? [] : [{ account: whole, sequence: available.sequence }],
  }
}

/** Tells the account's balances as the commit leaves them. */
export const balanceEvent = (ids: IdSource, now: number, account: Stored<"InternalAccount">): Changes => ({
  ...newEvent(ids, now, {
    type: "INTERNAL_ACCOUNT.BALANCE_UPDATED",
    customerId: account.customerId,
    subject: account.id,
    data: {
      body: toInternalAccount(account, { available: 0, held: 0 }),
      placeholders: Ledger.balancePlaceholders(account.id),
    },
  }),
  observes: [Ledger.available(account.id), Ledger.held(account.id)],
})
