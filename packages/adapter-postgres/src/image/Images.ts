/**
 * The state of a database that only this process uses, as text, and its replacement in one transaction.
 * Source: D-470; core/store/StateImages.ts.
 */
import { ImageInvalid, type StateGate, type StateImages, StoreUnavailable } from "@countersign/core/store"
import { Effect } from "effect"
import type { Connection, Session } from "../connection/Connection.ts"
import { codeOf } from "../connection/Failure.ts"
import { type ImageRows, imageWithoutCredentials, rowsOf } from "./ImageRows.ts"
import { deleteAllButPlatform, deleteWorld, nameOf, worldRows, worldTables } from "./ImageTables.ts"

/** What changes with the state. */
interface Held {
  readonly gate: StateGate.StateGate
  readonly schemaVersion: number
  /** Runs in the transaction of a replacement: releases the jobs of the image, which no worker has. */
  readonly releaseJobs: (session: Session) => Promise<void>
  /** Learns the offset of the clock after a replacement, and wakes the workers. */
  readonly onReplaced: () => Promise<void>
}

const unavailable = (cause: unknown) => new StoreUnavailable({ unknown: false, cause })

/** A row that the tables refuse: its values, or a rule of the schema. */
const isRefusedRow = (error: unknown): boolean => /^(?:22|23|42)/u.test(codeOf(error) ?? "")

const inTransaction = (connection: Connection, use: (session: Session) => Promise<void>): Promise<void> =>
  connection.session(async (session) => {
    await session.script("begin")
    try {
      await use(session)
      await session.script("commit")
    } catch (error) {
      await session.script("rollback").catch(() => undefined)
      throw error
    }
  })

/** The entries of one operation balance in one statement only, so a table is inserted by one. */
const insertRows = async (session: Session, table: string, rows: ImageRows[string]): Promise<void> => {
  if (rows.length === 0) return
  await session.query({
    text: `insert into ${nameOf(table)} overriding system value
      select * from json_populate_recordset(null::${nameOf(table)}, $1::json)`,
    values: [JSON.stringify(rows)],
  })
}

const continueSequence = `select setval(pg_get_serial_sequence('countersign.job', 'sequence'),
  greatest((select coalesce(max(sequence), 0) from countersign.job), 1))`

export const make = (connection: Connection, { gate, onReplaced, releaseJobs, schemaVersion }: Held): StateImages => {
  const replaceBy = (use: (session: Session) => Promise<void>) =>
    gate.replace(
      Effect.tryPromise({
        try: async () => {
          await inTransaction(connection, use)
          await onReplaced()
        },
        catch: (cause) =>
          isRefusedRow(cause) ? new ImageInvalid({ message: "the store refuses its records" }) : unavailable(cause),
      }),
    )
  const tablesOf = Effect.tryPromise({ try: () => worldTables(connection.query), catch: unavailable })
  return {
    format: `folder ${schemaVersion}`,
    capture: Effect.tryPromise({
      try: () =>
        connection.session(async ({ query }) => {
          const parts: Array<string> = []
          // No other statement runs meanwhile: the database has one session.
          for (const table of await worldTables(query)) {
            const [rows] = await query({
              text: `select coalesce(json_agg(row_to_json(t)), '[]')::text from (select * from ${nameOf(table)} where ${worldRows(table)}) as t`,
              values: [],
            })
            parts.push(`${JSON.stringify(table)}:${rows ?? "[]"}`)
          }
          return `{"tables":{${parts.join(",")}}}`
        }),
      catch: unavailable,
    }),
    replace: Effect.fnUntraced(function* (image, platformId) {
      const tables = yield* tablesOf
      const rows = yield* rowsOf(image, tables, platformId)
      yield* replaceBy(async (session) => {
        await deleteWorld(session, tables)
        for (const table of tables) await insertRows(session, table, rows[table] ?? [])
        await session.script(continueSequence)
        await releaseJobs(session)
      })
    }),
    withoutCredentials: imageWithoutCredentials,
    reset: Effect.gen(function* () {
      const tables = yield* tablesOf
      yield* replaceBy((session) => deleteAllButPlatform(session, tables)).pipe(
        Effect.catchTag("ImageInvalid", (error) => Effect.die(error)),
      )
    }),
  }
}
