/**
 * Conformance: the jobs of a platform in the order in which they fall due.
 * Source: ports/Store.ts (dueJobs); D-455.
 */

import assert from "node:assert/strict"
import type { NewJob } from "@countersign/core/store"
import { Effect } from "effect"
import { changeSet } from "./ChangeSets.ts"
import { agentOf, alphaId, ann, beta, bob, id, job } from "./Examples.ts"
import { claim, committed, dueJobs, type Suite } from "./Suite.ts"

const added = (...jobs: ReadonlyArray<NewJob>) => committed(changeSet({ jobs }))
const ids = (all: ReadonlyArray<{ readonly id: string }> | undefined) => (all ?? []).map((one) => one.id)
const jobIds = (...ns: ReadonlyArray<number>) => ns.map((n) => id("Job", n))
const giveBack = (n: number, notBefore: number, outcome: "retry" | "parked" = "retry") =>
  committed(changeSet({ returns: [{ id: id("Job", n), attempt: 1, outcome, notBefore, error: "no answer" }] }))

export const dueJobPages = ({ moveTo, test }: Suite): void => {
  test("lists jobs in pages by due time, then by id, whatever the order of their commits", () =>
    Effect.gen(function* () {
      yield* added(job(5, { dueAt: 900 }), job(4, { dueAt: 300 }))
      yield* added(job(3, { dueAt: 300 }), job(2, { dueAt: 5000 }), job(1, { dueAt: 300, queue: "webhook" }))
      const first = yield* dueJobs({ limit: 2 })
      assert.deepStrictEqual([ids(first.jobs), first.hasMore], [jobIds(1, 3), true])
      const after = (n: number, dueAt: number) => ({ limit: 2, after: { dueAt, id: id("Job", n) } })
      const second = yield* dueJobs(after(3, 300))
      assert.deepStrictEqual([ids(second.jobs), second.hasMore], [jobIds(4, 5), true])
      const third = yield* dueJobs(after(5, 900))
      assert.deepStrictEqual([ids(third.jobs), third.hasMore], [jobIds(2), false])
      assert.deepStrictEqual(yield* dueJobs(after(2, 5000)), { jobs: [], hasMore: false })
      const exact = yield* dueJobs({ limit: 5 })
      assert.deepStrictEqual([ids(exact.jobs), exact.hasMore], [jobIds(1, 3, 4, 5, 2), false])
    }))

  test("shows a job without its payload", () =>
    Effect.gen(function* () {
      yield* added(job(1, { payload: { secret: "s" }, lane: "lane" }))
      const waiting = { id: id("Job", 1), queue: "work" as const, kind: "test", platformId: alphaId, customerId: ann }
      const shown = { ...waiting, dueAt: 0, attempt: 0, state: "waiting" as const, isBehind: false, lane: "lane" }
      assert.deepStrictEqual(yield* dueJobs({ limit: 9 }), { jobs: [shown], hasMore: false })
    }))

  test("says which jobs run, which are tried again and when, and leaves out parked ones", () =>
    Effect.gen(function* () {
      yield* moveTo(1000)
      yield* added(job(1), job(2), job(3), job(4, { dueAt: 9000 }))
      yield* claim()
      yield* giveBack(1, 1500)
      yield* giveBack(2, 0, "parked")
      const views = Effect.map(dueJobs({ limit: 9 }), ({ jobs }) =>
        jobs.map(({ attempt, error, id, retryAt, state }) => [id, state, attempt, retryAt, error]),
      )
      const later = [id("Job", 4), "waiting", 0, undefined, undefined]
      assert.deepStrictEqual(yield* views, [
        [id("Job", 1), "waiting", 1, 1500, "no answer"],
        [id("Job", 3), "running", 1, undefined, undefined],
        later,
      ])
      // The retry may begin, and the lease has expired.
      yield* moveTo(2500)
      assert.deepStrictEqual(yield* views, [
        [id("Job", 1), "waiting", 1, undefined, "no answer"],
        [id("Job", 3), "waiting", 1, undefined, undefined],
        later,
      ])
    }))

  test("says which jobs are behind another one of their lane", () =>
    Effect.gen(function* () {
      const laned = (n: number, changes: Partial<NewJob> = {}) => job(n, { lane: "lane", ...changes })
      yield* added(laned(1, { dueAt: 900 }), laned(2), laned(3, { queue: "webhook" }), laned(4, { lane: "other" }))
      const behind = Effect.map(dueJobs({ limit: 9 }), ({ jobs }) => ids(jobs.filter(({ isBehind }) => isBehind)))
      assert.deepStrictEqual(yield* behind, jobIds(2))
      yield* claim()
      assert.deepStrictEqual(yield* behind, jobIds(2))
      // A parked job blocks its lane.
      yield* giveBack(1, 0, "parked")
      assert.deepStrictEqual(yield* behind, jobIds(2))
      yield* committed(changeSet({ returns: [{ id: id("Job", 1), attempt: 1, outcome: "dropped" }] }))
      assert.deepStrictEqual(yield* behind, [])
    }))

  test("lists the jobs of the caller's platform only, and of an agent those of its customer", () =>
    Effect.gen(function* () {
      yield* added(job(1), job(2, { customerId: bob }), job(3, { customerId: null }))
      yield* committed(changeSet({ jobs: [job(4, { customerId: null })] }), beta)
      const seen = (caller: Parameters<typeof dueJobs>[1]) =>
        Effect.map(dueJobs({ limit: 9 }, caller), ({ jobs }) => ids(jobs))
      assert.deepStrictEqual(yield* seen(undefined), [...jobIds(1, 3), id("Job", 2, bob)])
      assert.deepStrictEqual(yield* seen(beta), jobIds(4))
      assert.deepStrictEqual(yield* seen(agentOf(ann)), jobIds(1))
    }))
}
