/**
 * What bounds each table of the store. Tables of records grow with the records; the others must not grow with traffic, or only until
 * their retention ends.
 * Source: docs/scale.md, "What one transfer leaves"; D-515.
 */
import { kindTables } from "../../../packages/adapter-postgres/src/schema/KindTables.ts"

/**
 * Rows that are there as long as something is unfinished, or one for each process, queue or platform. Differences up to
 * `floor` are equal; of a table with `counted` the rows are counted where it holds.
 */
export const bounded: ReadonlyArray<{ readonly table: string; readonly floor: number; readonly counted?: string }> = [
  // Work of today: the job that ends a card authorization waits for seven days, and there is one for each.
  { table: "job", floor: 50, counted: "due_at <= extract(epoch from now()) * 1000 + 3600000" },
  { table: "worker_session", floor: 5 },
  { table: "job_line", floor: 5 },
  { table: "business_time", floor: 0 },
]

/** Rows that are deleted when their retention ends. `clock` is the time that ends it; `null`: with the event that they belong to. */
export const retained = [
  { table: "operation", clock: "wall" },
  { table: "replay", clock: "wall" },
  { table: "event", clock: "business" },
  { table: "event_attempt", clock: null },
] as const

/** Rows that are kept with the records that they belong to. */
const kept = [
  ...["record_history", "unique_key", "ledger_account", "ledger_entry", "counter", "vault_file", "vault_chunk"],
  ...["schema_version"],
]

const known: ReadonlySet<string> = new Set([
  ...bounded.map(({ table }) => table),
  ...retained.map(({ table }) => table),
  ...kept,
  ...kindTables.map(({ table }) => table),
])

/** Returns a sentence for each table of which this file does not say what bounds it. */
export const unknownTables = (tables: ReadonlyArray<string>): ReadonlyArray<string> =>
  tables.filter((table) => !known.has(table)).map((table) => `nothing says what bounds the table ${table}`)
