/**
 * Conformance: one process at a time advances business time, which never moves back; the store counts running jobs and claims.
 * Source: ports/Store.ts (moveTime, aheadMillis, workload, platformCount); D-100, D-102.
 */

import assert from "node:assert/strict"
import { type ClockChange, Store } from "@countersign/core/store"
import { Effect } from "effect"
import { changeSet } from "./ChangeSets.ts"
import { alphaId, beta, betaId, customer, id, job, platform } from "./Examples.ts"
import { claim, committed, type Suite, waitForWork, woken } from "./Suite.ts"

/** Advances time at wall time 1000 and excludes other processes until 2000. */
const move = (changes: Partial<ClockChange> = {}) =>
  Store.use((store) => store.moveTime({ mover: "one", aheadMillis: 0, wallNow: 1000, heldUntil: 2000, ...changes }))

const ahead = Store.useSync((store) => store.aheadMillis())
const workload = (wallNow: number) => Store.use((store) => store.workload(wallNow))

export const businessTime = ({ test }: Suite): void => {
  test("starts business time at wall time and only advances it", () =>
    Effect.gen(function* () {
      assert.strictEqual(yield* ahead, 0)
      assert.strictEqual(yield* move({ aheadMillis: 500 }), 500)
      assert.strictEqual(yield* ahead, 500)
      assert.strictEqual(yield* move({ aheadMillis: 400 }), 500)
      assert.strictEqual(yield* move({ aheadMillis: 90_000_000_000 }), 90_000_000_000)
      assert.strictEqual(yield* ahead, 90_000_000_000)
    }))

  test("prevents other processes from advancing time until the first one ends or releases it", () =>
    Effect.gen(function* () {
      assert.strictEqual(yield* move({ aheadMillis: 5 }), 5)
      assert.strictEqual(yield* move({ mover: "two", aheadMillis: 7 }), undefined)
      assert.strictEqual(yield* move({ mover: "two", aheadMillis: 7, wallNow: 1999 }), undefined)
      assert.strictEqual(yield* ahead, 5)
      assert.strictEqual(yield* move({ aheadMillis: 6, wallNow: 1500, heldUntil: 3000 }), 6)
      assert.strictEqual(yield* move({ mover: "two", wallNow: 2999 }), undefined)
      assert.strictEqual(yield* move({ mover: "two", aheadMillis: 7, wallNow: 3000, heldUntil: 4000 }), 7)
      assert.strictEqual(yield* move({ aheadMillis: 8, wallNow: 3000 }), undefined)
      assert.strictEqual(yield* move({ mover: "two", wallNow: 3000, heldUntil: 0 }), 7)
      assert.strictEqual(yield* move({ aheadMillis: 8, wallNow: 3000 }), 8)
    }))

  test("lets one of many concurrent processes advance time", () =>
    Effect.gen(function* () {
      const moved = yield* Effect.forEach(
        Array.from({ length: 10 }, (_, n) => n + 1),
        (n) => move({ mover: `mover ${n}`, aheadMillis: n }),
        { concurrency: "unbounded" },
      )
      const [winner, ...others] = moved.filter((found) => found !== undefined)
      assert.deepStrictEqual(others, [])
      assert.strictEqual(yield* ahead, winner)
    }))

  test("wakes the workers when time advances", () =>
    Effect.gen(function* () {
      yield* claim()
      yield* claim({ queue: "webhook" })
      yield* move({ aheadMillis: 1 })
      yield* woken(yield* waitForWork("work"))
      yield* woken(yield* waitForWork("webhook"))
    }))

  test("counts running jobs until their leases expire, and all claims", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* workload(1000), { running: 0, claims: 0 })
      yield* committed(changeSet({ jobs: [job(1), job(2), job(3, { dueAt: 9000 }), job(4, { queue: "webhook" })] }))
      yield* committed(changeSet({ jobs: [job(5, { customerId: null })] }), beta)
      assert.deepStrictEqual(yield* workload(1000), { running: 0, claims: 0 })
      yield* claim()
      assert.deepStrictEqual(yield* workload(1000), { running: 3, claims: 3 })
      yield* claim({ queue: "webhook", leaseMillis: 5000 })
      assert.deepStrictEqual(yield* workload(1999), { running: 4, claims: 4 })
      assert.deepStrictEqual(yield* workload(2000), { running: 1, claims: 4 })
      yield* committed(changeSet({ finishes: [{ id: id("Job", 1), attempt: 1 }] }))
      const back = { id: id("Job", 2), attempt: 1, notBefore: 0, error: "no answer" }
      yield* committed(changeSet({ returns: [{ ...back, outcome: "parked" }] }))
      assert.deepStrictEqual(yield* workload(1999), { running: 2, claims: 4 })
    }))

  test("counts platforms for any caller", () =>
    Effect.gen(function* () {
      const count = Store.use((store) => store.platformCount)
      assert.strictEqual(yield* count, 0)
      yield* committed(changeSet({ inserts: [platform(alphaId), customer(1)] }))
      assert.strictEqual(yield* count, 1)
      yield* committed(changeSet({ inserts: [platform(betaId)] }), beta)
      assert.strictEqual(yield* count, 2)
    }))
}
