/**
 * The books of all tenants, for the deployment's operator: sums by role and currency; and the postings of one transaction, of all tenants
 * or of one platform. Each is one statement, so all its rows are of one moment.
 * Source: ports/Books.ts; D-110.
 */
import type { Posting, TrialBalanceLine } from "@countersign/core/store"
import type { Statement } from "../connection/Connection.ts"

/** Sums are texts: they may exceed what a JSON number carries exactly. */
export const trialBalance: Statement = {
  text: `select json_build_object('role', q.role, 'currency', q.currency, 'accounts', q.accounts, 'debit', q.debit::text,
      'credit', q.credit::text, 'balance', q.balance::text, 'differing', q.differing)::text
    from (
      select split_part(a.id, ':', 1) role, a.currency, count(*) accounts, coalesce(sum(e.debit), 0) debit,
        coalesce(sum(e.credit), 0) credit, sum(a.balance) balance,
        count(*) filter (where a.balance <> coalesce(e.credit - e.debit, 0)) differing
      from countersign.ledger_account a left join (
        select owner_id, account_id, sum(-least(amount, 0)) debit, sum(greatest(amount, 0)) credit
        from countersign.ledger_entry group by owner_id, account_id) e on e.owner_id = a.owner_id and e.account_id = a.id
      group by 1, 2) q order by q.currency collate "C", q.role collate "C"`,
  values: [],
}

interface Row extends Omit<TrialBalanceLine, "debit" | "credit" | "balance"> {
  readonly debit: string
  readonly credit: string
  readonly balance: string
}

export const trialBalanceLines = (rows: ReadonlyArray<string | null>): ReadonlyArray<TrialBalanceLine> =>
  rows.flatMap((row) => {
    if (row === null) return []
    const line = JSON.parse(row) as Row
    return [{ ...line, debit: BigInt(line.debit), credit: BigInt(line.credit), balance: BigInt(line.balance) }]
  })

const postingSide = (entry: string): string =>
  `json_build_object('account', ${entry}.account_id, 'sequence', ${entry}.sequence, 'balanceAfter', ${entry}.balance_after)`

const createdIn = (table: string): string => `(select r.created_at from countersign.${table} r where r.id = $1)`

/** The creation of the transaction's record, before which it has no entries: this bounds the scan of the BRIN index. */
const createdAt = `coalesce(${createdIn('"transaction"')}, ${createdIn("card_transaction")}, 0)`

/** A posting with the number of its transfer within the operation. */
export interface NumberedPosting extends Posting {
  readonly transfer: number
}

export const withoutNumber = ({ transfer: _transfer, ...posting }: NumberedPosting): Posting => posting

/** `platformId`: only those in its books; `null`: those of all tenants. */
export const postingsStatement = (reference: string, platformId: string | null): Statement => ({
  text: `select json_build_object('transfer', f.transfer, 'operationId', f.operation_id, 'at', f.at, 'amount', t.amount, 'currency', a.currency,
      'from', ${postingSide("f")}, 'to', ${postingSide("t")})::text
    from countersign.ledger_entry f
    join countersign.ledger_entry t on t.reference = f.reference and t.platform_id = f.platform_id
      and t.operation_id = f.operation_id and t.transfer = f.transfer and t.amount > 0 and t.at >= ${createdAt}
    join countersign.ledger_account a on a.owner_id = f.owner_id and a.id = f.account_id
    where f.reference = $1 and ($2::text is null or f.platform_id = $2) and f.amount < 0 and f.at >= ${createdAt}
    order by f.at, f.operation_id collate "C", f.transfer`,
  values: [reference, platformId],
})
