/**
 * The books of one platform: its balances by role and currency, and the entries of an account. Each is one statement, so all its rows
 * are of one moment. The postings of a transaction are in `BookReading`.
 * Source: store/Books.ts (BalanceTotal, AccountEntries); D-454.
 */
import type {
  AccountBalance,
  AccountBalances,
  AccountEntries,
  BalanceTotal,
  EntriesPage,
  LedgerAccountsPage,
} from "@countersign/core/store"
import type { Statement } from "../connection/Connection.ts"

/** Sums are texts: they may exceed what a JSON number carries exactly. */
export const balanceTotalsStatement = (platformId: string): Statement => ({
  text: `select json_build_object('role', q.role, 'currency', q.currency, 'accounts', q.accounts, 'entries', q.entries,
      'debitBalance', q.debit::text, 'creditBalance', q.credit::text)::text
    from (
      select split_part(a.id, ':', 1) role, a.currency, count(*) accounts, sum(a.sequence) entries,
        sum(-least(a.balance, 0)) debit, sum(greatest(a.balance, 0)) credit
      from countersign.ledger_account a where a.platform_id = $1 group by 1, 2) q
    order by q.currency collate "C", q.role collate "C"`,
  values: [platformId],
})

interface TotalRow extends Omit<BalanceTotal, "debitBalance" | "creditBalance"> {
  readonly debitBalance: string
  readonly creditBalance: string
}

export const balanceTotals = (rows: ReadonlyArray<string | null>): ReadonlyArray<BalanceTotal> =>
  rows.flatMap((row) => {
    if (row === null) return []
    const total = JSON.parse(row) as TotalRow
    return [{ ...total, debitBalance: BigInt(total.debitBalance), creditBalance: BigInt(total.creditBalance) }]
  })

/**
 * One account more than the page has, to know whether there are more. The index of ids orders them; a role begins their ids. Bridges between
 * cells are accounts of nobody.
 */
export const accountBalancesStatement = (
  platformId: string,
  { after = "", currency, limit, role }: LedgerAccountsPage,
): Statement => ({
  text: `select json_build_object('account', a.id, 'customerId', a.customer_id, 'currency', a.currency, 'balance', a.balance,
      'sequence', a.sequence)::text
    from countersign.ledger_account a
    where a.platform_id = $1 and a.sequence > 0 and a.id > $2 and ($3::text is null or a.currency = $3)
      and ($4::text is null or (a.id > $4 || ':' and a.id < $4 || ';')) and not (a.id > 'bridge:' and a.id < 'bridge;')
    order by a.id limit $5::int`,
  values: [platformId, after, currency ?? null, role ?? null, limit + 1],
})

export const accountBalances = (rows: ReadonlyArray<string | null>, { limit }: LedgerAccountsPage): AccountBalances => {
  const found = rows.flatMap((row) => (row === null ? [] : [JSON.parse(row) as AccountBalance]))
  return { accounts: found.slice(0, limit), hasMore: found.length > limit }
}

/**
 * One entry more than the page has, to know whether there are more. The primary key finds the page; the BRIN index finds the other sides,
 * which are of the same operations and so of the same times.
 */
export const accountEntriesStatement = (
  platformId: string,
  { account, before = Number.MAX_SAFE_INTEGER, limit }: EntriesPage,
): Statement => ({
  text: `with account as (select a.* from countersign.ledger_account a where a.id = $2 and a.platform_id = $1),
    page as materialized (
      select e.* from account a, lateral (
        select e.* from countersign.ledger_entry e
        where e.owner_id = a.owner_id and e.account_id = a.id and e.sequence < $3::bigint
        order by e.sequence desc limit $4::int) e),
    other as (
      select o.operation_id, o.transfer, o.amount, o.account_id from countersign.ledger_entry o
      where o.platform_id = $1 and o.at = any (array(select distinct p.at from page p)))
    select json_build_object('account', a.id, 'customerId', a.customer_id, 'currency', a.currency, 'balance', a.balance,
      'sequence', a.sequence, 'entries', (
        select coalesce(json_agg(json_build_object('sequence', p.sequence, 'amount', p.amount, 'balanceAfter', p.balance_after,
          'reference', p.reference, 'operationId', p.operation_id, 'counterAccount', o.account_id, 'at', p.at)
          order by p.sequence desc), '[]')
        from page p join other o on o.operation_id = p.operation_id and o.transfer = p.transfer and o.amount = -p.amount))::text
    from account a`,
  values: [platformId, account, before, limit + 1],
})

export const accountEntries = (
  rows: ReadonlyArray<string | null>,
  { limit }: EntriesPage,
): AccountEntries | undefined => {
  const [row] = rows
  if (row === null || row === undefined) return undefined
  const found = JSON.parse(row) as Omit<AccountEntries, "hasMore">
  return { ...found, entries: found.entries.slice(0, limit), hasMore: found.entries.length > limit }
}
