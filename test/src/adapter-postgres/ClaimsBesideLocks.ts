/**
 * Claims while another transaction has locked jobs, lanes or turns of platforms, as plain functions: a claim leaves out what is locked, and
 * waits for nothing but the claim before it.
 * Source: D-327; sql/functions/claim_jobs.sql.
 */
import assert from "node:assert/strict"
import type { ClaimRequest, NewJob } from "@countersign/core/store"
import { Effect, ManagedRuntime } from "effect"
import { changeSet } from "../../../packages/test/src/conformance/ChangeSets.ts"
import { alpha, beta, id, job } from "../../../packages/test/src/conformance/Examples.ts"
import { claim, committed } from "../../../packages/test/src/conformance/Suite.ts"
import { besideTransaction, type FunctionCheck, type FunctionParts } from "./FunctionParts.ts"

interface ClaimBeside {
  readonly title: string
  /** The jobs of each platform, by number. */
  readonly jobs: { readonly alpha: ReadonlyArray<NewJob>; readonly beta?: ReadonlyArray<NewJob> }
  /** Claims before anything is locked, each with the numbers of the jobs that it returns. */
  readonly before?: ReadonlyArray<readonly [request: Partial<ClaimRequest>, found: ReadonlyArray<number>]>
  /** What another transaction locks. */
  readonly locking: string
  readonly request: Partial<ClaimRequest>
  readonly found: ReadonlyArray<number>
  /** The claim after that, when the other transaction has ended. */
  readonly after: ReadonlyArray<number>
}

const idOf = (n: number) => id("Job", n)
const queueLock = "select pg_advisory_xact_lock(hashtextextended('claim countersign work', 0))"
const lockOf = (n: number) => `select from countersign.job where id = '${idOf(n)}' for update`
const turnsOf = (platformId: string) =>
  `select from countersign.job_line where platform_id = '${platformId}' for update`
const laneLock = (lane: string) =>
  `select pg_advisory_xact_lock(hashtextextended('lane work ${alpha.platformId} ${lane}', 0))`

/** Jobs that are due one after another. */
const three = [1, 2, 3].map((n) => job(n, { dueAt: n }))
const one = { limit: 1 }
const first = [one, [1]] as const
/** The first job of a lane, whose hold and lease have ended at the time 1,000, and the second, beside a job of no lane. */
const held = {
  jobs: {
    alpha: [job(1, { lane: "l", laneHoldMillis: 10 }), job(2, { lane: "l", dueAt: 1 }), job(3, { dueAt: 2 })],
  },
  before: [[{ businessNow: 5, wallNow: 5, leaseMillis: 5, limit: 1 }, [1]]],
} as const satisfies Partial<ClaimBeside>

const claims: ReadonlyArray<ClaimBeside> = [
  {
    title: "a claim is empty while its queue is locked",
    jobs: { alpha: three },
    before: [first],
    locking: queueLock,
    request: one,
    found: [],
    after: [2],
  },
  {
    title: "a claim does not wait for the turn of a platform",
    jobs: { alpha: three },
    before: [first],
    locking: turnsOf(alpha.platformId),
    request: one,
    found: [2],
    after: [3],
  },
  {
    title: "a platform whose turn is locked comes after its equals",
    jobs: { alpha: [job(1), job(2)], beta: [job(3, { customerId: null, dueAt: 1 }), job(4, { customerId: null })] },
    before: [[{ limit: 2 }, [1, 4]]],
    locking: turnsOf(alpha.platformId),
    request: one,
    found: [3],
    after: [2],
  },
  {
    title: "a claim takes the next job while one is locked",
    jobs: { alpha: three },
    before: [first],
    locking: lockOf(2),
    request: one,
    found: [3],
    after: [2],
  },
  {
    title: "a claim takes no more than its limit while some jobs are locked",
    jobs: { alpha: [1, 2, 3, 4, 5, 6].map((n) => job(n, { dueAt: n })) },
    locking: `${lockOf(1)}; ${lockOf(3)}`,
    request: { limit: 3 },
    found: [2, 4, 5],
    after: [1],
  },
  {
    title: "a claim takes the job of another platform while the only one of the first is locked",
    jobs: { alpha: [job(1)], beta: [job(2, { customerId: null, dueAt: 1 })] },
    locking: lockOf(1),
    request: one,
    found: [2],
    after: [1],
  },
  {
    title: "a claim leaves out a job whose hold has ended while it is locked, and its lane",
    ...held,
    locking: lockOf(1),
    request: { limit: 3 },
    found: [3],
    after: [1],
  },
  {
    title: "a claim leaves a lane closed whose hold has ended while it is locked",
    ...held,
    locking: laneLock("l"),
    request: { limit: 3 },
    found: [1, 3],
    after: [],
  },
  {
    title: "a run ends before a job that is locked",
    jobs: { alpha: [1, 2, 3, 4].map((n) => job(n, { lane: "l" })) },
    locking: lockOf(3),
    request: { runs: { kinds: ["test"], jobsMax: 4 } },
    found: [1, 2],
    after: [],
  },
]

/** Each claim, on a database that is empty at first. */
export const claimsBesideLocks = ({ connection, pool, store }: FunctionParts): ReadonlyArray<FunctionCheck> =>
  claims.map(({ after, before = [], found, jobs, locking, request, title }) => ({
    title,
    run: async (): Promise<void> => {
      const runtime = ManagedRuntime.make(store)
      const claimed = (wanted: Partial<ClaimRequest>) =>
        runtime.runPromise(Effect.map(claim(wanted), (all) => all.map((each) => each.payload)))
      const payloads = (numbers: ReadonlyArray<number>) => numbers.map((n) => ({ n }))
      await runtime.runPromise(committed(changeSet({ jobs: jobs.alpha })))
      if (jobs.beta !== undefined) await runtime.runPromise(committed(changeSet({ jobs: jobs.beta }), beta))
      for (const [earlier, taken] of before) assert.deepEqual(await claimed(earlier), payloads(taken))
      assert.deepEqual(await besideTransaction(pool, [locking], () => claimed(request)), payloads(found))
      assert.deepEqual(await claimed(one), payloads(after))
      // The pool hands out the session that it got back last: settings of a claim end with it.
      assert.deepEqual(await connection.query({ text: "show lock_timeout", values: [] }), ["0"])
      await runtime.dispose()
    },
  }))
