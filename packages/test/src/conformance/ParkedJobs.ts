/**
 * Conformance: parked jobs, and an operator's decisions on them.
 * Source: architecture, "Jobs, external calls and time"; D-354.
 */

import assert from "node:assert/strict"
import { type ParkedJobDecision, Store } from "@countersign/core/store"
import { Effect } from "effect"
import { changeSet } from "./ChangeSets.ts"
import { beta, id, job } from "./Examples.ts"
import { claim, committed, conflicts, countJobs, jobs, parkedJobs, type Suite } from "./Suite.ts"

const ids = (all: ReadonlyArray<{ readonly id: string }>) => all.map((one) => one.id)
const jobIds = (...ns: ReadonlyArray<number>) => ns.map((n) => id("Job", n))
const decide = (n: number, attempt: number, outcome: ParkedJobDecision["outcome"]) =>
  changeSet({ returns: [{ id: id("Job", n), attempt, outcome }] })

/** Parks jobs that were claimed once. */
const park = (...ns: ReadonlyArray<number>) =>
  committed(
    changeSet({
      returns: ns.map(
        (n) => ({ id: id("Job", n), attempt: 1, outcome: "parked", notBefore: 0, error: "spent" }) as const,
      ),
    }),
  )

const parked = (...ns: ReadonlyArray<number>) =>
  Effect.gen(function* () {
    yield* committed(changeSet({ jobs: ns.map((n) => job(n)) }))
    yield* claim()
    yield* park(...ns)
  })

export const parkedJobDecisions = ({ moveTo, test }: Suite): void => {
  test("lists the parked jobs of a platform in pages, with their errors", () =>
    Effect.gen(function* () {
      yield* parked(1, 2, 3)
      yield* committed(changeSet({ jobs: [job(4)] }))
      const first = yield* parkedJobs({ limit: 2 })
      assert.deepStrictEqual([ids(first.jobs), first.hasMore], [jobIds(1, 2), true])
      assert.deepStrictEqual(
        first.jobs.map(({ attempt, error, state }) => [attempt, error, state]),
        [
          [1, "spent", "parked"],
          [1, "spent", "parked"],
        ],
      )
      const second = yield* parkedJobs({ limit: 2, after: id("Job", 2) })
      assert.deepStrictEqual([ids(second.jobs), second.hasMore], [jobIds(3), false])
      const one = yield* parkedJobs({ limit: 2, id: id("Job", 3) })
      assert.deepStrictEqual([ids(one.jobs), one.hasMore], [jobIds(3), false])
      assert.deepStrictEqual(yield* parkedJobs({ limit: 2, id: id("Job", 4) }), { jobs: [], hasMore: false })
      assert.deepStrictEqual(yield* parkedJobs({ limit: 2 }, beta), { jobs: [], hasMore: false })
    }))

  test("counts the unfinished jobs of kinds up to a maximum, parked ones included, of one platform", () =>
    Effect.gen(function* () {
      const ofKind = (n: number, kind: string) => ({ ...job(n), kind })
      yield* parked(1)
      yield* committed(changeSet({ jobs: [job(2), ofKind(3, "another.kind"), ofKind(4, "third.kind")] }))
      const kinds = [job(1).kind, "another.kind"]
      assert.strictEqual(yield* countJobs({ kinds, max: 9 }), 3)
      assert.strictEqual(yield* countJobs({ kinds, max: 2 }), 2)
      assert.strictEqual(yield* countJobs({ kinds: ["third.kind"], max: 9 }), 1)
      assert.strictEqual(yield* countJobs({ kinds, max: 9 }, beta), 0)
    }))

  test("a parked job is due at no time until it is resumed", () =>
    Effect.gen(function* () {
      const { nextDue } = yield* Store
      yield* committed(changeSet({ jobs: [job(1, { dueAt: 100 }), job(2, { dueAt: 200 })] }))
      yield* claim({ businessNow: 100 })
      assert.strictEqual(yield* nextDue(0), 100)
      yield* park(1)
      assert.strictEqual(yield* nextDue(0), 200)
      yield* committed(decide(1, 1, "resumed"))
      assert.strictEqual(yield* nextDue(0), 100)
    }))

  test("resumes a parked job once: it is claimed at once, and its time for retries begins again", () =>
    Effect.gen(function* () {
      yield* parked(1)
      assert.deepStrictEqual(ids(yield* claim({ wallNow: 500_000 })), [])
      yield* moveTo(600_000)
      yield* committed(decide(1, 1, "resumed"))
      const [view] = yield* jobs()
      assert.deepStrictEqual([view?.state, view?.error], ["waiting", undefined])
      yield* conflicts(decide(1, 1, "resumed"))
      const [claimed] = yield* claim({ wallNow: 600_000 })
      assert.deepStrictEqual([claimed?.attempt, claimed?.firstClaimedAt], [2, 600_000])
    }))

  test("drops a parked job, and the lane that it blocked goes on", () =>
    Effect.gen(function* () {
      yield* committed(changeSet({ jobs: [job(1, { lane: "lane" }), job(2, { lane: "lane" })] }))
      yield* claim()
      yield* park(1)
      assert.deepStrictEqual(ids(yield* claim({ wallNow: 500_000 })), [])
      yield* committed(decide(1, 1, "dropped"))
      assert.deepStrictEqual(ids(yield* jobs()), jobIds(2))
      assert.deepStrictEqual(ids(yield* claim({ wallNow: 500_001 })), jobIds(2))
      yield* conflicts(decide(1, 1, "dropped"))
    }))

  test("keeps the order of a lane whose parked head is resumed", () =>
    Effect.gen(function* () {
      yield* committed(changeSet({ jobs: [job(1, { lane: "lane" }), job(2, { lane: "lane" })] }))
      yield* claim()
      yield* park(1)
      yield* committed(decide(1, 1, "resumed"))
      assert.deepStrictEqual(ids(yield* claim({ wallNow: 500_000 })), jobIds(1))
      yield* committed(changeSet({ finishes: [{ id: id("Job", 1), attempt: 2 }] }))
      assert.deepStrictEqual(ids(yield* claim({ wallNow: 500_001 })), jobIds(2))
    }))

  test("refuses a decision on a job that is not parked, or of another platform, or with another fence", () =>
    Effect.gen(function* () {
      yield* committed(changeSet({ jobs: [job(1), job(2)] }))
      yield* conflicts(decide(1, 0, "resumed"))
      yield* conflicts(decide(1, 0, "dropped"))
      yield* claim()
      yield* conflicts(decide(1, 1, "resumed"))
      yield* conflicts(decide(1, 1, "dropped"))
      yield* park(1)
      yield* conflicts(decide(1, 2, "resumed"))
      yield* conflicts(decide(1, 0, "dropped"))
      for (const outcome of ["resumed", "dropped"] as const) {
        yield* conflicts(decide(1, 1, outcome), beta)
      }
      assert.deepStrictEqual(ids((yield* parkedJobs({ limit: 9 })).jobs), jobIds(1))
    }))
}
