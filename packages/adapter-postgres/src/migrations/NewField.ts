/**
 * A field that a kind got later: its column is added in a moment, filled in pages that each commit, and indexed while everybody goes
 * on. Until the release before has ended, triggers tell what its processes write without knowing the column.
 * Source: D-060.
 */
import type { Session } from "../connection/Connection.ts"
import { type FieldColumn, type KindTable, quoted, textOf } from "../schema/KindTables.ts"
import { ask, patiently, shortly } from "./Steps.ts"

const inSchema = (name: string): string => `countersign.${quoted(name)}`

/**
 * An index is paid by every insert, and an indexed field that changes costs a new entry in each index of the table. So what names few
 * records has one (`sought`), and of a field like a status only those values that few records have at a time (`rare`); a status
 * that splits a list in a few large parts is found by walking the list.
 */
export const isIndexed = ({ partialIndex: rare, indexed: sought }: FieldColumn): boolean => sought || rare.length > 0

export const indexName = (table: string, { column }: FieldColumn): string => `${table}_by_${column}`

/** For `create index`: a sought text is compared as such, which is far cheaper than JSON is; what is no text is found by its list. */
export const indexOf = (table: string, field: FieldColumn): string => {
  const column = quoted(field.column)
  const values = field.partialIndex.map((value) => `'${JSON.stringify(value)}'`).join(", ")
  const text = textOf(column)
  const part = field.indexed
    ? `(${text}, created_at) where ${text} is not null`
    : `(platform_id, created_at) where ${column} in (${values})`
  return `${quoted(indexName(table, field))} on ${inSchema(table)} ${part}`
}

/** The records that lack the value: few, once the column was filled. It stands for "filled once", and ends with the triggers. */
export const unfilledName = (table: string, { column }: Pick<FieldColumn, "column">): string =>
  `${table}_without_${column}`

const unfilledIndex = (table: string, field: FieldColumn): string =>
  `${quoted(unfilledName(table, field))} on ${inSchema(table)} (id) where ${quoted(field.column)} is null`

const markName = (table: string, column: string): string => `mark_${table}_${column}`

/** As `table.column`, from the triggers. */
export const openFields = `select c.relname || '.' || substr(t.tgname, 8) from pg_trigger t join pg_class c on c.oid = t.tgrelid
  where c.relnamespace = 'countersign'::regnamespace and t.tgname like 'mark\\_2\\_%'`

/**
 * SQL null means "not filled"; a field's value is at the least JSON null. A record that the release before inserts has it by itself.
 * One that it updates would keep a value that is no longer true: so whoever names the column has its value wrapped by the first
 * trigger, and from whom it does not come wrapped to the second has not named it.
 */
const mark = (table: string, column: string): string => `
create function ${inSchema(markName(table, column))}() returns trigger language plpgsql as $body$
begin
  new.${quoted(column)} := case when tg_argv[0] = 'named' then jsonb_build_array(new.${quoted(column)})
    when jsonb_typeof(new.${quoted(column)}) = 'array' then new.${quoted(column)}->0 end;
  return new;
end $body$;
create trigger ${quoted(`mark_1_${column}`)} before update of ${quoted(column)} on ${inSchema(table)}
  for each row execute function ${inSchema(markName(table, column))}('named');
create trigger ${quoted(`mark_2_${column}`)} before update on ${inSchema(table)}
  for each row execute function ${inSchema(markName(table, column))}('any');`

const dropTriggers = (table: string, column: string): string => `
drop trigger ${quoted(`mark_1_${column}`)} on ${inSchema(table)};
drop trigger ${quoted(`mark_2_${column}`)} on ${inSchema(table)};`

const dropRest = (table: string, column: string): string => `
drop function ${inSchema(markName(table, column))}();
drop index if exists ${inSchema(unfilledName(table, { column }))};`

/** The column and its triggers: nothing is rewritten. */
export const add = (session: Session, { table }: KindTable, { column }: FieldColumn): Promise<void> =>
  shortly(session, () =>
    session.script(`alter table ${inSchema(table)} add column ${quoted(column)} jsonb;${mark(table, column)}`),
  )

const page = 500

interface Walked {
  readonly found: number
  readonly filled: number
}

/** Walks once over the records without the value. What is filled stays so, whatever happens to this process. */
const walk = async (session: Session, { table }: KindTable, { column, read }: FieldColumn): Promise<Walked> => {
  let after = ""
  let found = 0
  let filled = 0
  for (;;) {
    const rows = (
      await session.query({
        text: `select json_build_array(id, version, data)::text from ${inSchema(table)}
          where ${quoted(column)} is null and id > $1 order by id limit ${page}`,
        values: [after],
      })
    ).map((row) => JSON.parse(row ?? "[]") as readonly [string, number, unknown])
    const values = rows.map(([id, version, data]) => [id, version, read(data) ?? null])
    // A record that was changed meanwhile, or is being changed, is left to the next walk: nobody waits for a page.
    const done = await patiently(session, () =>
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
    filled += done.length
    const last = rows.at(-1)
    if (last === undefined || rows.length < page) return { found, filled }
    after = last[0]
  }
}

const walksMax = 5

/** Fills until nothing is left, or only what others write at this very time. */
export const fill = async (session: Session, kind: KindTable, field: FieldColumn): Promise<void> => {
  for (let walks = 0; walks < walksMax; walks++) {
    const { filled, found } = await walk(session, kind, field)
    if (found === 0) return
    if (filled < found) await ask(session, "select pg_sleep(0.1)::text")
  }
}

/** An index that came to its end; of one that was broken off, nothing can be used. */
const makeIndex = (session: Session, name: string, definition: string): Promise<void> =>
  patiently(session, async () => {
    const [isValid] = await ask(
      session,
      `select indisvalid::text from pg_index where indexrelid = to_regclass('${inSchema(name)}')`,
    )
    if (isValid === "true") return
    if (isValid !== undefined) await session.script(`drop index concurrently ${inSchema(name)}`)
    await session.script(`create index concurrently ${definition}`)
  })

/** Goes on where it was broken off. */
export const fillAndIndex = async (session: Session, kind: KindTable, field: FieldColumn): Promise<void> => {
  const { table } = kind
  const isMarked = (await ask(session, openFields)).includes(`${table}.${field.column}`)
  // A column that was made by hand before the release is as its maker wants it.
  if (isMarked) await fill(session, kind, field)
  if (isIndexed(field)) await makeIndex(session, indexName(table, field), indexOf(table, field))
  if (!isMarked) return
  await makeIndex(session, unfilledName(table, field), unfilledIndex(table, field))
  await fill(session, kind, field)
}

/** For a field that this release does not have. */
export const forget = (session: Session, table: string, column: string): Promise<void> =>
  shortly(session, () => session.script(`${dropTriggers(table, column)}${dropRest(table, column)}`))

/** Signals that a transaction is given up. */
class Unfilled extends Error {}

const closingsMax = 20

/** Fills a last time, and takes the triggers away in the moment in which nothing is left to fill. */
export const close = async (session: Session, kind: KindTable, field: FieldColumn): Promise<void> => {
  const { table } = kind
  for (let attempt = 0; attempt < closingsMax; attempt++) {
    await fill(session, kind, field)
    try {
      return await shortly(session, async () => {
        await session.script(dropTriggers(table, field.column))
        const left = await ask(
          session,
          `select id from ${inSchema(table)} where ${quoted(field.column)} is null limit 1`,
        )
        if (left.length > 0) throw new Unfilled(`${table}.${field.column} has records that others keep locked`)
        await session.script(dropRest(table, field.column))
      })
    } catch (error) {
      if (!(error instanceof Unfilled) || attempt === closingsMax - 1) throw error
    }
  }
}
