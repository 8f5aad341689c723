/**
 * The indexes by which records and events are listed. Each leads with what selects a list, then the kind's parts, then the order of the
 * list. It has all columns that a list reads of records that it does not return. A list whose parts are not all given is merged from one
 * ordered scan of each combination of parts.
 * Source: ports/Kinds.ts; D-500.
 */
import { createHash } from "node:crypto"
import { type FieldColumn, type KindTable, kindTables, partsOf, quoted, textOf } from "./KindTables.ts"

export interface ListIndex {
  readonly table: string
  readonly name: string
  /** What follows the name and the table in `create index`. */
  readonly definition: string
}

/** One record in this number is in the sample that shows whether a list is longer than any total count. */
const sampleOf = 32

/**
 * Whether a record is in the sample: by a hash of its id, so that every list has its share of it, whatever the ids look like.
 * D-501 says how sure the answer is.
 */
export const inSample = (alias: string): string => `hashtextextended(${alias}id, 0) & ${sampleOf - 1} = 0`

/** The condition on the texts of a whole index. */
export const hasText = (column: string): string => `${textOf(column)} is not null`

const markLength = 5
const nameLengthMax = 63

/** The end of a name says which definition the index has, so that another definition is another index. */
const named = (table: string, role: string, definition: string): ListIndex => {
  const mark = createHash("sha256").update(definition).digest("hex").slice(0, markLength)
  const name = `${table}_${role}_${mark}`
  if (name.length > nameLengthMax) throw new Error(`${name} is longer than the database keeps names`)
  return { table, name, definition }
}

interface Columns {
  readonly role: string
  /** In the order of the index. */
  readonly key: ReadonlyArray<string>
  readonly included: ReadonlyArray<string>
  readonly condition?: string
}

const btree = (
  table: string,
  { condition, included, key, role }: Columns,
  isPaged: boolean,
): ReadonlyArray<ListIndex> => {
  const columns = `(${key.join(", ")})${included.length === 0 ? "" : ` include (${included.join(", ")})`}`
  const where = (...conditions: ReadonlyArray<string | undefined>) => {
    const all = conditions.filter((each) => each !== undefined)
    return all.length === 0 ? "" : ` where ${all.join(" and ")}`
  }
  const whole = named(table, role, `${columns}${where(condition)}`)
  return isPaged ? [whole, named(table, `${role}_sample`, `${columns}${where(condition, inSample(""))}`)] : [whole]
}

const order = ["created_at", "id"]

const indexesOfKind = (kind: KindTable): ReadonlyArray<ListIndex> => {
  const { fields, isListedByUpdate, isPaged, table } = kind
  const parts = partsOf(kind).map(({ column }) => quoted(column))
  const divided = parts.map(textOf)
  const list = (columns: Columns) => btree(table, columns, isPaged)
  const byField = ({ column }: FieldColumn) =>
    list({
      role: `by_${column}`,
      key: ["platform_id", textOf(quoted(column)), ...divided, ...order],
      // Its columns would double the index of every value: the few records of a value are read from the table (D-504).
      included: [],
      condition: hasText(quoted(column)),
    })
  return [
    ...list({ role: "listed", key: ["platform_id", ...divided, ...order], included: parts }),
    ...list({ role: "owned", key: ["platform_id", "owner_id", ...divided, ...order], included: parts }),
    ...(isListedByUpdate
      ? list({ role: "updated", key: ["platform_id", ...divided, "updated_at", ...order], included: parts })
      : []),
    ...fields.filter(({ indexed }) => indexed).flatMap(byField),
    ...fields
      .filter(({ hasIndexedMembers }) => hasIndexedMembers)
      .map(({ column }) => named(table, `in_${column}`, `using gin (${quoted(column)} jsonb_path_ops)`)),
  ]
}

/** Events have no parts: their type has columns of its own, and a customer's are merged by type. */
const indexesOfEvents: ReadonlyArray<ListIndex> = (
  [
    ["listed", ["platform_id"]],
    ["subject", ["platform_id", "subject"]],
    ["type", ["platform_id", "type"]],
    ["owned", ["platform_id", "owner_id", "type"]],
  ] as const
).flatMap(([role, columns]) => btree("event", { role, key: [...columns, ...order], included: [] }, true))

export const listIndexes: ReadonlyArray<ListIndex> = [...kindTables.flatMap(indexesOfKind), ...indexesOfEvents]

const tables: ReadonlyArray<string> = [...kindTables.map(({ table }) => table), "event"]

/** Whether an index is one of a list that this release does not have: of another definition, or of a release before D-500. */
export const isSuperseded = (table: string, name: string): boolean => {
  if (!tables.includes(table) || listIndexes.some((index) => index.name === name)) return false
  const fields = kindTables.find((kind) => kind.table === table)?.fields ?? []
  const before = [
    `${table}_listed`,
    ...(table === "event" ? ["event_subject"] : []),
    ...fields.filter(({ partialIndex }) => partialIndex.length === 0).map(({ column }) => `${table}_by_${column}`),
  ]
  return before.includes(name) || (name.startsWith(`${table}_`) && /_[0-9a-f]{5}$/u.test(name))
}
