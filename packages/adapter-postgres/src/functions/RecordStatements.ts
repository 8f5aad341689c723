/**
 * The parts of the commit functions that differ from kind to kind: one branch for each table.
 * Source: architecture, "The Store port" (PostgreSQL: one static function made from `Kinds`).
 */
import { type KindTable, kindTables, quoted } from "../schema/KindTables.ts"

/** A branch for each kind, chosen by its number. */
const branches = (number: string, statement: (table: KindTable) => string): string =>
  [`case ${number}`, ...kindTables.map((kind) => `when ${kind.number} then ${statement(kind)};`), "end case;"].join(
    "\n",
  )

const columns = (kind: KindTable): string => kind.fields.map(({ column }) => `${quoted(column)}, `).join("")

/** The kinds' names by number, from 1. */
export const kindNames = `array[${kindTables.map(({ kind }) => `'${kind}'`).join(", ")}]`

/** Inserts the record `e` ([kind, id, customer, fields, data]) unless its id is used. */
export const insertRecord = branches(
  "(e->>0)::int",
  (kind) =>
    `insert into ${quoted(kind.table)} (owner_id, platform_id, customer_id, id, version, created_at, updated_at, ${columns(kind)}data)
      values (coalesce(e->>2, p), p, e->>2, e->>1, 1, t, t, ${kind.fields.map((_, index) => `e->3->${index}, `).join("")}(e->>4)::json) on conflict do nothing`,
)

/** Keeps the present version of the record `e` ([kind, id, version, fields, data]) and puts the next one in its place. */
export const updateRecord = branches("(e->>0)::int", (kind) => {
  const found = "c.platform_id = p and c.id = e->>1 and c.version = (e->>2)::int and (u is null or c.customer_id = u)"
  return `with h as (insert into record_history (owner_id, platform_id, kind, id, version, customer_id, created_at, updated_at, data)
      select c.owner_id, c.platform_id, '${kind.kind}', c.id, c.version, c.customer_id, c.created_at, c.updated_at, c.data from ${quoted(kind.table)} c where ${found})
    update ${quoted(kind.table)} c set version = c.version + 1, updated_at = t, ${kind.fields
      .map(({ column }, index) => `${quoted(column)} = e->3->${index}, `)
      .join("")}data = (e->>4)::json where ${found}`
})

/** Finds version and customer of a record; null where it is not there. A function of its own would cost more than the look does. */
export const findRecord = (number: string, id: string): string =>
  branches(
    number,
    (kind) =>
      `select c.version, c.customer_id into head_version, head_customer from ${quoted(kind.table)} c where c.platform_id = p and c.id = ${id}`,
  )
