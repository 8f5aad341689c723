/**
 * Creates the indexes by which records and events are listed, while processes work, and drops those of earlier releases when the roll-out
 * has ended. On a table that the operator has partitioned, which has no concurrent creation, writes wait for it.
 * Source: D-060, D-500.
 */
import type { Session } from "../connection/Connection.ts"
import { quoted } from "../schema/KindTables.ts"
import { isSuperseded, type ListIndex, listIndexes } from "../schema/ListIndexes.ts"
import { createIndex } from "./NewField.ts"
import { readColumn } from "./Steps.ts"

export const definitionOf = ({ definition, name, table }: ListIndex): string =>
  `${quoted(name)} on countersign.${quoted(table)} ${definition}`

const indexes = `pg_index i join pg_class c on c.oid = i.indexrelid join pg_class t on t.oid = i.indrelid
  where t.relnamespace = 'countersign'::regnamespace`

const lacking = async (session: Session): Promise<ReadonlyArray<ListIndex>> => {
  const valid = await readColumn(session, `select t.relname || ' ' || c.relname from ${indexes} and i.indisvalid`)
  const found = new Set(valid)
  return listIndexes.filter(({ name, table }) => !found.has(`${table} ${name}`))
}

/** The names of those that do not exist, or whose creation was interrupted. */
export const missing = async (session: Session): Promise<ReadonlyArray<string>> =>
  (await lacking(session)).map(({ name }) => name)

const partitioned = (session: Session): Promise<ReadonlyArray<string>> =>
  readColumn(
    session,
    "select relname::text from pg_class where relnamespace = 'countersign'::regnamespace and relkind = 'p'",
  )

/** Creates what is missing, one index at a time; continues where an earlier attempt was interrupted. */
export const create = async (session: Session): Promise<void> => {
  const whole = await partitioned(session)
  for (const index of await lacking(session)) {
    await (whole.includes(index.table)
      ? session.script(`create index ${definitionOf(index)}`)
      : createIndex(session, index.name, definitionOf(index)))
  }
}

/** Drops the indexes of lists that only earlier releases use. */
export const endRollOut = async (session: Session): Promise<void> => {
  const whole = await partitioned(session)
  const found = await readColumn(session, `select json_build_array(t.relname, c.relname)::text from ${indexes}`)
  for (const row of found) {
    const [table = "", name = ""] = JSON.parse(row) as ReadonlyArray<string>
    if (!isSuperseded(table, name)) continue
    const concurrently = whole.includes(table) ? "" : "concurrently "
    await session.script(`drop index ${concurrently}if exists countersign.${quoted(name)}`)
  }
}
