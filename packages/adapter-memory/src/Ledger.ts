/**
 * The double-entry ledger in memory: accounts with bounds, and entries that are never changed.
 * Source: architecture, "The Store port" (Ledger); "A change set is the one way to write" (ledger transfers).
 */
import type { Caller } from "@countersign/core"
import { amountMax } from "@countersign/core/models"
import {
  type ChangeSet,
  type CommitFacts,
  type LedgerAccount,
  type Posting,
  type PostingSide,
  roleOf,
  sees,
  type TrialBalanceLine,
} from "@countersign/core/store"
import { Result } from "effect"
import { frozen } from "./Frozen.ts"
import { type Applied, conflict, mistake, type Refusal } from "./Refusal.ts"
import * as SortedMap from "./SortedMap.ts"

/** One side of a transfer on an account. */
export interface Entry {
  /** 1 for the account's first entry. */
  readonly sequence: number
  /** Positive for a credit, negative for a debit. */
  readonly amount: number
  readonly balanceAfter: number
  readonly reference: string
  readonly operationId: string
  /** The number of the transfer within its operation; both sides share it. */
  readonly transfer: number
  /** Business time (ms) of the decision. */
  readonly at: number
}

/** An account with its balance and all its entries, oldest first. */
export interface Book extends LedgerAccount {
  readonly balance: number
  readonly sequence: number
  readonly entries: ReadonlyArray<Entry>
}

interface Link {
  readonly entry: Entry
  readonly previous: Link | undefined
}

/** The state of an account. Its sequence is the number of its entries. */
export interface Row {
  readonly account: LedgerAccount
  readonly balance: number
  readonly sequence: number
  readonly last: Link | undefined
}

export type Ledger = SortedMap.SortedMap<string, Row>

export const empty: Ledger = SortedMap.empty(SortedMap.natural)

const zeroBalance = Object.freeze({ balance: 0, sequence: 0 })

/** Balance and sequence of an account; 0 if it does not exist or belongs to another tenant. */
export const balanceOf = (ledger: Ledger, caller: Caller, id: string): CommitFacts["balances"][string] => {
  const row = SortedMap.get(ledger, id)
  return row !== undefined && sees(caller, row.account)
    ? Object.freeze({ balance: row.balance, sequence: row.sequence })
    : zeroBalance
}

const sameAccount = (a: LedgerAccount, b: LedgerAccount): boolean =>
  a.currency === b.currency && a.floor === b.floor && a.platformId === b.platformId && a.customerId === b.customerId

const open = (ledger: Ledger, accounts: ReadonlyArray<LedgerAccount>): Ledger =>
  accounts.reduce((opened, { currency, customerId, floor, id, platformId }) => {
    const account = frozen({ id, platformId, customerId, currency, floor })
    const row = SortedMap.get(opened, id)
    if (row === undefined) return SortedMap.set(opened, id, { account, balance: 0, sequence: 0, last: undefined })
    return sameAccount(row.account, account) ? opened : mistake(`ledger account ${id} is open with other properties`)
  }, ledger)

type NewEntry = Omit<Entry, "sequence" | "balanceAfter">

/** Adds an entry. The sum is passed as a bigint, because it may leave the safe integers between two entries. */
const post = (row: Row, exact: bigint, added: NewEntry): Row => {
  const sequence = row.sequence + 1
  const entry: Entry = Object.freeze({ sequence, balanceAfter: Number(exact), ...added })
  return { account: row.account, balance: Number(exact), sequence, last: { entry, previous: row.last } }
}

/** Checks the final balance. The floor applies only if the set reduces the balance. */
const violation = (row: Row, exact: bigint, before: number): Refusal | undefined => {
  const { account } = row
  if (account.floor !== null && exact < BigInt(account.floor) && exact < BigInt(before)) {
    return { _tag: "BoundViolated", bound: { _tag: "Floor", account: account.id } }
  }
  if (exact > BigInt(amountMax) || exact < -BigInt(amountMax)) {
    return { _tag: "BoundViolated", bound: { _tag: "Range", account: account.id } }
  }
  return undefined
}

/**
 * Opens accounts and posts transfers, all or none. Assertions are checked before bounds: a decision that read an outdated
 * balance gets a conflict, not a violated bound.
 */
export const apply = (ledger: Ledger, set: ChangeSet, caller: Caller): Applied<Ledger> => {
  const opened = open(ledger, set.ledgerAccounts)
  const changed = new Map<string, { readonly row: Row; readonly exact: bigint; readonly before: number }>()
  for (const [transfer, { amount, currency, from, reference, to }] of set.transfers.entries()) {
    for (const [id, signed] of [[from, -amount] as const, [to, amount] as const]) {
      const stored = SortedMap.get(opened, id)
      if (stored === undefined) throw new Error(`change set: ledger account ${id} is not open`)
      if (!sees(caller, stored.account)) mistake(`ledger account ${id} belongs to another tenant`)
      if (stored.account.currency !== currency) mistake(`${currency} moved on ledger account ${id}`)
      const at = changed.get(id) ?? { row: stored, exact: BigInt(stored.balance), before: stored.balance }
      const exact = at.exact + BigInt(signed)
      const { at: decidedAt, operationId } = set
      const row = post(at.row, exact, { amount: signed, reference, operationId, transfer, at: decidedAt })
      changed.set(id, { row, exact, before: at.before })
    }
  }
  for (const { account, sequence } of set.assertions) {
    if (balanceOf(ledger, caller, account).sequence !== sequence) return conflict(`ledger account ${account}`)
  }
  let next = opened
  for (const [id, { before, exact, row }] of changed) {
    const refusal = violation(row, exact, before)
    if (refusal !== undefined) return Result.fail(refusal)
    next = SortedMap.set(next, id, row)
  }
  return Result.succeed(next)
}

/** An account with its entries. */
export const bookOf = ({ account, balance, last, sequence }: Row): Book => {
  const entries: Array<Entry> = []
  for (let at = last; at !== undefined; at = at.previous) entries.push(at.entry)
  return { ...account, balance, sequence, entries: entries.reverse() }
}

/** All accounts with their entries. */
export const books = (ledger: Ledger): ReadonlyArray<Book> => SortedMap.values(ledger).map(bookOf)

const total = (entries: ReadonlyArray<Entry>, sign: 1 | -1): bigint =>
  entries.reduce((sum, { amount }) => (amount * sign > 0 ? sum + BigInt(amount * sign) : sum), 0n)

const trialBalanceLine = (of: readonly [Book, ...ReadonlyArray<Book>]): TrialBalanceLine => {
  const [{ currency, id }] = of
  const entries = of.flatMap((book) => book.entries)
  return {
    role: roleOf(id),
    currency,
    accounts: of.length,
    debit: total(entries, -1),
    credit: total(entries, 1),
    balance: of.reduce((sum, { balance }) => sum + BigInt(balance), 0n),
    differing: of.filter((book) => BigInt(book.balance) !== total(book.entries, 1) - total(book.entries, -1)).length,
  }
}

/** The sums of all accounts by currency and role. */
export const trialBalance = (ledger: Ledger): ReadonlyArray<TrialBalanceLine> => {
  const groups = Map.groupBy(books(ledger), ({ currency, id }) => `${currency} ${roleOf(id)}`)
  return [...groups.keys()].sort().flatMap((key) => {
    const [first, ...others] = groups.get(key) ?? []
    return first === undefined ? [] : [trialBalanceLine([first, ...others])]
  })
}

const compareTexts = (a: string, b: string): number => (a === b ? 0 : a < b ? -1 : 1)

interface Leg extends Entry {
  readonly book: Book
}

const side = ({ balanceAfter, book, sequence }: Leg): PostingSide => ({ account: book.id, sequence, balanceAfter })

/** The postings with a reference in some books: each joins the two entries of a transfer. */
export const postingsIn = (all: ReadonlyArray<Book>, reference: string): ReadonlyArray<Posting> => {
  const legs = all
    .flatMap((book) => book.entries.map((entry): Leg => ({ ...entry, book })))
    .filter((leg) => leg.reference === reference)
  return legs
    .filter(({ amount }) => amount < 0)
    .toSorted((a, b) => a.at - b.at || compareTexts(a.operationId, b.operationId) || a.transfer - b.transfer)
    .flatMap((from) => {
      const to = legs.find(
        ({ amount, operationId, transfer }) =>
          amount > 0 && operationId === from.operationId && transfer === from.transfer,
      )
      if (to === undefined) return []
      const { at, book, operationId } = from
      return [{ operationId, at, amount: to.amount, currency: book.currency, from: side(from), to: side(to) }]
    })
}

/** The postings with a reference, of all tenants. */
export const postings = (ledger: Ledger, reference: string): ReadonlyArray<Posting> =>
  postingsIn(books(ledger), reference)

/** Rebuilds the ledger from its books. */
export const restore = (all: ReadonlyArray<Book>): Ledger =>
  all.reduce<Ledger>((ledger, { balance, entries, sequence, ...account }) => {
    const last = entries.reduce<Link | undefined>((previous, entry) => ({ entry: frozen(entry), previous }), undefined)
    return SortedMap.set(ledger, account.id, { account: frozen(account), balance, sequence, last })
  }, empty)
