/**
 * Fills a database with copies of what its service has written, so that lists, reads and transfers meet the tables of a platform that has
 * grown. Triggers are off meanwhile: the copied entries of the ledger balance as those before.
 */
import type { Session } from "../../../packages/adapter-postgres/src/connection/Connection.ts"
import { quoted } from "../../../packages/adapter-postgres/src/schema/KindTables.ts"

/** The tables that grow, and how many rows of each there are for one transaction. */
const growing: Readonly<Record<string, number>> = {
  transaction: 1,
  agent_action: 1,
  event: 1,
  audit_record: 1,
  customer: 0.1,
  internal_account: 0.1,
  external_account: 0.1,
  agent: 0.1,
}

const rowsAtOnce = 50_000

/** Of the copies one in a hundred is in this status, and all others in the other. */
const statuses: Readonly<Record<string, readonly [few: string, most: string]>> = {
  transaction: ["PENDING", "COMPLETED"],
  agent_action: ["PENDING_APPROVAL", "APPROVED"],
}

const columnsOf = async ({ query }: Session, table: string): Promise<ReadonlyArray<string>> => {
  const found = await query({
    text: "select attname::text from pg_attribute where attrelid = $1::regclass and attnum > 0 and not attisdropped order by attnum",
    values: [`countersign.${quoted(table)}`],
  })
  return found.flatMap((name) => name ?? [])
}

/** Copies the rows from `first` on: with ids and times of their own, and every tenth of another platform. */
const copies = (table: string, columns: ReadonlyArray<string>, first: number, last: number, total: number): string => {
  const status = statuses[table]
  const few = status === undefined ? "" : `case n % 100 when 0 then '${status[0]}' else '${status[1]}' end`
  const owner = "case when n % 10 = 0 then 'Other:' || t.owner_id else t.owner_id end"
  const copied: Readonly<Record<string, string>> = {
    id: "split_part(t.id, ':', 1) || ':' || lpad(to_hex(n), 8, '0') || '-0000-7000-8000-' || lpad(to_hex(n), 12, '0')",
    platform_id: "case when n % 10 = 0 then 'Other:' || t.platform_id else t.platform_id end",
    // A copied customer is its own owner.
    owner_id: table === "customer" ? "t.id || n" : owner,
    customer_id: table === "customer" ? "t.id || n" : "t.customer_id",
    created_at: `t.created_at - ${total} + n`,
    updated_at: `t.created_at - ${total} + n`,
    ...(status === undefined
      ? {}
      : { status: `to_jsonb(${few})`, data: `jsonb_set(t.data::jsonb, '{status}', to_jsonb(${few}))::json` }),
  }
  return `insert into countersign.${quoted(table)} (${columns.map(quoted).join(", ")})
    select ${columns.map((name) => copied[name] ?? `t.${quoted(name)}`).join(", ")}
    from generate_series(${first}, ${last}) n
    join (select *, row_number() over (order by id) - 1 as place, count(*) over () as places from countersign.${quoted(table)}
      where id not like '%-0000-7000-8000-%') t on t.place = n % t.places`
}

/** Two entries for each transaction, on accounts of their own. */
const entries = (first: number, last: number): string => `
  insert into countersign.ledger_entry (owner_id, platform_id, account_id, sequence, amount, balance_after, reference, operation_id, transfer, at)
    select e.owner_id, e.platform_id, 'grown:' || n % 1000, n, case n % 2 when 0 then 1 else -1 end, 0, 'grown', 'grown:' || n / 2, 0, e.at
    from generate_series(${first}, ${last}) n, (select * from countersign.ledger_entry limit 1) e`

export const fillGrown = async (session: Session, rows: number): Promise<void> => {
  await session.script("set session_replication_role = replica; set synchronous_commit = off")
  for (const [table, share] of Object.entries(growing)) {
    const total = Math.round(rows * share)
    const columns = await columnsOf(session, table)
    for (let first = 1; first <= total; first += rowsAtOnce) {
      await session.script(copies(table, columns, first, Math.min(total, first + rowsAtOnce - 1), total))
    }
    process.stderr.write(`  ${table}: ${total}\n`)
  }
  for (let first = 1; first <= 2 * rows; first += rowsAtOnce) {
    await session.script(entries(first, Math.min(2 * rows, first + rowsAtOnce - 1)))
  }
  await session.script("set session_replication_role = origin; set synchronous_commit = on")
  await session.script("checkpoint")
  await session.script("vacuum analyze")
}
