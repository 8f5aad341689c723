/**
 * The indexes by which events are listed. They are created concurrently, so that processes emit events meanwhile. On a table that the
 * operator has partitioned, which has no concurrent creation, writes of events wait for it.
 * Source: ports/Store.ts (events); D-060, D-450.
 */
import type { Session } from "../connection/Connection.ts"
import { createIndex } from "./NewField.ts"
import { readColumn } from "./Steps.ts"

/** Names and columns. A customer's events are found by the primary key, which its id leads. */
const indexes = {
  event_listed: "platform_id, created_at, id",
  event_subject: "platform_id, subject, created_at, id",
} as const

/** The names of those that do not exist, or whose creation was interrupted. */
export const missing = async (session: Session): Promise<ReadonlyArray<string>> => {
  const valid = await readColumn(
    session,
    "select c.relname::text from pg_index i join pg_class c on c.oid = i.indexrelid where i.indrelid = 'countersign.event'::regclass and i.indisvalid",
  )
  return Object.keys(indexes).filter((name) => !valid.includes(name))
}

export const create = async (session: Session): Promise<void> => {
  const lacking = await missing(session)
  const [isPartitioned] = await readColumn(
    session,
    "select (relkind = 'p')::text from pg_class where oid = 'countersign.event'::regclass",
  )
  for (const [name, columns] of Object.entries(indexes)) {
    if (!lacking.includes(name)) continue
    const definition = `${name} on countersign.event (${columns})`
    await (isPartitioned === "true"
      ? session.script(`create index ${definition}`)
      : createIndex(session, name, definition))
  }
}
