/**
 * The ledger that a history's sets are expected to have written, and its laws.
 * Source: D-518; ports/ChangeSet.ts (LedgerTransfer, BalanceAssertion, CommitFacts).
 */
import { amountMax } from "@countersign/core/models"
import { type LedgerAccount, roleOf, type TrialBalanceLine } from "@countersign/core/store"
import { equal, never } from "../Law.ts"
import type { AppliedSet } from "./Applied.ts"

/** One side of a transfer. */
interface Moved {
  readonly amount: number
  readonly counterAccount: string
  readonly reference: string
}

interface MovedBySet {
  readonly by: AppliedSet
  readonly moved: ReadonlyArray<Moved>
  readonly after: { readonly balance: number; readonly sequence: number }
}

/** An account with the sets that moved it, in the order of its entries. */
export interface AuditedAccount {
  readonly account: LedgerAccount
  readonly sets: ReadonlyArray<MovedBySet>
  readonly balance: number
  readonly sequence: number
}

const push = <K, V>(lists: Map<K, Array<V>>, key: K, value: V): void => {
  const list = lists.get(key)
  if (list === undefined) lists.set(key, [value])
  else list.push(value)
}

const movedIn = ({ set }: AppliedSet): ReadonlyMap<string, ReadonlyArray<Moved>> => {
  const moved = new Map<string, Array<Moved>>()
  for (const { amount, from, reference, to } of set.transfers) {
    push(moved, from, { amount: -amount, counterAccount: to, reference })
    push(moved, to, { amount, counterAccount: from, reference })
  }
  return moved
}

const sum = (moved: ReadonlyArray<Moved>): bigint => moved.reduce((total, { amount }) => total + BigInt(amount), 0n)

/** Orders the sets that moved an account by what their commits returned, and requires these to be one sequence. */
const audited = (account: LedgerAccount, sets: ReadonlyArray<Omit<MovedBySet, "after">>): AuditedAccount => {
  const law = "the balances and sequences that commits return are those of one order of the commits"
  const ordered = sets
    .map(({ by, moved }) => ({
      by,
      moved,
      after: by.facts.balances[account.id] ?? { balance: Number.NaN, sequence: 0 },
    }))
    .toSorted((a, b) => a.after.sequence - b.after.sequence)
  let [balance, sequence] = [0n, 0]
  const expected: Array<MovedBySet["after"]> = []
  const below: Array<string> = []
  const outdated: Array<string> = []
  for (const { by, moved } of ordered) {
    const isLess = sum(moved) < 0n
    for (const asserted of by.set.assertions) {
      const isOutdated = asserted.account === account.id && asserted.sequence !== sequence
      if (isOutdated) outdated.push(`${account.id} ${asserted.sequence}, not ${sequence}`)
    }
    balance += sum(moved)
    sequence += moved.length
    expected.push({ balance: Number(balance), sequence })
    const isBelow = isLess && account.floor !== null && balance < BigInt(account.floor)
    if (isBelow || balance > BigInt(amountMax) || balance < -BigInt(amountMax)) below.push(`${account.id}: ${balance}`)
  }
  equal(law, [account.id, ...ordered.map(({ after }) => after)], [account.id, ...expected])
  never("a set that asserts an outdated balance is a conflict", outdated)
  never("no commit leaves a balance below its floor or outside the exact integers", below)
  return { account, sets: ordered, balance: Number(balance), sequence }
}

/** All accounts that the sets have opened. */
export const accountsIn = (applied: ReadonlyArray<AppliedSet>): ReadonlyArray<AuditedAccount> => {
  const opened = new Map<string, LedgerAccount>()
  const moves = new Map<string, Array<Omit<MovedBySet, "after">>>()
  const foreign: Array<unknown> = []
  for (const by of applied) for (const account of by.set.ledgerAccounts) opened.set(account.id, account)
  for (const by of applied) {
    for (const [id, moved] of movedIn(by)) push(moves, id, { by, moved })
    for (const transfer of by.set.transfers) {
      const { currency, from, to } = transfer
      if (opened.get(from)?.currency !== currency || opened.get(to)?.currency !== currency) foreign.push(transfer)
    }
  }
  never("money moves between two open accounts of its own currency", foreign)
  return [...opened.values()].map((account) => audited(account, moves.get(account.id) ?? []))
}

/** The trial balance of all tenants. */
export const trialBalanceOf = (accounts: ReadonlyArray<AuditedAccount>): ReadonlyArray<TrialBalanceLine> => {
  const groups = Map.groupBy(accounts, ({ account }) => `${account.currency} ${roleOf(account.id)}`)
  return [...groups.keys()].sort().flatMap((key) => {
    const group = groups.get(key) ?? []
    const [first] = group
    if (first === undefined) return []
    const moved = group.flatMap(({ sets }) => sets.flatMap((each) => each.moved))
    const [debit, credit] = [moved.filter(({ amount }) => amount < 0), moved.filter(({ amount }) => amount > 0)]
    return [
      {
        role: roleOf(first.account.id),
        currency: first.account.currency,
        accounts: group.length,
        debit: -sum(debit),
        credit: sum(credit),
        balance: sum(moved),
        differing: 0,
      },
    ]
  })
}

/** The balance and the sequence of each account of a platform. */
export const totalsIn = (
  applied: ReadonlyArray<AppliedSet>,
  platform: string,
): ReadonlyMap<string, MovedBySet["after"]> => {
  const totals = new Map<string, MovedBySet["after"]>()
  for (const { set } of applied) {
    for (const { id, platformId } of set.ledgerAccounts) {
      if (platformId === platform && !totals.has(id)) totals.set(id, { balance: 0, sequence: 0 })
    }
  }
  const add = (id: string, amount: number) => {
    const { balance = 0, sequence = 0 } = totals.get(id) ?? {}
    if (totals.has(id)) totals.set(id, { balance: balance + amount, sequence: sequence + 1 })
  }
  for (const { amount, from, to } of applied.flatMap(({ set }) => set.transfers)) {
    add(from, -amount)
    add(to, amount)
  }
  return totals
}
