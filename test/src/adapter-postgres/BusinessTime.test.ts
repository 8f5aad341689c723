/**
 * Two stores on one database, as of two processes: when one advances time, the other reads the new time with its next request or claim,
 * and with its start.
 * Source: D-102; ports/Store.ts (aheadMillis).
 */
import { PostgresStore } from "@countersign/adapter-postgres"
import { CurrentCaller } from "@countersign/core"
import { WallTime } from "@countersign/core/ports"
import { Store } from "@countersign/core/store"
import { assert, it } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { afterAll } from "vitest"
import { changeSet } from "../../../packages/test/src/conformance/ChangeSets.ts"
import { alpha, customer } from "../../../packages/test/src/conformance/Examples.ts"
import { claim } from "../../../packages/test/src/conformance/Suite.ts"
import * as TestDatabase from "./TestDatabase.ts"

const made = TestDatabase.create(4)
afterAll(async () => (await made).close())

/** A separate store that closes with the scope. */
const process = Effect.gen(function* () {
  const { connection } = yield* Effect.promise(() => made)
  const built = yield* Layer.build(Layer.provide(Layer.fresh(PostgresStore.layer({ connection })), WallTime.layerClock))
  return Context.get(built, Store)
})

const hour = 3_600_000
const hold = { mover: "one", wallNow: 0, heldUntil: 0 }
const uniqueKey = { scope: "global", key: "client" } as const

it.effect("a process reads the time that another process advanced with its next request and with its next claim", () =>
  Effect.gen(function* () {
    const one = yield* process
    const two = yield* process
    const commit = one.commit(
      changeSet({
        inserts: [customer(1)],
        claims: [{ ...uniqueKey, record: { kind: "Customer", id: customer(1).id } }],
      }),
    )
    yield* Effect.provideService(commit, CurrentCaller, alpha)
    assert.strictEqual(yield* one.moveTime({ ...hold, aheadMillis: hour }), hour)
    assert.deepStrictEqual([one.aheadMillis(), two.aheadMillis()], [hour, 0])
    // A lookup of an unknown credential also returns the offset.
    assert.isUndefined(yield* two.resolve({ ...uniqueKey, key: "nobody" }))
    assert.strictEqual(two.aheadMillis(), hour)
    yield* one.moveTime({ ...hold, aheadMillis: 2 * hour })
    const found = yield* Effect.forEach(
      Array.from({ length: 5 }, () => uniqueKey),
      two.resolve,
      { concurrency: "unbounded" },
    )
    assert.deepStrictEqual(
      found.map((record) => record?.id),
      Array.from({ length: 5 }, () => customer(1).id),
    )
    assert.strictEqual(two.aheadMillis(), 2 * hour)
    yield* one.moveTime({ ...hold, aheadMillis: 3 * hour })
    yield* Effect.provideService(claim(), Store, two)
    assert.strictEqual(two.aheadMillis(), 3 * hour)
    // A job that the new time makes due is claimed at once.
    yield* two.awaitWork("work")
    assert.strictEqual((yield* process).aheadMillis(), 3 * hour)
    assert.strictEqual(yield* two.moveTime({ ...hold, mover: "two", aheadMillis: hour }), 3 * hour)
  }).pipe(Effect.scoped),
)
