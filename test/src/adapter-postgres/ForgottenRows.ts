/**
 * What `forget` deletes at the ends of retentions, as plain functions: exactly what has ended, the oldest first, and nothing of what stays.
 * Source: D-056; sql/functions/forget.sql.
 */
import assert from "node:assert/strict"
import type { NewJob } from "@countersign/core/store"
import { ManagedRuntime } from "effect"
import type pg from "pg"
import { functions } from "../../../packages/adapter-postgres/src/functions/Functions.ts"
import { changeSet, replayRecord } from "../../../packages/test/src/conformance/ChangeSets.ts"
import { id, job, newEvent } from "../../../packages/test/src/conformance/Examples.ts"
import { committed } from "../../../packages/test/src/conformance/Suite.ts"
import { besideTransaction, type FunctionCheck, type FunctionParts } from "./FunctionParts.ts"

const numbers = [1, 2, 3, 4]
/** Wall and business time of the sweep. */
const [wallNow, businessNow] = [5000, 10_000_000] as const
const limitRetention = 3_600_000
/** A counter of a limit whose window has ended this long before the sweep. */
const limitKey = (agoMillis: number) => `limit:${String(businessNow - agoMillis).padStart(13, "0")}:x`
const limits = [limitRetention + 2, limitRetention + 1, limitRetention, 0].map(limitKey)
const others = ["limit", "limi:0000000000001", "limit;0000000000001", "budget"]

type Parts = Pick<FunctionParts, "pool" | "store">

const attempt = (n: number) => ({
  eventId: id("Webhook", n),
  attempt: {
    at: 1,
    timestamp: "1970-01-01T00:00:01Z",
    url: "https://a.example",
    isResend: false,
    latencyMillis: 5,
    headers: {},
  },
})

/** Four of everything that expires: numbers 1 and 2 have ended, 2 at this time, 3 ends a millisecond later, and 4 later still. */
const arrange = async ({ pool, store }: Parts, jobs: ReadonlyArray<NewJob> = []) => {
  const runtime = ManagedRuntime.make(store)
  const commit = (parts: Parameters<typeof changeSet>[0]) => runtime.runPromise(committed(changeSet(parts)))
  await commit({
    events: numbers.map((n) => newEvent(n, { subject: `s${n}` })),
    jobs,
    counters: [...limits, ...others].map((key) => ({ key, delta: 1 })),
  })
  for (const n of numbers) {
    await commit({ attempts: [attempt(n)] })
    await commit({ replay: replayRecord(`key ${n}`) })
  }
  await runtime.dispose()
  const ends = (now: number) => numbers.map((n) => now - 2 + n - (n === 1 ? 500 : 0))
  for (const [index, at] of ends(businessNow).entries())
    await pool.query("update countersign.event set expires_at = $2 where id = $1", [id("Webhook", index + 1), at])
  for (const [index, at] of ends(wallNow).entries())
    await pool.query("update countersign.replay set expires_at = $2 where key = $1", [`key ${index + 1}`, at])
  // The receipts are those of the sets without a stored answer: of the events, and of each attempt.
  await pool.query("update countersign.operation set expires_at = $1", [wallNow + 1])
  const { rows } = await pool.query("select id from countersign.operation order by id limit 2")
  for (const [index, row] of rows.entries())
    await pool.query("update countersign.operation set expires_at = $2 where id = $1", [row.id, wallNow - index * 10])
}

const left = async (pool: pg.Pool) => {
  const of = async (text: string) => (await pool.query({ text, rowMode: "array" })).rows.flat()
  const named = (ids: ReadonlyArray<string>) =>
    ids.map((each) => numbers.findIndex((n) => id("Webhook", n) === each) + 1)
  return {
    receipts: (await of("select id from countersign.operation")).length,
    replays: await of("select key from countersign.replay order by key"),
    events: named(await of("select id from countersign.event order by id")),
    attempts: named(await of("select event_id from countersign.event_attempt order by event_id")),
    counters: await of("select key from countersign.counter order by key"),
  }
}

const forget = async (pool: pg.Pool, limit: number) => {
  const { rows } = await pool.query(`select ${functions.forget}($1, $2, $3) as count`, [wallNow, businessNow, limit])
  return Number(rows[0].count)
}

/** Each sweep, on a database that is empty at first. */
export const forgottenRows = (parts: Parts): ReadonlyArray<FunctionCheck> => {
  const { pool } = parts
  const kept = {
    receipts: 3,
    replays: ["key 3", "key 4"],
    events: [3, 4],
    attempts: [3, 4],
    counters: [...limits.slice(2), ...others].toSorted(),
  }
  return [
    {
      title: "a sweep deletes what has ended by its clock, attempts with their events, and counts it",
      run: async (): Promise<void> => {
        await arrange(parts)
        assert.equal(await forget(pool, 100), 8)
        assert.deepEqual(await left(pool), kept)
        assert.equal(await forget(pool, 100), 0)
      },
    },
    {
      title: "a sweep of one row of each deletes the oldest",
      run: async (): Promise<void> => {
        await arrange(parts)
        assert.equal(await forget(pool, 1), 4)
        const { attempts, counters, events, replays } = await left(pool)
        assert.deepEqual(
          { attempts, events, replays },
          { attempts: [2, 3, 4], events: [2, 3, 4], replays: ["key 2", "key 3", "key 4"] },
        )
        assert.equal(counters.includes(limits[0] ?? ""), false)
        assert.equal(counters.length, limits.length + others.length - 1)
      },
    },
    {
      title: "a sweep keeps an event whose subject still has a delivery, and what another transaction has",
      run: async (): Promise<void> => {
        const deliveries = ["event:s1", "event:s9"].map((lane, n) => job(n + 1, { lane, queue: "webhook" }))
        await arrange(parts, [...deliveries, job(3, { lane: "event:s2" })])
        const locking = "select from countersign.replay where key = 'key 1' for update"
        await besideTransaction(pool, [locking], () => forget(pool, 100))
        const { attempts, events, replays } = await left(pool)
        assert.deepEqual(
          { attempts, events, replays },
          { attempts: [1, 3, 4], events: [1, 3, 4], replays: ["key 1", "key 3", "key 4"] },
        )
      },
    },
  ]
}
