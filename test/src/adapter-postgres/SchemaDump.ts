/**
 * Dumps a database as SQL text: tables, constraints, indexes, functions, triggers and rows, in the same order on every server. The dump of
 * each released schema is kept, so that the tests of upgrades start from real data.
 */
import type { Connection } from "@countersign/adapter-postgres"

const schema = "countersign"
const inSchema = `'${schema}'::regnamespace`

const tables = `
  select format(E'create table %s (\\n%s\\n)%s;', c.oid::regclass, (
      select string_agg(format('  %I %s%s%s%s', a.attname, format_type(a.atttypid, a.atttypmod),
          case when a.attcollation <> t.typcollation then ' collate ' || quote_ident(l.collname) else '' end,
          case when a.attidentity <> '' then ' generated always as identity'
            when d.adbin is not null then ' default ' || pg_get_expr(d.adbin, d.adrelid) else '' end,
          case when a.attnotnull then ' not null' else '' end), E',\\n' order by a.attnum)
      from pg_attribute a join pg_type t on t.oid = a.atttypid left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
        left join pg_collation l on l.oid = a.attcollation
      where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped),
    case when c.reloptions is null then '' else ' with (' || array_to_string(c.reloptions, ', ') || ')' end)
  from pg_class c where c.relnamespace = ${inSchema} and c.relkind = 'r' order by c.relname`

// Foreign keys follow the keys that they reference; "not null" is part of the columns.
const constraints = `
  select format('alter table %s add constraint %I %s;', k.conrelid::regclass, k.conname, pg_get_constraintdef(k.oid))
  from pg_constraint k where k.connamespace = ${inSchema} and k.contype in ('p', 'u', 'c', 'f')
  order by position(k.contype in 'pucf'), k.conrelid::regclass::text, k.conname`

const indexes = `
  select pg_get_indexdef(i.indexrelid) || ';' from pg_index i join pg_class c on c.oid = i.indexrelid
  where c.relnamespace = ${inSchema} and not exists (select from pg_constraint k where k.conindid = i.indexrelid and k.contype in ('p', 'u')) order by c.relname`

const functions = `select rtrim(pg_get_functiondef(f.oid), E'\\n') || ';' from pg_proc f where f.pronamespace = ${inSchema} order by f.proname`

const triggers = `
  select pg_get_triggerdef(t.oid) || ';' from pg_trigger t join pg_class c on c.oid = t.tgrelid
  where c.relnamespace = ${inSchema} and not t.tgisinternal order by c.relname, t.tgname`

/** The structure as statements. The search path is empty, so that every name has its schema. */
const structure: ReadonlyArray<readonly [name: string, text: string]> = [
  ["Tables", tables],
  ["Constraints", constraints],
  ["Indexes", indexes],
  ["Functions", functions],
  ["Triggers", triggers],
]

type ReadColumn = (text: string) => Promise<ReadonlyArray<string>>

const readColumnOn =
  (connection: Connection): ReadColumn =>
  async (text) =>
    (await connection.query({ text, values: [] })).flatMap((row) => (row === null ? [] : [row]))

/** The tables; those that others reference come first. */
const tableNames = `select c.relname::text from pg_class c where c.relnamespace = ${inSchema} and c.relkind = 'r'
  order by exists (select from pg_constraint k where k.conrelid = c.oid and k.contype = 'f'), c.relname`

const rowsOf = async (readColumn: ReadColumn, table: string): Promise<ReadonlyArray<string>> => {
  const rows = await readColumn(`select row_to_json(t)::text from ${schema}."${table}" t order by t::text collate "C"`)
  const [identity] = await readColumn(
    `select attname::text from pg_attribute where attrelid = '${schema}."${table}"'::regclass and attidentity <> ''`,
  )
  // JSON null inside a row becomes SQL null as a column, which a listed field never is.
  const columns = await readColumn(
    `select case when atttypid in ('json'::regtype, 'jsonb'::regtype) and attnotnull then format('coalesce(%I, ''null'')', attname) else format('%I', attname) end
       from pg_attribute where attrelid = '${schema}."${table}"'::regclass and attnum > 0 and not attisdropped order by attnum`,
  )
  const insert = (row: string) =>
    `insert into ${schema}."${table}" overriding system value select ${columns.join(", ")} from json_populate_record(null::${schema}."${table}", ${quoted(row)});`
  const advance =
    identity === undefined || rows.length === 0
      ? []
      : [
          `select setval(pg_get_serial_sequence('${schema}.${table}', '${identity}'), (select max(${identity}) from ${schema}."${table}"));`,
        ]
  return [...rows.map(insert), ...advance]
}

const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`

/** The structure in the catalog, without rows: equal for two databases of one release. */
export const structureOf = async (connection: Connection): Promise<ReadonlyMap<string, ReadonlyArray<string>>> => {
  const found = new Map<string, ReadonlyArray<string>>()
  for (const [name, text] of structure) {
    found.set(
      name,
      await connection.session(async ({ query, script }) => {
        await script("set search_path = ''")
        const rows = await query({ text, values: [] })
        await script("reset search_path")
        return rows.flatMap((row) => (row === null ? [] : [row]))
      }),
    )
  }
  return found
}

/** The complete database as a script that creates it in an empty one. */
export const dump = async (connection: Connection, heading: string): Promise<string> => {
  const readColumn = readColumnOn(connection)
  const parts = [`-- ${heading}`, `create schema ${schema};`, "set check_function_bodies = off;"]
  const found = await structureOf(connection)
  // Rows precede triggers, which would reject them; the order of the tables satisfies foreign keys.
  for (const [name, statements] of found) {
    if (name === "Triggers") {
      parts.push("-- Rows")
      for (const table of await readColumn(tableNames)) parts.push(...(await rowsOf(readColumn, table)))
    }
    parts.push(`-- ${name}`, ...statements)
  }
  parts.push("reset check_function_bodies;")
  return `${parts.join("\n\n")}\n`
}
