/**
 * The commits that take one set after another are a `Store` of their own, and do as the reference in memory does. They commit what a batch
 * meets a conflict with, what spans cells, and what an embedder commits in its own transaction.
 * Source: architecture, "The Store port"; D-522.
 */
import { MemoryStore } from "@countersign/adapter-memory"
import type { Connection } from "@countersign/adapter-postgres"
import { WallTime } from "@countersign/core/ports"
import { assert, it } from "@effect/vitest"
import { Effect, Layer, Schema } from "effect"
import { afterAll, expect } from "vitest"
import { storeConformance } from "../../../packages/test/src/conformance/index.ts"
import { historyOf, runHistory } from "./Histories.ts"
import * as TestDatabase from "./TestDatabase.ts"

const database = TestDatabase.create(8)
let [batches, serial] = [0, 0]

afterAll(async () => {
  expect(Math.min(batches, serial)).toBeGreaterThan(1000)
  await (await database).close()
})

/** Every batch meets a conflict that it attributes to none of its sets. */
const withoutBatches = async (): Promise<Connection> => {
  const { connection } = await database
  const query: Connection["query"] = async (statement) => {
    if (statement.name === "countersign_commit_serial") serial += 1
    if (statement.name !== "countersign_commit_group") return connection.query(statement)
    batches += 1
    throw Object.assign(new Error("a batch"), { code: "CS002", severity: "ERROR" })
  }
  return { ...connection, query }
}

const Memory = Layer.provide(MemoryStore.layer, WallTime.layerClock)
const Postgres = TestDatabase.emptyStore(withoutBatches)

storeConformance("PostgreSQL, one set after another", Postgres, { timeoutMillis: 60_000 })

it.effect.prop(
  "a history has the same outcomes and the same final state, one set after another, as in memory",
  { seed: Schema.Int },
  ({ seed }) =>
    Effect.gen(function* () {
      const history = historyOf(seed)
      const expected = yield* runHistory(history).pipe(Effect.provide(Memory, { local: true }))
      const found = yield* runHistory(history).pipe(Effect.provide(Postgres, { local: true }))
      assert.deepStrictEqual(found, expected)
    }),
  { arbitrary: { runs: 40 }, timeout: 120_000 },
)
