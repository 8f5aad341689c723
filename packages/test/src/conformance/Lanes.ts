/**
 * Conformance: the jobs of one lane run one after another, and a head that keeps failing blocks them for a limited time.
 * Source: architecture, "The Store port" (claim); ports/ChangeSet.ts (NewJob, lane).
 */

import assert from "node:assert/strict"
import type { NewJob } from "@countersign/core/store"
import { Effect } from "effect"
import { changeSet } from "./ChangeSets.ts"
import { beta, id, job } from "./Examples.ts"
import { claim, commit, committed, type Suite } from "./Suite.ts"

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
      yield* finish(2)
      // The claim has released the lane, where the first job still waits.
      yield* added(laned(3), laned(4))
      assert.deepStrictEqual(yield* ids(claim({ wallNow: 1002 })), jobIds(3))
      yield* finish(3)
      assert.deepStrictEqual(yield* ids(claim({ wallNow: 1003 })), jobIds(4))
    }))

  const runs = { kinds: ["pull"], jobsMax: 4 }
  const ofRun = (n: number, changes: Partial<NewJob> = {}) => laned(n, { kind: "pull", ...changes })
  const places = Effect.map((claimed: ReadonlyArray<{ readonly id: string; readonly behind?: string }>) =>
    claimed.map(({ behind, id }) => (behind === undefined ? id : `${behind} < ${id}`)),
  )
  const behind = (head: number, ...ns: ReadonlyArray<number>) => ns.map((n) => `${id("Job", head)} < ${id("Job", n)}`)

  test("claims the due jobs behind the heads of lanes with them, in the order of the lanes, up to a maximum", () =>
    Effect.gen(function* () {
      yield* added(ofRun(1, { dueAt: 900 }), ofRun(2, { dueAt: 100 }), ofRun(3), ofRun(4), ofRun(5))
      yield* added(job(6, { lane: "other", kind: "pull" }), job(7, { lane: "other", kind: "pull" }), job(8))
      assert.deepStrictEqual(yield* places(claim({ runs, limit: 3 })), [
        ...jobIds(6, 8, 1),
        ...behind(6, 7),
        ...behind(1, 2, 3, 4),
      ])
      assert.deepStrictEqual(yield* places(claim({ runs })), [])
    }))

  test("ends a run at a job of another kind, that is not due, or that was claimed before", () =>
    Effect.gen(function* () {
      const lane = (name: string, ...jobs: ReadonlyArray<NewJob>) =>
        added(...jobs.map((each) => ({ ...each, lane: name })))
      yield* lane("kind", ofRun(1), ofRun(2), ofRun(3, { kind: "push" }), ofRun(4))
      yield* lane("due", ofRun(11), ofRun(12, { dueAt: 2000 }), ofRun(13))
      yield* lane("head", ofRun(21, { kind: "push" }), ofRun(22))
      yield* lane("claimed", ofRun(31, { laneHoldMillis: 0 }), ofRun(32, { laneHoldMillis: 0 }), ofRun(33))
      const first = yield* places(claim({ runs: { ...runs, jobsMax: 2 } }))
      assert.deepStrictEqual(first, [...jobIds(1, 11, 21, 31), ...behind(1, 2), ...behind(31, 32)])
      // Its head is in its second attempt, so that the lane runs one by one.
      yield* giveBack(31, 1, 0)
      yield* giveBack(32, 1, 0)
      assert.deepStrictEqual(yield* places(claim({ runs, wallNow: 1500 })), jobIds(31))
      yield* finish(31, 2)
      assert.deepStrictEqual(yield* places(claim({ runs, wallNow: 1501 })), jobIds(32))
    }))

  test("finishes a run in one commit, or a part of it, and opens what follows", () =>
    Effect.gen(function* () {
      yield* added(...Array.from({ length: 8 }, (_, index) => ofRun(index + 1)))
      const fences = (...ns: ReadonlyArray<number>) => ns.map((n) => ({ id: id("Job", n), attempt: 1 }))
      assert.strictEqual((yield* claim({ runs })).length, 4)
      yield* committed(changeSet({ finishes: fences(1, 2) }))
      assert.deepStrictEqual(yield* places(claim({ runs })), [])
      yield* committed(changeSet({ finishes: fences(3, 4) }))
      assert.deepStrictEqual(yield* places(claim({ runs: { ...runs, jobsMax: 3 } })), [
        ...jobIds(5),
        ...behind(5, 6, 7),
      ])
      yield* committed(changeSet({ finishes: fences(5, 6, 7) }))
      assert.deepStrictEqual(yield* places(claim({ runs })), jobIds(8))
    }))

  test("keeps the order of a run whose job in the middle is returned with those behind it", () =>
    Effect.gen(function* () {
      const hold = { laneHoldMillis: 3000 }
      yield* added(ofRun(1, hold), ofRun(2, hold), ofRun(3, hold), ofRun(4, hold))
      yield* claim({ runs, wallNow: 1000 })
      const back = (n: number, notBefore: number) =>
        ({ id: id("Job", n), attempt: 1, outcome: "retry", notBefore, error: "no answer" }) as const
      const finishes = [{ id: id("Job", 1), attempt: 1 }]
      yield* committed(changeSet({ finishes, returns: [back(2, 1500), back(3, 1000), back(4, 1000)] }))
      assert.deepStrictEqual(yield* places(claim({ runs, wallNow: 1499 })), [])
      assert.deepStrictEqual(yield* places(claim({ runs, wallNow: 1500 })), jobIds(2))
      yield* finish(2, 2)
      assert.deepStrictEqual(yield* places(claim({ runs, wallNow: 1501 })), jobIds(3))
    }))

  test("gives the jobs of a run their own fences and leases, and keeps the times of their first claims", () =>
    Effect.gen(function* () {
      yield* added(ofRun(1), ofRun(2))
      yield* claim({ runs, wallNow: 1000, leaseMillis: 500 })
      assert.deepStrictEqual(yield* places(claim({ runs, wallNow: 1499 })), [])
      assert.deepStrictEqual(yield* places(claim({ runs, wallNow: 1500 })), jobIds(1))
      yield* finish(1, 2)
      const [second] = yield* claim({ runs, wallNow: 1501 })
      assert.deepStrictEqual([second?.id, second?.attempt, second?.firstClaimedAt], [id("Job", 2), 2, 1000])
      assert.strictEqual((yield* commit(changeSet({ finishes: [{ id: id("Job", 2), attempt: 1 }] })))._tag, "Conflict")
    }))

  test("holds the lane of a later job of a run for its hold or its lease, whichever is longer, and no more", () =>
    Effect.gen(function* () {
      const pair = { ...runs, jobsMax: 2 }
      yield* added(ofRun(1, { laneHoldMillis: 3000 }), ofRun(2, { laneHoldMillis: 3000 }), ofRun(3))
      const shorter = { lane: "shorter", laneHoldMillis: 500 }
      yield* added(ofRun(11, shorter), ofRun(12, shorter), ofRun(13, { lane: "shorter" }))
      yield* claim({ runs: pair, leaseMillis: 1000 })
      yield* committed(changeSet({ finishes: [1, 11].map((n) => ({ id: id("Job", n), attempt: 1 })) }))
      yield* giveBack(2, 1, 9_000_000)
      assert.deepStrictEqual(yield* ids(claim({ wallNow: 1999 })), [])
      // Its worker has lost the lease by then, and the job comes before those behind it.
      assert.deepStrictEqual(yield* ids(claim({ wallNow: 2000, leaseMillis: 9_000_000 })), jobIds(12))
      assert.deepStrictEqual(yield* ids(claim({ wallNow: 3999 })), [])
      assert.deepStrictEqual(yield* ids(claim({ wallNow: 4000 })), jobIds(3))
    }))

  test("takes a job into a run at the very time at which it is due", () =>
    Effect.gen(function* () {
      yield* added(ofRun(1), ofRun(2, { dueAt: 700 }), ofRun(3, { dueAt: 701 }))
      assert.deepStrictEqual(yield* places(claim({ runs, businessNow: 700 })), [...jobIds(1), ...behind(1, 2)])
    }))

  test("lets a worker finish a run after its leases expire as long as no other worker has claimed it", () =>
    Effect.gen(function* () {
      yield* added(ofRun(1), ofRun(2), ofRun(3))
      yield* claim({ runs: { ...runs, jobsMax: 2 }, wallNow: 1000, leaseMillis: 500 })
      assert.deepStrictEqual(yield* places(claim({ runs, wallNow: 9000, queue: "webhook" })), [])
      yield* committed(changeSet({ finishes: [1, 2].map((n) => ({ id: id("Job", n), attempt: 1 })) }))
      assert.deepStrictEqual(yield* places(claim({ runs, wallNow: 9000 })), jobIds(3))
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
