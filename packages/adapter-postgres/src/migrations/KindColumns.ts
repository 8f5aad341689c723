/**
 * Brings the tables of the stored kinds in step with `Kinds`: a new kind gets a table, a new field a column, filled from the records
 * that are there. Nothing is ever dropped.
 * Source: architecture, "Where a new thing goes" (stored kind).
 */
import type { Session } from "../connection/Connection.ts"
import { type FieldColumn, type KindTable, kindTables, quoted } from "../schema/KindTables.ts"

const createTable = ({ table }: KindTable): string => `
create table ${quoted(table)} (
  owner_id text collate "C" not null, platform_id text collate "C" not null, customer_id text collate "C",
  id text collate "C" not null unique, version int not null, created_at bigint not null, updated_at bigint not null, data jsonb not null,
  primary key (owner_id, id)
) with (fillfactor = 70);
create index ${quoted(`${table}_listed`)} on ${quoted(table)} (platform_id, created_at);`

// A field's value is kept as a JSON scalar: `Kinds` does not tell its type, and a text is never equal to a number.
const addColumn = ({ table }: KindTable, { column }: FieldColumn): string =>
  `alter table ${quoted(table)} add column ${quoted(column)} jsonb not null default 'null';`

/**
 * An index is paid by every insert, and an indexed field that changes costs a new entry in each index of the table. So what names few
 * records has one (`sought`), and of a field like a status only those values that few records have at a time (`rare`); a status
 * that splits a list in a few large parts is found by walking the list.
 */
const addIndex = ({ table }: KindTable, { column, rare, sought }: FieldColumn): string => {
  const name = quoted(`${table}_by_${column}`)
  if (sought) return `create index ${name} on ${quoted(table)} (${quoted(column)}, created_at);`
  if (rare.length === 0) return ""
  const values = rare.map((value) => `'${JSON.stringify(value)}'`).join(", ")
  return `create index ${name} on ${quoted(table)} (platform_id, created_at) where ${quoted(column)} in (${values});`
}

const rowsOf = (answer: ReadonlyArray<string | null>): ReadonlyArray<string> =>
  answer.flatMap((row) => (row === null ? [] : [row]))

/** The tables and columns that are there, as `table.column`. */
const present = async (session: Session): Promise<ReadonlySet<string>> =>
  new Set(
    rowsOf(
      await session.query({
        text: "select table_name || '.' || column_name from information_schema.columns where table_schema = 'countersign'",
        values: [],
      }),
    ),
  )

const page = 500

/** Fills a new column of records that were written before it. */
const fill = async (session: Session, { table }: KindTable, { column, read }: FieldColumn): Promise<void> => {
  let after = ["", ""]
  for (;;) {
    const rows = rowsOf(
      await session.query({
        text: `select json_build_array(platform_id, id, data)::text from ${quoted(table)} where (platform_id, id) > ($1, $2) order by platform_id, id limit ${page}`,
        values: after,
      }),
    ).map((row) => JSON.parse(row) as readonly [string, string, unknown])
    if (rows.length === 0) return
    const values = rows.map(([platformId, id, data]) => [platformId, id, read(data) ?? null])
    await session.query({
      text: `update ${quoted(table)} t set ${quoted(column)} = v->2 from jsonb_array_elements($1::jsonb) v where t.platform_id = v->>0 and t.id = v->>1`,
      values: [JSON.stringify(values)],
    })
    const last = rows.at(-1)
    if (last === undefined || rows.length < page) return
    after = [last[0], last[1]]
  }
}

export const missing = async (session: Session): Promise<ReadonlyArray<string>> => {
  const there = await present(session)
  return kindTables.flatMap(({ fields, table }) =>
    ["data", ...fields.map(({ column }) => column)]
      .map((column) => `${table}.${column}`)
      .filter((name) => !there.has(name)),
  )
}

export const bringInStep = async (session: Session): Promise<void> => {
  const there = await present(session)
  for (const kind of kindTables) {
    const isNew = !there.has(`${kind.table}.data`)
    if (isNew) await session.script(createTable(kind))
    for (const field of kind.fields) {
      if (there.has(`${kind.table}.${field.column}`)) continue
      await session.script(addColumn(kind, field))
      if (!isNew) await fill(session, kind, field)
      await session.script(addIndex(kind, field))
    }
  }
}
