/**
 * The postings of every movement of money: which ledger accounts it leaves and enters. Each posting is balanced by itself.
 * Source: architecture, "The Store port" (Ledger); D-091, D-092.
 */

import type { IdSource } from "../../foundation/ids/IdPool.ts"
import type { CurrencyCode } from "../../foundation/money/Currencies.ts"
import { toInternalAccount } from "../../model/account/InternalAccountResource.ts"
import type { Owner } from "../../model/record/Record.ts"
import type { LedgerAccount, Stored } from "../../store/ChangeSet.ts"
import type { Changes } from "../../store/Changes.ts"
import * as ChangeParts from "../../store/Changes.ts"
import * as Ledger from "../../store/LedgerAccounts.ts"
import { newEvent } from "../event/NewEvent.ts"

/** An amount of one internal account's money, moved by one transaction. */
export interface Movement {
  readonly account: Stored<"InternalAccount">
  readonly amount: number
  /** The transaction's id. */
  readonly reference: string
}

/** The receivable of an account's owner in the account's currency, as it was read. */
export interface ReceivableBalance {
  /** 0, or the negative debt. */
  readonly balance: number
  readonly sequence: number
}

export const zeroReceivable: ReceivableBalance = { balance: 0, sequence: 0 }

/** The debt as a positive amount. */
export const outstandingDebt = ({ balance }: ReceivableBalance): number => Math.max(0, -balance)

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
const receivable = ({ account }: Movement) => Ledger.receivable(account, account.data.currency)
const unapplied = ({ account, reference }: Movement) => Ledger.unapplied(reference, account, account.data.currency)

/** Incoming money repays the owner's debt first (D-114); `postRest` posts what is left. */
const repayDebt = (
  movement: Movement,
  from: string,
  debt: ReceivableBalance,
  postRest: (rest: Movement) => Changes,
): Changes => {
  const { amount } = movement
  const { id } = receivable(movement)
  const repaid = Math.min(amount, outstandingDebt(debt))
  if (repaid === 0) return postRest(movement)
  const repayment = post({ ...movement, amount: repaid }, from, id)
  const rest = repaid === amount ? {} : postRest({ ...movement, amount: amount - repaid })
  return {
    ledgerAccounts: rest.ledgerAccounts ?? [],
    transfers: [...repayment.transfers, ...(rest.transfers ?? [])],
    // The assertion prevents two commits from repaying the same debt.
    assertions: [{ account: id, sequence: debt.sequence }],
  }
}

/** Repays the debt, then credits the rest to the available balance. */
export const creditFrom = (movement: Movement, from: string, debt: ReceivableBalance): Changes => ({
  ...repayDebt(movement, from, debt, (rest) => post(rest, from, Ledger.available(rest.account.id))),
  // A debt that arises before the commit is repaid, too: it writes the account's record.
  ...ChangeParts.guard(movement.account),
})

/** Posts a debt of the account's owner. It writes the account's record, so that every credit decided without the debt is decided again. */
const charge = (movement: Movement): Changes => {
  const { account } = movement
  const owed = receivable(movement)
  return ChangeParts.combine(
    post(movement, owed.id, outside(movement), [owed]),
    ChangeParts.update(account, account.data),
  )
}

/** Credits money received from outside. */
export const credit = (movement: Movement, debt: ReceivableBalance): Changes =>
  creditFrom(movement, outside(movement), debt)

/** Books received money that its account cannot accept as unapplied (D-033). */
export const creditToUnapplied = (movement: Movement): Changes => {
  const { from, to } = unapplied(movement)
  return post(movement, from.id, to.id, [from, to])
}

/** Repays the debt with received money that its account cannot accept; the rest becomes unapplied. */
export const repayThenCreditToUnapplied = (movement: Movement, debt: ReceivableBalance): Changes =>
  repayDebt(movement, outside(movement), debt, creditToUnapplied)

/** Holds received money of a deposit that is not the owner's yet. Source: wire contract areas 2.13. */
export const creditToHeld = (movement: Movement): Changes =>
  post(movement, outside(movement), Ledger.held(movement.account.id))

/** Credits the held money of a deposit: the owner's debt is repaid first. `holder`: the account that holds it. */
export const creditFromHeld = (movement: Movement, debt: ReceivableBalance, holder = movement.account): Changes =>
  creditFrom(movement, Ledger.held(holder.id), debt)

/** Holds available money, so that it cannot be spent again. */
export const hold = (movement: Movement): Changes =>
  post(movement, Ledger.available(movement.account.id), Ledger.held(movement.account.id))

/** Releases held money: the owner's debt is repaid first, the rest is available. */
export const release = (movement: Movement, debt: ReceivableBalance): Changes => creditFromHeld(movement, debt)

/** Captures held money: it leaves the service. */
export const capture = (movement: Movement): Changes =>
  post(movement, Ledger.held(movement.account.id), outside(movement))

/** Charges the owner for an amount that the service paid and the account does not hold. */
export const chargeReceivable = (movement: Movement): Changes => charge(movement)

/** Debits held money into transit: the rail executes the payment. */
export const send = (movement: Movement): Changes => {
  const inTransit = transit(movement)
  return post(movement, Ledger.held(movement.account.id), inTransit.id, [inTransit])
}

/** The rail delivered the payment: the money leaves transit. */
export const deliver = (movement: Movement): Changes => post(movement, transit(movement).id, outside(movement))

/** The receiving bank returned a delivered payment: the money is in transit again. */
export const returnPayout = (movement: Movement): Changes => {
  const inTransit = transit(movement)
  return post(movement, outside(movement), inTransit.id, [inTransit])
}

/** Credits money in transit back to its account. */
export const refund = (movement: Movement, debt: ReceivableBalance): Changes => ({
  ...creditFrom(movement, transit(movement).id, debt),
  ledgerAccounts: [transit(movement)],
})

/** Books money in transit that cannot be refunded to its account as unapplied. */
export const refundToUnapplied = (movement: Movement): Changes => {
  const inTransit = transit(movement)
  const { to } = unapplied(movement)
  return post(movement, inTransit.id, to.id, [inTransit, to])
}

/** Credits unapplied money to an account: its owner's debt is repaid first. */
export const applyUnapplied = (movement: Movement, debt: ReceivableBalance): Changes =>
  creditFrom(movement, unapplied(movement).to.id, debt)

/** Unapplied money left the service: it was returned to its sender. */
export const returnUnapplied = ({
  amount,
  currency,
  owner,
  reference,
}: {
  readonly amount: number
  readonly currency: CurrencyCode
  readonly owner: Owner
  /** The transaction's id. */
  readonly reference: string
}): Changes => {
  const { from, to } = Ledger.unapplied(reference, owner, currency)
  return { ledgerAccounts: [from], transfers: [{ from: to.id, to: from.id, amount, currency, reference }] }
}

/** The payer's bank returned a completed pull: the available balance covers it, and the owner owes the rest. */
export const returnPull = (
  movement: Movement,
  available: { readonly balance: number; readonly sequence: number },
): Changes => {
  const { account, amount } = movement
  const covered = Math.max(0, Math.min(amount, available.balance))
  const owed = amount - covered
  const availableId = Ledger.available(account.id)
  return ChangeParts.combine(
    covered === 0 ? undefined : post({ ...movement, amount: covered }, availableId, outside(movement)),
    owed === 0 ? undefined : charge({ ...movement, amount: owed }),
    // The debt was computed from the whole available balance, so that balance must be unchanged at the commit.
    owed === 0 ? undefined : { assertions: [{ account: availableId, sequence: available.sequence }] },
  )
}

/** Whether a change affects the balances that the internal account shows. */
export const changesBalanceOf = ({ id }: Stored<"InternalAccount">, changes: Changes): boolean =>
  changes.transfers?.some(({ from, to }) =>
    [Ledger.available(id), Ledger.held(id)].some((own) => own === from || own === to),
  ) ?? false

/** The account after changes that may have written it: a new debt does. */
export const accountAfter = (
  account: Stored<"InternalAccount">,
  { updates = [] }: Changes,
  now: number,
): Stored<"InternalAccount"> =>
  updates.some(({ id }) => id === account.id) ? ChangeParts.after(account, account.data, now) : account

/** The event that shows the account's balances as they are after the commit. */
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
