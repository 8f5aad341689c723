/**
 * Conformance: the jobs of one lane run one after another, and a head that keeps failing blocks them for a limited time.
 * Source: architecture, "The Store port" (claim); ports/ChangeSet.ts (NewJob, lane).
 */

import assert from "node:assert/strict"
import type { NewJob } from "@countersign/core/store"
import { Effect } from "effect"
import { changeSet } from "./ChangeSets.ts"
import { beta, id, job } from "./Examples.ts"
import { claim, committed, type Suite } from "./Suite.ts"

const laned = (n: number, changes: Partial<NewJob> = {}) => job(n, { lane: "lane", ...changes })
const added = (...jobs: ReadonlyArray<NewJob>) => committed(changeSet({ jobs }))
const ids = Effect.map((claimed: ReadonlyArray<{ readonly id: string }>) => claimed.map(({ id }) => id))
const jobIds = (...ns: ReadonlyArray<number>) => ns.map((n) => id("Job", n))
const finish = (n: number, attempt = 1) => committed(changeSet({ finishes: [{ id: id("Job", n), attempt }] }))
const giveBack = (n: number, attempt: number, notBefore: number, outcome: "retry" | "parked" = "retry") =>
  committed(changeSet({ returns: [{ id: id("Job", n), attempt, outcome, notBefore, error: "no answer" }] }))

export const lanes = ({ test }: Suite): void => {
  test("claims only the head of a lane, in commit order, even if a later job is due earlier", () =>
    Effect.gen(function* () {
      yield* added(laned(1, { dueAt: 900 }), laned(2, { dueAt: 100 }), laned(3), job(4, { lane: "other" }), job(5))
      assert.deepStrictEqual(yield* ids(claim()), jobIds(4, 5, 1))
      assert.deepStrictEqual(yield* ids(claim()), [])
      yield* finish(1)
      assert.deepStrictEqual(yield* ids(claim()), jobIds(2))
      yield* finish(2)
      assert.deepStrictEqual(yield* ids(claim()), jobIds(3))
    }))

  test("keeps the order of jobs that open their lane, even in concurrent sets", () =>
    Effect.gen(function* () {
      const opening = (n: number) =>
        added(
          job(10 * n, { lane: `lane ${n}`, opensLane: true, dueAt: 900 }),
          job(10 * n + 1, { lane: `lane ${n}`, opensLane: true }),
        )
      yield* Effect.all([opening(1), opening(2), opening(3), opening(4)], { concurrency: "unbounded" })
      yield* added(job(12, { lane: "lane 1" }))
      const first = yield* ids(claim())
      assert.deepStrictEqual([...first].sort(), jobIds(10, 20, 30, 40))
      yield* finish(10)
      assert.deepStrictEqual(yield* ids(claim()), jobIds(11))
      yield* finish(11)
      assert.deepStrictEqual(yield* ids(claim()), jobIds(12))
    }))

  test("blocks the lane while its head is not due", () =>
    Effect.gen(function* () {
      yield* added(laned(1, { dueAt: 2000 }), laned(2))
      assert.deepStrictEqual(yield* ids(claim()), [])
      assert.deepStrictEqual(yield* ids(claim({ businessNow: 2000 })), jobIds(1))
    }))

  test("keeps lanes separate for each platform and queue", () =>
    Effect.gen(function* () {
      yield* added(laned(1), laned(2, { queue: "webhook" }))
      yield* committed(changeSet({ jobs: [laned(3, { customerId: null })] }), beta)
      assert.deepStrictEqual(yield* ids(claim()), jobIds(1, 3))
      assert.deepStrictEqual(yield* ids(claim({ queue: "webhook" })), jobIds(2))
    }))

  test("blocks the lane while its head is in back-off", () =>
    Effect.gen(function* () {
      yield* added(laned(1), laned(2))
      yield* claim()
      yield* giveBack(1, 1, 9000)
      assert.deepStrictEqual(yield* ids(claim({ wallNow: 8999 })), [])
      assert.deepStrictEqual(yield* ids(claim({ wallNow: 9000 })), jobIds(1))
    }))

  test("claims a head with an expired lease again before the jobs behind it", () =>
    Effect.gen(function* () {
      yield* added(laned(1), laned(2))
      yield* claim({ leaseMillis: 500 })
      assert.deepStrictEqual(yield* ids(claim({ wallNow: 1500 })), jobIds(1))
    }))

  test("lets the other jobs pass once the hold of an attempted head has expired since its first claim", () =>
    Effect.gen(function* () {
      yield* added(laned(1, { laneHoldMillis: 3000 }), laned(2, { laneHoldMillis: 3000 }), laned(3))
      yield* claim({ wallNow: 1000 })
      yield* giveBack(1, 1, 50_000)
      assert.deepStrictEqual(yield* ids(claim({ wallNow: 3999 })), [])
      assert.deepStrictEqual(yield* ids(claim({ wallNow: 4000 })), jobIds(2))
      yield* finish(2)
      assert.deepStrictEqual(yield* ids(claim({ wallNow: 4001 })), jobIds(3))
    }))

  test("blocks the lane indefinitely behind a head without attempts", () =>
    Effect.gen(function* () {
      yield* added(laned(1, { laneHoldMillis: 10, dueAt: 5000 }), laned(2))
      assert.deepStrictEqual(yield* ids(claim({ wallNow: 900_000 })), [])
    }))

  test("blocks the lane again while a head with an expired hold runs", () =>
    Effect.gen(function* () {
      yield* added(laned(1, { laneHoldMillis: 100 }), laned(2))
      yield* claim({ wallNow: 1000 })
      yield* giveBack(1, 1, 2000)
      assert.deepStrictEqual(yield* ids(claim({ wallNow: 2000, limit: 1 })), jobIds(1))
      assert.deepStrictEqual(yield* ids(claim({ wallNow: 2001 })), [])
      yield* giveBack(1, 2, 90_000)
      assert.deepStrictEqual(yield* ids(claim({ wallNow: 2002 })), jobIds(2))
    }))

  test("claims only the first of two jobs that an expired hold releases", () =>
    Effect.gen(function* () {
      yield* added(laned(1, { laneHoldMillis: 100 }), laned(2))
      yield* claim({ wallNow: 1000, leaseMillis: 500 })
      assert.deepStrictEqual(yield* ids(claim({ wallNow: 5000 })), jobIds(1))
    }))

  test("blocks the lane behind a parked job, unless its hold can expire", () =>
    Effect.gen(function* () {
      yield* added(laned(1), laned(2))
      yield* added(job(3, { lane: "webhooks", laneHoldMillis: 60_000 }), job(4, { lane: "webhooks" }))
      yield* claim()
      yield* giveBack(1, 1, 0, "parked")
      yield* giveBack(3, 1, 0, "parked")
      assert.deepStrictEqual(yield* ids(claim({ wallNow: 2000 })), jobIds(4))
      assert.deepStrictEqual(yield* ids(claim({ wallNow: 2_000_000 })), jobIds(4))
    }))

  test("runs a new job in a lane whose jobs all have expired holds", () =>
    Effect.gen(function* () {
      yield* added(laned(1, { laneHoldMillis: 0 }))
      yield* claim()
      yield* giveBack(1, 1, 90_000)
      yield* added(laned(2))
      assert.deepStrictEqual(yield* ids(claim({ wallNow: 1001 })), jobIds(2))
    }))

  test("runs the 400 jobs of a lane in order", () =>
    Effect.gen(function* () {
      const count = 400
      yield* added(...Array.from({ length: count }, (_, i) => laned(i + 1)))
      const seen: Array<string> = []
      for (let n = 1; n <= count; n++) {
        seen.push(...(yield* ids(claim())))
        yield* finish(n)
      }
      assert.deepStrictEqual(seen, jobIds(...Array.from({ length: count }, (_, i) => i + 1)))
    }))
}
