/**
 * Conformance: jobs, the order of claims, leases and fences.
 * Source: architecture, "Jobs, external calls and time"; ports/Store.ts (ClaimRequest).
 */

import assert from "node:assert/strict"
import { type ClaimedJob, type JobReturn, Store } from "@countersign/core/store"
import { Effect } from "effect"
import { changeSet } from "./ChangeSets.ts"
import { alphaId, ann, beta, betaId, id, job } from "./Examples.ts"
import { claim, commit, committed, conflicts, jobs, type Suite, waitForWork, woken } from "./Suite.ts"

const added = (...all: ReadonlyArray<ReturnType<typeof job>>) => committed(changeSet({ jobs: all }))
const many = (from: number, count: number, changes: Parameters<typeof job>[1] = {}) =>
  Array.from({ length: count }, (_, i) => job(from + i, changes))
const ids = (claimed: ReadonlyArray<{ readonly id: string }>) => claimed.map(({ id }) => id)
const jobIds = (...ns: ReadonlyArray<number>) => ns.map((n) => id("Job", n))
const finish = (n: number, attempt: number) => changeSet({ finishes: [{ id: id("Job", n), attempt }] })
const giveBack = (n: number, attempt: number, changes: Partial<JobReturn> = {}) =>
  changeSet({
    returns: [{ id: id("Job", n), attempt, outcome: "retry", notBefore: 0, error: "no answer", ...changes }],
  })

export const jobsAndLeases = ({ test }: Suite): void => {
  test("claims due jobs of its queue by due time, then by commit order", () =>
    Effect.gen(function* () {
      yield* added(job(1, { dueAt: 500 }), job(2, { dueAt: 300 }), job(3, { dueAt: 1001 }))
      yield* added(job(4, { dueAt: 300 }), job(5, { queue: "webhook" }), job(6, { dueAt: 1000 }))
      assert.deepStrictEqual(ids(yield* claim()), jobIds(2, 4, 1, 6))
      assert.deepStrictEqual(ids(yield* claim()), [])
      assert.deepStrictEqual(ids(yield* claim({ queue: "webhook" })), jobIds(5))
      assert.deepStrictEqual(ids(yield* claim({ businessNow: 1001 })), jobIds(3))
    }))

  test("returns a claimed job with its tenant, its payload, its attempt and the time of its first claim", () =>
    Effect.gen(function* () {
      yield* added(job(1, { lane: "lane", laneHoldMillis: 5, kind: "pull", payload: { a: [1, null] }, dueAt: 7 }))
      const expected: ClaimedJob = {
        id: id("Job", 1),
        queue: "work",
        kind: "pull",
        lane: "lane",
        platformId: alphaId,
        customerId: ann,
        dueAt: 7,
        payload: { a: [1, null] },
        attempt: 1,
        firstClaimedAt: 1000,
      }
      assert.deepStrictEqual(yield* claim(), [expected])
    }))

  test("claims no more jobs than its limit", () =>
    Effect.gen(function* () {
      yield* added(...many(1, 5))
      assert.deepStrictEqual(ids(yield* claim({ limit: 2 })), jobIds(1, 2))
      assert.deepStrictEqual(ids(yield* claim({ limit: 2 })), jobIds(3, 4))
      assert.deepStrictEqual(ids(yield* claim({ limit: 2 })), jobIds(5))
    }))

  test("lets concurrent workers claim each job once", () =>
    Effect.gen(function* () {
      yield* added(...many(1, 50))
      const claims = yield* Effect.forEach(Array.from({ length: 10 }), () => claim({ limit: 5 }), {
        concurrency: "unbounded",
      })
      // A claim may find nothing while another one lasts: its worker claims again.
      const rest = yield* claim({ limit: 50 })
      assert.deepStrictEqual(ids([...claims.flat(), ...rest]).sort(), ids(many(1, 50)))
    }))

  test("deletes a finished job and invalidates its fence", () =>
    Effect.gen(function* () {
      yield* added(job(1))
      yield* conflicts(finish(1, 0))
      yield* claim()
      yield* committed(finish(1, 1))
      assert.deepStrictEqual(yield* jobs(), [])
      yield* conflicts(finish(1, 1))
      assert.deepStrictEqual(yield* claim({ wallNow: 100_000 }), [])
    }))

  test("lets another worker claim a job after its lease expires, and invalidates the old fence", () =>
    Effect.gen(function* () {
      yield* added(job(1))
      yield* claim({ wallNow: 1000, leaseMillis: 500 })
      assert.deepStrictEqual(yield* claim({ wallNow: 1499 }), [])
      const [again] = yield* claim({ wallNow: 1500, leaseMillis: 500 })
      assert.deepStrictEqual([again?.attempt, again?.firstClaimedAt], [2, 1000])
      yield* conflicts(finish(1, 1))
      yield* conflicts(giveBack(1, 1))
      yield* committed(finish(1, 2))
    }))

  test("lets a worker finish after its lease expires as long as no other worker has claimed the job", () =>
    Effect.gen(function* () {
      yield* added(job(1), job(2))
      yield* claim({ wallNow: 1000, leaseMillis: 500 })
      assert.deepStrictEqual(ids(yield* claim({ wallNow: 9000, limit: 1 })), jobIds(1))
      yield* committed(finish(2, 1))
      assert.deepStrictEqual(ids(yield* jobs()), jobIds(1))
    }))

  test("delays a returned job until its time and replaces its payload", () =>
    Effect.gen(function* () {
      yield* added(job(1), job(2))
      yield* claim()
      yield* committed(giveBack(1, 1, { notBefore: 3000, payload: { asked: true } }))
      yield* committed(giveBack(2, 1, { notBefore: 2000 }))
      assert.deepStrictEqual(yield* claim({ wallNow: 1999 }), [])
      assert.deepStrictEqual(ids(yield* claim({ wallNow: 2000 })), jobIds(2))
      const [again] = yield* claim({ wallNow: 3000 })
      assert.deepStrictEqual([again?.id, again?.attempt, again?.payload], [id("Job", 1), 2, { asked: true }])
      yield* conflicts(giveBack(1, 1))
    }))

  test("invalidates the fence of a returned job", () =>
    Effect.gen(function* () {
      yield* added(job(1))
      yield* claim()
      yield* committed(giveBack(1, 1))
      yield* conflicts(finish(1, 1))
      yield* conflicts(giveBack(1, 1, { outcome: "parked" }))
      assert.strictEqual((yield* claim({ wallNow: 1001 }))[0]?.attempt, 2)
    }))

  test("never claims a parked job and lists it with its error", () =>
    Effect.gen(function* () {
      yield* added(job(1), job(2))
      yield* claim({ limit: 1 })
      yield* committed(giveBack(1, 1, { outcome: "parked", error: "refused for a week" }))
      assert.deepStrictEqual(ids(yield* claim({ wallNow: 1_000_000 })), jobIds(2))
      const [first, second] = yield* jobs()
      assert.deepStrictEqual([first?.id, first?.state, first?.attempt], [id("Job", 1), "parked", 1])
      assert.strictEqual(first?.error, "refused for a week")
      assert.strictEqual(second?.id, id("Job", 2))
    }))

  test("lets a platform alone use nearly all slots: it leaves as many as its running jobs have binary digits", () =>
    Effect.gen(function* () {
      yield* added(...many(1, 200))
      assert.strictEqual((yield* claim({ limit: 128, leavesReserve: true })).length, 121)
      assert.deepStrictEqual(yield* claim({ limit: 7, leavesReserve: true }), [])
      assert.strictEqual((yield* claim({ limit: 8, leavesReserve: true })).length, 1)
      assert.strictEqual((yield* claim({ limit: 128 })).length, 78)
    }))

  test("leaves the reserve to platforms with fewer running jobs, not counting expired leases", () =>
    Effect.gen(function* () {
      yield* added(...many(1, 12))
      yield* claim({ limit: 8, leaseMillis: 500 })
      yield* committed(changeSet({ jobs: many(21, 12, { customerId: null }) }), beta)
      // Of 4 free slots `alpha`, which runs 8, may have none. `beta` may have those that leave 0, 1 and 2 free.
      assert.deepStrictEqual(ids(yield* claim({ limit: 4, leavesReserve: true, leaseMillis: 5000 })), jobIds(21, 22))
      assert.deepStrictEqual(yield* claim({ limit: 2, leavesReserve: true }), [])
      assert.deepStrictEqual(ids(yield* claim({ limit: 3, leavesReserve: true, wallNow: 1500 })), jobIds(1, 2))
    }))

  test("counts running jobs for each queue separately", () =>
    Effect.gen(function* () {
      yield* added(job(1), job(2, { queue: "webhook" }), job(3))
      yield* claim({ limit: 1 })
      const last = { limit: 1, leavesReserve: true } as const
      assert.deepStrictEqual(yield* claim(last), [])
      assert.deepStrictEqual(ids(yield* claim({ ...last, queue: "webhook" })), jobIds(2))
    }))

  test("shares slots evenly between platforms, counting the jobs that they have running", () =>
    Effect.gen(function* () {
      yield* added(...many(1, 60))
      yield* claim({ limit: 10 })
      yield* committed(changeSet({ jobs: many(101, 60, { customerId: null }) }), beta)
      const claimed = yield* claim({ limit: 30 })
      const byPlatform = (platformId: string) => claimed.filter((each) => each.platformId === platformId).length
      assert.deepStrictEqual([byPlatform(alphaId), byPlatform(betaId)], [10, 20])
    }))

  test("claims another platform's job despite many jobs of one platform", () =>
    Effect.gen(function* () {
      yield* added(...many(1, 300))
      yield* committed(changeSet({ jobs: [job(999, { customerId: null, dueAt: 900 })] }), beta)
      assert.ok(ids(yield* claim({ limit: 2 })).includes(id("Job", 999)))
      yield* committed(changeSet({ jobs: [job(998, { customerId: null, dueAt: 900 })] }), beta)
      yield* committed(finish(999, 1), beta)
      // `alpha` has a running job and `beta` none.
      assert.deepStrictEqual(ids(yield* claim({ limit: 1 })), jobIds(998))
    }))

  test("gives the next turn to a platform that has had none, although another one's next job was due earlier", () =>
    Effect.gen(function* () {
      yield* added(job(1))
      yield* committed(changeSet({ jobs: [job(2, { customerId: null, dueAt: 10 })] }), beta)
      assert.deepStrictEqual(ids(yield* claim({ limit: 1 })), jobIds(1))
      yield* committed(finish(1, 1))
      yield* added(job(3, { dueAt: 5 }))
      assert.deepStrictEqual(ids(yield* claim({ limit: 1 })), jobIds(2))
    }))

  test("returns the earliest due time after the given one, across queues", () =>
    Effect.gen(function* () {
      const store = yield* Store
      yield* added(job(1, { dueAt: 100 }), job(2, { dueAt: 300, queue: "webhook" }), job(3, { dueAt: 200 }))
      assert.strictEqual(yield* store.nextDue(0), 100)
      assert.strictEqual(yield* store.nextDue(100), 200)
      assert.strictEqual(yield* store.nextDue(200), 300)
      assert.strictEqual(yield* store.nextDue(300), undefined)
      yield* claim({ limit: 1, businessNow: 150 })
      yield* committed(finish(1, 1))
      assert.strictEqual(yield* store.nextDue(0), 200)
    }))

  test("wakes the worker for a job that is committed after an empty claim, before or during its wait", () =>
    Effect.gen(function* () {
      yield* claim()
      yield* added(job(1))
      yield* woken(yield* waitForWork("work"))
      assert.deepStrictEqual(ids(yield* claim()), jobIds(1))
      const waiting = yield* waitForWork("work")
      assert.strictEqual(waiting.pollUnsafe(), undefined)
      yield* added(job(2))
      yield* woken(waiting)
      assert.deepStrictEqual(ids(yield* claim()), jobIds(2))
    }))

  test("wakes the worker when a job is finished or returned, because that may unblock a lane", () =>
    Effect.gen(function* () {
      yield* added(job(1), job(2))
      yield* claim()
      for (const set of [finish(1, 1), giveBack(2, 1)]) {
        yield* claim({ queue: "work" })
        const waiting = yield* waitForWork("work")
        assert.strictEqual(waiting.pollUnsafe(), undefined)
        assert.strictEqual((yield* commit(set))._tag, "Committed")
        yield* woken(waiting)
      }
    }))

  test("rejects a second job with the same id", () =>
    Effect.gen(function* () {
      yield* added(job(1))
      yield* conflicts(changeSet({ jobs: [job(1)] }))
      assert.strictEqual((yield* jobs()).length, 1)
    }))
}
