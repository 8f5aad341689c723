/**
 * Brings the tables of the stored kinds in step with `Kinds`: a new kind gets a table, a new field of a known kind a column, which is
 * filled while everybody goes on. Nothing is ever dropped.
 * Source: architecture, "Where a new thing goes" (stored kind); D-060.
 */
import type { Session } from "../connection/Connection.ts"
import { type FieldColumn, type KindTable, kindTables, quoted } from "../schema/KindTables.ts"
import * as NewField from "./NewField.ts"
import { ask } from "./Steps.ts"

/**
 * A field's value is kept as a JSON scalar: `Kinds` does not tell its type, and a text is never equal to a number. The data is what was
 * written, and is read as it stands: nothing looks into it.
 */
const createTable = ({ fields, table }: KindTable): string => `
create table ${quoted(table)} (
  owner_id text collate "C" not null, platform_id text collate "C" not null, customer_id text collate "C",
  id text collate "C" not null unique, version int not null, created_at bigint not null, updated_at bigint not null,
  ${fields.map(({ column }) => `${quoted(column)} jsonb, `).join("")}data json not null,
  primary key (owner_id, id)
) with (fillfactor = 70);
create index ${quoted(`${table}_listed`)} on ${quoted(table)} (platform_id, created_at);
${fields
  .filter(NewField.isIndexed)
  .map((field) => `create index ${NewField.indexOf(table, field)};`)
  .join("\n")}`

interface Found {
  /** As `table.column`. */
  readonly columns: ReadonlySet<string>
  /** The valid ones. */
  readonly indexes: ReadonlySet<string>
  /** Columns that are not filled for good. */
  readonly open: ReadonlySet<string>
}

const inSchema = "relnamespace = 'countersign'::regnamespace"

const find = async (session: Session): Promise<Found> => {
  const attributes = `pg_attribute a join pg_class c on c.oid = a.attrelid and c.${inSchema}`
  return {
    columns: new Set(
      await ask(
        session,
        `select c.relname || '.' || a.attname from ${attributes} and a.attnum > 0 and not a.attisdropped`,
      ),
    ),
    indexes: new Set(
      await ask(
        session,
        `select c.relname::text from pg_index i join pg_class c on c.oid = i.indexrelid where c.${inSchema} and i.indisvalid`,
      ),
    ),
    open: new Set(await ask(session, NewField.openFields)),
  }
}

interface Place {
  readonly kind: KindTable
  readonly field: FieldColumn
}

const allFields: ReadonlyArray<Place> = kindTables.flatMap((kind) => kind.fields.map((field) => ({ kind, field })))
const nameOf = ({ field, kind }: Place): string => `${kind.table}.${field.column}`

/** Whether lists by the field are what they should be, but for what processes of another release write at this time. */
const isReady = (place: Place, { columns, indexes, open }: Found): boolean => {
  const { field, kind } = place
  return (
    columns.has(nameOf(place)) &&
    (!NewField.isIndexed(field) || indexes.has(NewField.indexName(kind.table, field))) &&
    (!open.has(nameOf(place)) || indexes.has(NewField.unfilledName(kind.table, field)))
  )
}

/** What the tables lack, as `table.column`. */
export const missing = async (session: Session): Promise<ReadonlyArray<string>> => {
  const found = await find(session)
  return [
    ...kindTables.filter(({ table }) => !found.columns.has(`${table}.data`)).map(({ table }) => table),
    ...allFields.filter((place) => !isReady(place, found)).map(nameOf),
  ]
}

/** Makes the tables of new kinds, inside of a transaction. */
export const createTables = async (session: Session): Promise<void> => {
  const { columns } = await find(session)
  for (const kind of kindTables) if (!columns.has(`${kind.table}.data`)) await session.script(createTable(kind))
}

/** Adds and fills the columns of new fields of kinds that are there. */
export const bringInStep = async (session: Session): Promise<void> => {
  const found = await find(session)
  for (const place of allFields) {
    const { field, kind } = place
    const name = nameOf(place)
    if (!found.columns.has(name)) await NewField.add(session, kind, field)
    if (!isReady(place, found)) await NewField.fillAndIndex(session, kind, field)
    // What processes of the release before have written since then.
    else if (found.open.has(name)) await NewField.fill(session, kind, field)
  }
}

/** Whether processes of the release before may still write records without a field of this one. */
export const isOpen = async (session: Session): Promise<boolean> => (await find(session)).open.size > 0

/** Ends what is there for processes of earlier releases. */
export const close = async (session: Session): Promise<void> => {
  const { open } = await find(session)
  for (const place of allFields) {
    if (open.has(nameOf(place))) await NewField.close(session, place.kind, place.field)
  }
  // A field that this release does not have any more.
  for (const name of await ask(session, NewField.openFields)) {
    const [table = "", column = ""] = name.split(".")
    await NewField.forget(session, table, column)
  }
}
