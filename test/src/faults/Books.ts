/**
 * Reads the books on PostgreSQL: all ledger accounts with their entries, for tests.
 * Source: architecture, "The Store port" (Ledger).
 */
import type { Book } from "@countersign/adapter-memory"
import type { Connection } from "@countersign/adapter-postgres"

const text = `select json_build_object('id', a.id, 'platformId', a.platform_id, 'customerId', a.customer_id, 'currency', a.currency,
    'floor', a.floor, 'balance', a.balance, 'sequence', a.sequence, 'entries', coalesce((
      select json_agg(json_build_object('sequence', e.sequence, 'amount', e.amount, 'balanceAfter', e.balance_after,
        'reference', e.reference, 'operationId', e.operation_id, 'transfer', e.transfer, 'at', e.at) order by e.sequence)
      from countersign.ledger_entry e where e.platform_id = a.platform_id and e.account_id = a.id), '[]'))::text
  from countersign.ledger_account a order by a.id`

export const booksOf = async (connection: Connection): Promise<ReadonlyArray<Book>> =>
  (await connection.query({ text, values: [] })).flatMap((row) => (row === null ? [] : [JSON.parse(row) as Book]))
