/** The tables of a new database have statistics after a thousand commits, without autovacuum. Source: D-492. */
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { afterAll } from "vitest"
import { changeSet } from "../../../packages/test/src/conformance/ChangeSets.ts"
import { committed } from "../../../packages/test/src/conformance/Suite.ts"
import { eventually } from "../e2e/Deadline.ts"
import * as TestDatabase from "./TestDatabase.ts"

const database = TestDatabase.create(4)
afterAll(async () => (await database).close())

const Postgres = TestDatabase.emptyStore(async () => (await database).connection)

/** The number of rows at the last analysis; -1: never analysed. */
const analyzedRows = async (table: string): Promise<number> => {
  const { pool } = await database
  const { rows } = await pool.query<{ readonly rows: number }>(
    "select reltuples::int as rows from pg_class where oid = ('countersign.' || $1)::regclass",
    [table],
  )
  return rows[0]?.rows ?? Number.NaN
}

it.effect(
  "a table that grows is analysed between commits, and one that stays empty is not",
  () =>
    Effect.gen(function* () {
      const { pool } = yield* Effect.promise(() => database)
      yield* Effect.promise(() => pool.query("alter table countersign.operation set (autovacuum_enabled = false)"))
      const before = yield* Effect.promise(() => analyzedRows("vault_chunk"))
      const sets = Array.from({ length: 1000 }, (_, index) => changeSet({ operationId: `operation ${index}` }))
      yield* Effect.forEach(sets, (set) => committed(set), { concurrency: 64 })
      yield* Effect.promise(() =>
        eventually(
          "statistics",
          () => analyzedRows("operation"),
          (rows) => rows > 500,
        ),
      )
      assert.strictEqual(yield* Effect.promise(() => analyzedRows("vault_chunk")), before)
    }).pipe(Effect.provide(Postgres)),
  120_000,
)
