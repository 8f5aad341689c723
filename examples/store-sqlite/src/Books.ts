/** The books: of all tenants for the operator, and of the caller's platform. */
import type { Caller } from "@countersign/core"
import {
  type AccountBalance,
  type AccountBalances,
  type AccountEntries,
  type AccountEntry,
  type BalanceTotal,
  type EntriesPage,
  type LedgerAccountsPage,
  type Posting,
  roleOf,
  type TrialBalanceLine,
} from "@countersign/core/store"
import type { Database } from "./Database.ts"
import { type AccountRow, accountOf } from "./Ledger.ts"

/** Groups accounts by currency and role, in order. */
const byRole = <A extends Pick<AccountRow, "id" | "currency">>(rows: ReadonlyArray<A>) =>
  [...Map.groupBy(rows, ({ currency, id }) => `${currency} ${roleOf(id)}`)]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([, [first, ...others]]) =>
      first === undefined ? [] : [{ role: roleOf(first.id), currency: first.currency, rows: [first, ...others] }],
    )

const sum = <A>(rows: ReadonlyArray<A>, amount: (row: A) => bigint): bigint =>
  rows.reduce((all, row) => all + amount(row), 0n)

/** Sums are texts: they may exceed the safe integers. */
type Summed = AccountRow & { readonly debit: string; readonly credit: string }

export const trialBalance = (db: Database): ReadonlyArray<TrialBalanceLine> => {
  const rows = db.all<Summed>(
    `select a.*, cast(coalesce(sum(-e.amount) filter (where e.amount < 0), 0) as text) as debit,
       cast(coalesce(sum(e.amount) filter (where e.amount > 0), 0) as text) as credit
     from ledgerAccount a left join ledgerEntry e on e.account = a.id group by a.id`,
  )
  const balanceOf = ({ credit, debit }: Summed) => BigInt(credit) - BigInt(debit)
  return byRole(rows).map(({ currency, role, rows: own }) => ({
    role,
    currency,
    accounts: own.length,
    debit: sum(own, ({ debit }) => BigInt(debit)),
    credit: sum(own, ({ credit }) => BigInt(credit)),
    balance: sum(own, ({ balance }) => BigInt(balance)),
    differing: own.filter((row) => BigInt(row.balance) !== balanceOf(row)).length,
  }))
}

interface PostingRow extends Omit<Posting, "from" | "to"> {
  readonly fromAccount: string
  readonly fromSequence: number
  readonly fromAfter: number
  readonly toAccount: string
  readonly toSequence: number
  readonly toAfter: number
}

/** The postings of a reference: of all tenants, or of one platform. */
export const postings = (db: Database, reference: string, platformId: string | null = null): ReadonlyArray<Posting> =>
  db
    .all<PostingRow>(
      `select f.operationId, f.at, t.amount, a.currency, f.account as fromAccount, f.sequence as fromSequence,
         f.balanceAfter as fromAfter, t.account as toAccount, t.sequence as toSequence, t.balanceAfter as toAfter
       from ledgerEntry f join ledgerAccount a on a.id = f.account join ledgerEntry t
         on t.reference = f.reference and t.operationId = f.operationId and t.transfer = f.transfer and t.account = f.counterAccount
       where f.reference = $reference and f.amount < 0 and ($platformId is null or a.platformId = $platformId)
       order by f.at, f.operationId, f.transfer`,
      { reference, platformId },
    )
    .map(
      ({
        amount,
        at,
        currency,
        fromAccount,
        fromAfter,
        fromSequence,
        operationId,
        toAccount,
        toAfter,
        toSequence,
      }) => ({
        ...{ operationId, at, amount, currency },
        from: { account: fromAccount, sequence: fromSequence, balanceAfter: fromAfter },
        to: { account: toAccount, sequence: toSequence, balanceAfter: toAfter },
      }),
    )

/** The platform whose books the caller may read. An agent has no books. */
const bookOwner = (caller: Caller): string => (caller._tag === "Agent" ? "" : caller.platformId)

export const ownPostings = (db: Database, caller: Caller, reference: string): ReadonlyArray<Posting> =>
  postings(db, reference, bookOwner(caller))

export const balanceTotals = (db: Database, caller: Caller): ReadonlyArray<BalanceTotal> => {
  const platformId = bookOwner(caller)
  const rows = db.all<AccountRow>("select * from ledgerAccount where platformId = $platformId", { platformId })
  return byRole(rows).map(({ currency, role, rows: own }) => ({
    role,
    currency,
    accounts: own.length,
    entries: own.reduce((entries, { sequence }) => entries + sequence, 0),
    debitBalance: sum(own, ({ balance }) => BigInt(Math.max(0, -balance))),
    creditBalance: sum(own, ({ balance }) => BigInt(Math.max(0, balance))),
  }))
}

const shown = ({ balance, currency, customerId, id, sequence }: AccountRow): AccountBalance => ({
  ...{ account: id, customerId, currency, balance, sequence },
})

export const accountBalances = (db: Database, caller: Caller, page: LedgerAccountsPage): AccountBalances => {
  const { after = "", currency = null, limit, role = null } = page
  const rows = db.all<AccountRow>(
    `select * from ledgerAccount where platformId = $platformId and id > $after and sequence > 0
       and ($currency is null or currency = $currency) and ($role is null or id glob $role || ':*') order by id limit $limit`,
    { platformId: bookOwner(caller), after, currency, role, limit: limit + 1 },
  )
  return { accounts: rows.slice(0, limit).map(shown), hasMore: rows.length > limit }
}

export const accountEntries = (
  db: Database,
  caller: Caller,
  { account: id, before = Number.POSITIVE_INFINITY, limit }: EntriesPage,
): AccountEntries | undefined => {
  const account = caller._tag === "Agent" ? undefined : accountOf(db, caller, id)
  if (account === undefined) return undefined
  const entries = db.all<AccountEntry>(
    `select sequence, amount, balanceAfter, reference, operationId, counterAccount, at from ledgerEntry
     where account = $id and sequence < $before order by sequence desc limit $limit`,
    { id, before, limit: limit + 1 },
  )
  return { ...shown(account), entries: entries.slice(0, limit), hasMore: entries.length > limit }
}
