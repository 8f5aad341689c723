/**
 * Migrates the tables of the stored kinds to `Kinds`: a new kind gets a table, and a new field of a known kind gets a column that is
 * filled while processes work. Nothing is ever dropped.
 * Source: architecture, "Where a new thing goes" (stored kind); D-060.
 */
import type { Session } from "../connection/Connection.ts"
import { type FieldColumn, type KindTable, kindTables, quoted } from "../schema/KindTables.ts"
import { listIndexes } from "../schema/ListIndexes.ts"
import * as ListIndexes from "./ListIndexes.ts"
import * as NewField from "./NewField.ts"
import { readColumn } from "./Steps.ts"

/**
 * A field's value is stored as a JSON scalar, because `Kinds` does not declare its type and a text must never equal a number. The data
 * is stored and read as it was written; no statement looks into it.
 */
const createTable = ({ fields, table }: KindTable): string => `
create table ${quoted(table)} (
  owner_id text collate "C" not null, platform_id text collate "C" not null, customer_id text collate "C",
  id text collate "C" not null unique, version int not null, created_at bigint not null, updated_at bigint not null,
  ${fields.map(({ column }) => `${quoted(column)} jsonb, `).join("")}data json not null
) with (fillfactor = 70);
alter table ${quoted(table)} replica identity using index ${quoted(`${table}_id_key`)};
${listIndexes
  .filter((index) => index.table === table)
  .map((index) => `create index ${ListIndexes.definitionOf(index)};`)
  .join("\n")}
${fields
  .filter(NewField.isIndexed)
  .map((field) => `create index ${NewField.indexDefinition(table, field)};`)
  .join("\n")}`

interface Catalog {
  /** As `table.column`. */
  readonly columns: ReadonlySet<string>
  /** Names of the valid indexes. */
  readonly indexes: ReadonlySet<string>
  /** As `table.column`: columns that processes of another release may leave unfilled. */
  readonly unfilled: ReadonlySet<string>
}

const inSchema = "relnamespace = 'countersign'::regnamespace"

const readCatalog = async (session: Session): Promise<Catalog> => {
  return {
    columns: new Set(
      await readColumn(
        session,
        // "offset 0" looks up the columns of each table: the catalog has those of all cells, and no statistics.
        `select c.relname || '.' || a.attname from pg_class c cross join lateral (
          select attname from pg_attribute where attrelid = c.oid and attnum > 0 and not attisdropped offset 0) a
          where c.${inSchema} and c.relkind in ('r', 'p')`,
      ),
    ),
    indexes: new Set(
      await readColumn(
        session,
        `select c.relname::text from pg_index i join pg_class c on c.oid = i.indexrelid where c.${inSchema} and i.indisvalid`,
      ),
    ),
    unfilled: new Set(await readColumn(session, NewField.unfilledFields)),
  }
}

interface KindField {
  readonly kind: KindTable
  readonly field: FieldColumn
}

const allFields: ReadonlyArray<KindField> = kindTables.flatMap((kind) => kind.fields.map((field) => ({ kind, field })))
const nameOf = ({ field, kind }: KindField): string => `${kind.table}.${field.column}`

/** Whether lists by the field are complete, except for records that processes of another release write now. */
const isReady = (kindField: KindField, { columns, indexes, unfilled }: Catalog): boolean => {
  const { field, kind } = kindField
  return (
    columns.has(nameOf(kindField)) &&
    (!NewField.isIndexed(field) || indexes.has(NewField.indexName(kind.table, field))) &&
    (!unfilled.has(nameOf(kindField)) || indexes.has(NewField.unfilledIndexName(kind.table, field)))
  )
}

/** What the tables lack: names of tables, and of fields as `table.column`. */
export const missing = async (session: Session): Promise<ReadonlyArray<string>> => {
  const catalog = await readCatalog(session)
  return [
    ...kindTables.filter(({ table }) => !catalog.columns.has(`${table}.data`)).map(({ table }) => table),
    ...allFields.filter((kindField) => !isReady(kindField, catalog)).map(nameOf),
  ]
}

/** Creates the tables of new kinds. Call it inside a transaction. */
export const createTables = async (session: Session): Promise<void> => {
  const { columns } = await readCatalog(session)
  for (const kind of kindTables) if (!columns.has(`${kind.table}.data`)) await session.script(createTable(kind))
}

/** Adds and fills the columns of new fields of existing kinds. */
export const addFields = async (session: Session): Promise<void> => {
  const catalog = await readCatalog(session)
  for (const kindField of allFields) {
    const { field, kind } = kindField
    const name = nameOf(kindField)
    if (!catalog.columns.has(name)) await NewField.add(session, kind, field)
    if (!isReady(kindField, catalog)) await NewField.fillAndIndex(session, kind, field)
    // Processes of the previous release may have written records since the last migration.
    else if (catalog.unfilled.has(name)) await NewField.fill(session, kind, field)
  }
}

/** Whether processes of the previous release may still write records without a field of this release. */
export const hasUnfilledFields = async (session: Session): Promise<boolean> =>
  (await readCatalog(session)).unfilled.size > 0

/** Removes the triggers and indexes that exist for processes of earlier releases. */
export const endRollOut = async (session: Session): Promise<void> => {
  const { unfilled } = await readCatalog(session)
  for (const kindField of allFields) {
    if (unfilled.has(nameOf(kindField))) await NewField.endRollOut(session, kindField.kind, kindField.field)
  }
  // Fields that this release no longer has.
  for (const name of await readColumn(session, NewField.unfilledFields)) {
    const [table = "", column = ""] = name.split(".")
    await NewField.abandon(session, table, column)
  }
}
