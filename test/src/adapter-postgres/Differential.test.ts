/**
 * PostgreSQL answers as the reference does: the same histories, the same outcomes, the same state.
 * Source: architecture, "The Store port".
 */
import { MemoryStore } from "@countersign/adapter-memory"
import { WallTime } from "@countersign/core"
import { assert, it } from "@effect/vitest"
import { Effect, Layer, Schema } from "effect"
import { afterAll } from "vitest"
import { historyOf, play } from "./Histories.ts"
import * as TestDatabase from "./TestDatabase.ts"

const database = TestDatabase.create(4)
afterAll(async () => (await database).close())

const Memory = Layer.provide(MemoryStore.layer, WallTime.layerClock)
const Postgres = TestDatabase.emptyStore(async () => (await database).connection)

it.effect.prop(
  "a history has the same outcomes and the same end on PostgreSQL as in memory",
  { seed: Schema.Int },
  ({ seed }) =>
    Effect.gen(function* () {
      const history = historyOf(seed)
      const expected = yield* play(history).pipe(Effect.provide(Memory, { local: true }))
      const found = yield* play(history).pipe(Effect.provide(Postgres, { local: true }))
      assert.deepStrictEqual(found, expected)
    }),
  { arbitrary: { runs: 80 }, timeout: 120_000 },
)
