/**
 * Changes of a cell's schema on a cluster: on the coordinator, one statement at a time. The cluster applies them on all nodes.
 * Source: D-517.
 */
import type { Session } from "../connection/Connection.ts"
import { readShards } from "./Directory.ts"
import { epochTable, guardFunctions, guardName, inSchema, physical, type Shards, statementsIn } from "./PhysicalSql.ts"

const isFunction = /^(?:--[^\n]*\n|\s)*create (?:or replace )?function\b/iu

const begins = /^begin$/iu

/** How bytes are stored: a cluster has no such statement, and can do without. */
const isLeftOut = /^alter table \S+ alter column \S+ set storage \w+$/iu

/**
 * A schema that is created in this transaction stands on one node as a whole. The bodies of functions name shards, which are on that node
 * alone, so that no other could check them.
 */
const settings: ReadonlyArray<string> = [
  "set local citus.enable_schema_based_sharding = on",
  "set local citus.multi_shard_modify_mode = 'sequential'",
  "set local check_function_bodies = off",
]

const shardsIn = async (session: Session, schema: string): Promise<Shards> =>
  (await readShards(session, [schema])).get(schema) ?? new Map()

/** A session of the coordinator for the cell with this schema. */
export const sessionFor = (given: Session, schema: string): Session => ({
  query: ({ text, values }) => given.query({ text: inSchema(text, schema), values }),
  script: async (script) => {
    for (const statement of statementsIn(script)) {
      if (isLeftOut.test(statement)) continue
      await given.script(
        isFunction.test(statement)
          ? physical(statement, schema, await shardsIn(given, schema))
          : inSchema(statement, schema),
      )
      if (begins.test(statement)) for (const setting of settings) await given.script(setting)
    }
  },
})

/** Creates the table and the functions that only cells on a cluster have. Call it inside a transaction of such a session. */
export const createGuards = async (session: Session, schema: string): Promise<void> => {
  await session.script(epochTable(schema))
  for (const text of guardFunctions(schema, await shardsIn(session, schema))) await session.script(text)
}

/** Whether the cell has them. */
export const hasGuards = async (session: Session, schema: string): Promise<boolean> => {
  const found = await session.query({
    text: "select proname::text from pg_proc where proname = $1 and pronamespace = (select oid from pg_namespace where nspname = $2)",
    values: [guardName, schema],
  })
  return found.length > 0
}
