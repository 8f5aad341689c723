/**
 * Which running jobs `release_jobs` makes claimable, as plain functions. Attempts stay counted, and a lane stays held for its hold.
 * Source: D-323, D-324; sql/functions/release_jobs.sql.
 */
import assert from "node:assert/strict"
import type { Store, StoreUnavailable } from "@countersign/core/store"
import { type Layer, ManagedRuntime } from "effect"
import type pg from "pg"
import { functions } from "../../../packages/adapter-postgres/src/functions/Functions.ts"
import { changeSet } from "../../../packages/test/src/conformance/ChangeSets.ts"
import { id, job } from "../../../packages/test/src/conformance/Examples.ts"
import { claim, committed } from "../../../packages/test/src/conformance/Suite.ts"

type Asked = readonly [sessions: ReadonlyArray<number>, claims: ReadonlyArray<string>, every: boolean]

const releases: ReadonlyArray<readonly [what: string, asked: Asked, released: ReadonlyArray<number>]> = [
  ["none where nothing is lost", [[], [], false], []],
  ["the jobs of a lost session", [[71], [], false], [1, 2]],
  ["the jobs of a lost claim", [[], ["worker 2"], false], [2, 3]],
  ["the jobs of either", [[71], ["worker 2"], false], [1, 2, 3]],
  ["no job of other sessions and claims", [[70], ["worker"], false], []],
  ["every running job, but none that waits or is parked", [[], [], true], [1, 2, 3]],
]

interface Parts {
  readonly store: Layer.Layer<Store, StoreUnavailable>
  readonly pool: pg.Pool
}

/** Jobs 1 to 3 run, for the sessions 71, 71 and 72 and by the claims 1, 2 and 2; job 4 is parked and job 5 waits. Jobs 1 and 3 are in lanes. */
const arrange = async ({ pool, store }: Parts) => {
  const runtime = ManagedRuntime.make(store)
  const jobs = [
    job(1, { lane: "a", laneHoldMillis: 700, queue: "work" }),
    job(2),
    job(3, { lane: "b", queue: "webhook" }),
    job(4),
  ]
  await runtime.runPromise(committed(changeSet({ jobs })))
  for (const queue of ["work", "webhook"] as const) await runtime.runPromise(claim({ queue, wallNow: 1000 }))
  const parked = { id: id("Job", 4), attempt: 1, outcome: "parked", notBefore: 0, error: "spent" } as const
  await runtime.runPromise(committed(changeSet({ returns: [parked], jobs: [job(5, { dueAt: 9000 })] })))
  await runtime.dispose()
  for (const [n, session, worker] of [
    [1, 71, 1],
    [2, 71, 2],
    [3, 72, 2],
  ] as const)
    await pool.query("update countersign.job set session = $2, worker = $3 where id = $1", [
      id("Job", n),
      session,
      `worker ${worker}`,
    ])
}

const rowsOf = async (pool: pg.Pool) => {
  const { rows } = await pool.query(
    "select id, state, attempt, not_before::int, session, worker, holds, holds_until::int from countersign.job order by id",
  )
  return rows
}

/** Each release, on a database that is empty at first. */
export const releasedJobs = (parts: Parts) =>
  releases.map(([what, [sessions, claims, every], released]) => ({
    title: `a release makes claimable ${what}`,
    run: async (): Promise<void> => {
      const { pool } = parts
      await arrange(parts)
      const before = await rowsOf(pool)
      const { rows } = await pool.query(`select ${functions.releaseJobs}($1, $2, $3) as queues`, [
        sessions,
        claims,
        every,
      ])
      const holds: Readonly<Record<number, number>> = { 1: 1700 }
      assert.deepEqual(
        await rowsOf(pool),
        before.map((row, index) =>
          released.includes(index + 1)
            ? { ...row, not_before: 0, session: null, worker: null, holds_until: holds[index + 1] ?? null }
            : row,
        ),
      )
      const queues = [...new Set(released.map((n) => (n === 3 ? "webhook" : "work")))].toSorted()
      assert.deepEqual(JSON.parse(rows[0].queues), queues)
    },
  }))
