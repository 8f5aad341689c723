/**
 * Adds a field to an existing kind: its column is added at once, filled in pages that commit separately, and indexed concurrently. Until
 * the roll-out ends, triggers detect what processes of the previous release write without knowing the column.
 * Source: D-060.
 */
import type { Session } from "../connection/Connection.ts"
import { type FieldColumn, type KindTable, quoted } from "../schema/KindTables.ts"
import { inShortTransaction, readColumn, withRetries } from "./Steps.ts"

const inSchema = (name: string): string => `countersign.${quoted(name)}`

/** Whether the field has an index of its own, of the values that few records have at a time. The others are in ListIndexes.ts. */
export const isIndexed = ({ partialIndex }: FieldColumn): boolean => partialIndex.length > 0

export const indexName = (table: string, { column }: FieldColumn): string => `${table}_by_${column}`

/** The definition for `create index`. */
export const indexDefinition = (table: string, field: FieldColumn): string => {
  const values = field.partialIndex.map((value) => `'${JSON.stringify(value)}'`).join(", ")
  const part = `(platform_id, created_at) where ${quoted(field.column)} in (${values})`
  return `${quoted(indexName(table, field))} on ${inSchema(table)} ${part}`
}

/** The index of records that lack the value, few once the column is filled. It marks a filled column until the roll-out ends. */
export const unfilledIndexName = (table: string, { column }: Pick<FieldColumn, "column">): string =>
  `${table}_without_${column}`

const unfilledIndexDefinition = (table: string, field: FieldColumn): string =>
  `${quoted(unfilledIndexName(table, field))} on ${inSchema(table)} (id) where ${quoted(field.column)} is null`

const triggerFunction = (table: string, column: string): string => `mark_${table}_${column}`

/** Reads the fields with triggers, as `table.column`. */
export const unfilledFields = `select c.relname || '.' || substr(t.tgname, 8) from pg_trigger t join pg_class c on c.oid = t.tgrelid
  where c.relnamespace = 'countersign'::regnamespace and t.tgname like 'mark\\_2\\_%'`

/**
 * SQL null means "not filled", because the value of a field is at least JSON null. A record that the previous release inserts has SQL
 * null by itself. A record that it updates would keep a stale value, so two triggers detect the update: the first one wraps the value
 * if the statement assigns the column, and the second one unwraps it, or sets SQL null if it is not wrapped.
 */
const createTriggers = (table: string, column: string): string => `
create function ${inSchema(triggerFunction(table, column))}() returns trigger language plpgsql as $body$
begin
  new.${quoted(column)} := case when tg_argv[0] = 'named' then jsonb_build_array(new.${quoted(column)})
    when jsonb_typeof(new.${quoted(column)}) = 'array' then new.${quoted(column)}->0 end;
  return new;
end $body$;
create trigger ${quoted(`mark_1_${column}`)} before update of ${quoted(column)} on ${inSchema(table)}
  for each row execute function ${inSchema(triggerFunction(table, column))}('named');
create trigger ${quoted(`mark_2_${column}`)} before update on ${inSchema(table)}
  for each row execute function ${inSchema(triggerFunction(table, column))}('any');`

const dropTriggers = (table: string, column: string): string => `
drop trigger ${quoted(`mark_1_${column}`)} on ${inSchema(table)};
drop trigger ${quoted(`mark_2_${column}`)} on ${inSchema(table)};`

const dropTriggerFunction = (table: string, column: string): string => `
drop function ${inSchema(triggerFunction(table, column))}();
drop index if exists ${inSchema(unfilledIndexName(table, { column }))};`

/** Adds the column and its triggers without rewriting the table. */
export const add = (session: Session, { table }: KindTable, { column }: FieldColumn): Promise<void> =>
  inShortTransaction(session, () =>
    session.script(
      `alter table ${inSchema(table)} add column ${quoted(column)} jsonb;${createTriggers(table, column)}`,
    ),
  )

const pageSize = 500

interface Scan {
  readonly found: number
  readonly filled: number
}

/** Scans the records without the value once and fills them page by page. Each page is committed, so a crash loses at most one. */
const scan = async (session: Session, { table }: KindTable, { column, read }: FieldColumn): Promise<Scan> => {
  let after = ""
  let found = 0
  let filled = 0
  for (;;) {
    const rows = (
      await session.query({
        text: `select json_build_array(id, version, data)::text from ${inSchema(table)}
          where ${quoted(column)} is null and id > $1 order by id limit ${pageSize}`,
        values: [after],
      })
    ).map((row) => JSON.parse(row ?? "[]") as readonly [string, number, unknown])
    const values = rows.map(([id, version, data]) => [id, version, read(data) ?? null])
    // A record that was or is being changed is left to the next scan, so that no transaction waits for a page.
    const updated = await withRetries(session, () =>
      session.query({
        text: `with v as (select w->>0 id, (w->>1)::int version, w->2 value from jsonb_array_elements($1::jsonb) w),
          held as (select t.id, v.value from v join ${inSchema(table)} t using (id)
            where t.version = v.version and t.${quoted(column)} is null for no key update of t skip locked)
          update ${inSchema(table)} t set ${quoted(column)} = held.value from held
            where t.id = held.id returning t.id`,
        values: [JSON.stringify(values)],
      }),
    )
    found += rows.length
    filled += updated.length
    const last = rows.at(-1)
    if (last === undefined || rows.length < pageSize) return { found, filled }
    after = last[0]
  }
}

const scansMax = 5

/** Fills the column until no record is left, except for records that other processes are writing. */
export const fill = async (session: Session, kind: KindTable, field: FieldColumn): Promise<void> => {
  for (let scans = 0; scans < scansMax; scans++) {
    const { filled, found } = await scan(session, kind, field)
    if (found === 0) return
    if (filled < found) await readColumn(session, "select pg_sleep(0.1)::text")
  }
}

/** Creates an index concurrently. An index whose creation was interrupted is invalid: it is dropped and created again. */
export const createIndex = (session: Session, name: string, definition: string): Promise<void> =>
  withRetries(session, async () => {
    const [isValid] = await readColumn(
      session,
      `select indisvalid::text from pg_index where indexrelid = to_regclass('${inSchema(name)}')`,
    )
    if (isValid === "true") return
    if (isValid !== undefined) await session.script(`drop index concurrently ${inSchema(name)}`)
    await session.script(`create index concurrently ${definition}`)
  })

/** Fills and indexes the column; resumes where an earlier attempt was interrupted. */
export const fillAndIndex = async (session: Session, kind: KindTable, field: FieldColumn): Promise<void> => {
  const { table } = kind
  const hasTriggers = (await readColumn(session, unfilledFields)).includes(`${table}.${field.column}`)
  // A column without triggers was added by hand before the release; its values are left as they are.
  if (hasTriggers) await fill(session, kind, field)
  if (isIndexed(field)) await createIndex(session, indexName(table, field), indexDefinition(table, field))
  if (!hasTriggers) return
  await createIndex(session, unfilledIndexName(table, field), unfilledIndexDefinition(table, field))
  await fill(session, kind, field)
}

/** Removes the triggers of a field that this release does not have; its column stays. */
export const abandon = (session: Session, table: string, column: string): Promise<void> =>
  inShortTransaction(session, () =>
    session.script(`${dropTriggers(table, column)}${dropTriggerFunction(table, column)}`),
  )

/** Rolls the transaction back, because records are still unfilled. */
class Unfilled extends Error {}

const endAttemptsMax = 20

/** Fills the column a last time, and drops the triggers in a transaction that finds no unfilled record. */
export const endRollOut = async (session: Session, kind: KindTable, field: FieldColumn): Promise<void> => {
  const { table } = kind
  for (let attempt = 0; attempt < endAttemptsMax; attempt++) {
    await fill(session, kind, field)
    try {
      return await inShortTransaction(session, async () => {
        await session.script(dropTriggers(table, field.column))
        const left = await readColumn(
          session,
          `select id from ${inSchema(table)} where ${quoted(field.column)} is null limit 1`,
        )
        if (left.length > 0)
          throw new Unfilled(`${table}.${field.column} has unfilled records that other transactions keep locked`)
        await session.script(dropTriggerFunction(table, field.column))
      })
    } catch (error) {
      if (!(error instanceof Unfilled) || attempt === endAttemptsMax - 1) throw error
    }
  }
}
