/**
 * The books of the caller's platform: its balances, the entries of an account, and the postings of a transaction.
 * Source: store/Books.ts (BalanceTotal, AccountEntries); D-454.
 */
import type { Caller } from "@countersign/core"
import {
  type AccountBalance,
  type AccountBalances,
  type AccountEntries,
  type BalanceTotal,
  type EntriesPage,
  type LedgerAccountsPage,
  type Posting,
  roleOf,
  sees,
} from "@countersign/core/store"
import { bookOf, type Entry, type Ledger, postingsIn, type Row } from "./Ledger.ts"
import * as SortedMap from "./SortedMap.ts"

/** The accounts of the caller's platform; an agent has no books. */
const ownRows = (ledger: Ledger, caller: Caller): ReadonlyArray<Row> =>
  caller._tag === "Agent" ? [] : SortedMap.values(ledger).filter(({ account }) => sees(caller, account))

const balanceTotal = (rows: readonly [Row, ...ReadonlyArray<Row>]): BalanceTotal => {
  const [{ account }] = rows
  const sum = (sign: 1 | -1) =>
    rows.reduce((total, { balance }) => (balance * sign > 0 ? total + BigInt(balance * sign) : total), 0n)
  return {
    role: roleOf(account.id),
    currency: account.currency,
    accounts: rows.length,
    entries: rows.reduce((total, { sequence }) => total + sequence, 0),
    debitBalance: sum(-1),
    creditBalance: sum(1),
  }
}

/** The balances of the caller's platform, summed by currency and role. */
export const balanceTotals = (ledger: Ledger, caller: Caller): ReadonlyArray<BalanceTotal> => {
  const groups = Map.groupBy(ownRows(ledger, caller), ({ account: { currency, id } }) => `${currency} ${roleOf(id)}`)
  return [...groups.keys()].sort().flatMap((key) => {
    const [first, ...others] = groups.get(key) ?? []
    return first === undefined ? [] : [balanceTotal([first, ...others])]
  })
}

/** The postings with a reference in the books of the caller's platform. */
export const postings = (ledger: Ledger, caller: Caller, reference: string): ReadonlyArray<Posting> =>
  postingsIn(ownRows(ledger, caller).map(bookOf), reference)

const balanceOf = ({ account, balance, sequence }: Row): AccountBalance => ({
  account: account.id,
  customerId: account.customerId,
  currency: account.currency,
  balance,
  sequence,
})

/** A page of the accounts of the caller's platform that have entries, by id. */
export const accountBalances = (
  ledger: Ledger,
  caller: Caller,
  { after = "", currency, limit, role }: LedgerAccountsPage,
): AccountBalances => {
  const found = ownRows(ledger, caller).filter(
    ({ account, sequence }) =>
      sequence > 0 &&
      account.id > after &&
      (currency === undefined || account.currency === currency) &&
      (role === undefined || account.id.startsWith(`${role}:`)),
  )
  return { accounts: found.slice(0, limit).map(balanceOf), hasMore: found.length > limit }
}

const transferKey = ({ operationId, transfer }: Entry): string => `${transfer} ${operationId}`

/** Returns the accounts of the other sides of these entries of an account, by transfer, in one pass over the books. */
const counterAccounts = (rows: ReadonlyArray<Row>, own: Row, entries: ReadonlyArray<Entry>) => {
  const missing = new Set(entries.map(transferKey))
  const found = new Map<string, string>()
  for (const row of rows) {
    if (row === own || row.account.currency !== own.account.currency) continue
    for (let at = row.last; at !== undefined && missing.size > 0; at = at.previous) {
      const key = transferKey(at.entry)
      if (missing.delete(key)) found.set(key, row.account.id)
    }
  }
  return (entry: Entry): string => {
    const account = found.get(transferKey(entry))
    if (account === undefined) throw new Error(`an entry of ledger account ${own.account.id} has no other side`)
    return account
  }
}

/** A page of the entries of an account of the caller's platform, newest first. */
export const accountEntries = (
  ledger: Ledger,
  caller: Caller,
  { account: id, before = Number.POSITIVE_INFINITY, limit }: EntriesPage,
): AccountEntries | undefined => {
  const row = SortedMap.get(ledger, id)
  if (row === undefined || caller._tag === "Agent" || !sees(caller, row.account)) return undefined
  const page: Array<Entry> = []
  let at = row.last
  while (at !== undefined && at.entry.sequence >= before) at = at.previous
  for (; at !== undefined && page.length < limit; at = at.previous) page.push(at.entry)
  const counterAccountOf = counterAccounts(ownRows(ledger, caller), row, page)
  return {
    ...balanceOf(row),
    entries: page.map((entry) => {
      const { transfer: _transfer, ...shown } = entry
      return { ...shown, counterAccount: counterAccountOf(entry) }
    }),
    hasMore: at !== undefined,
  }
}
