/**
 * Which running jobs `release_jobs` and `release_lost_jobs` make claimable, as plain functions. Attempts stay counted, and a lane stays held for its hold.
 * Source: D-323, D-324; sql/functions/release_jobs.sql, release_lost_jobs.sql.
 */
import assert from "node:assert/strict"
import { ManagedRuntime } from "effect"
import type pg from "pg"
import { functions } from "../../../packages/adapter-postgres/src/functions/Functions.ts"
import { changeSet } from "../../../packages/test/src/conformance/ChangeSets.ts"
import { id, job } from "../../../packages/test/src/conformance/Examples.ts"
import { claim, committed } from "../../../packages/test/src/conformance/Suite.ts"
import { besideTransaction, type FunctionCheck, type FunctionParts } from "./FunctionParts.ts"

type Asked = readonly [sessions: ReadonlyArray<number>, claims: ReadonlyArray<string>, every: boolean]

const releases: ReadonlyArray<readonly [what: string, asked: Asked, released: ReadonlyArray<number>]> = [
  ["none where nothing is lost", [[], [], false], []],
  ["the jobs of a lost session", [[71], [], false], [1, 2]],
  ["the jobs of a lost claim", [[], ["worker 2"], false], [2, 3]],
  ["the jobs of either", [[71], ["worker 2"], false], [1, 2, 3]],
  ["no job of other sessions and claims", [[70], ["worker"], false], []],
  ["every running job, but none that waits or is parked", [[], [], true], [1, 2, 3]],
]

type Parts = Pick<FunctionParts, "pool" | "store">

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

/** The space of the locks of sessions in these checks. */
const space = 7_071

/** What a heartbeat of the session 70 releases, while the session 72 lives, and which sessions it keeps. */
const heartbeats: ReadonlyArray<
  readonly [what: string, locking: string, released: ReadonlyArray<number>, kept: ReadonlyArray<number>]
> = [
  ["the jobs of an ended session, which it forgets", "select", [1, 2], [70, 72]],
  [
    "no job that a commit is changing, and keeps its session for the next one",
    `select from countersign.job where id = '${id("Job", 2)}' for update`,
    [1],
    [70, 71, 72],
  ],
  ["no job while all sessions live", `select pg_advisory_xact_lock(${space}, 71)`, [], [70, 71, 72]],
]

const heartbeat = (parts: Parts) =>
  heartbeats.map(([what, locking, released, kept]) => ({
    title: `a heartbeat releases ${what}`,
    run: async (): Promise<void> => {
      const { pool } = parts
      await arrange(parts)
      await pool.query("insert into countersign.worker_session (session) values (70), (71), (72)")
      const living = `select pg_advisory_xact_lock(${space}, 72)`
      const { rows } = await besideTransaction(pool, [living, locking], () =>
        pool.query(`select ${functions.releaseLostJobs}(${space}, 70) as queues`),
      )
      assert.deepEqual(JSON.parse(rows[0].queues), released.length === 0 ? [] : ["work"])
      assert.deepEqual(
        (await rowsOf(pool)).flatMap(({ session, state }, index) =>
          state === "running" && session === null ? [index + 1] : [],
        ),
        released,
      )
      const sessions = await pool.query("select session from countersign.worker_session order by session")
      assert.deepEqual(
        sessions.rows.map(({ session }) => session),
        kept,
      )
    },
  }))

const release = (parts: Parts) =>
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

/** Each release, on a database that is empty at first. */
export const releasedJobs = (parts: Parts): ReadonlyArray<FunctionCheck> => [...release(parts), ...heartbeat(parts)]
