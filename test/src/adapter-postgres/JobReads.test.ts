/**
 * What a commit reads of the jobs of others: none, whatever plan the database made while it had other numbers of rows.
 * Source: `sql/functions/commit_group.sql`; `sql/functions/commit_serial.sql`.
 */
import type { Connection } from "@countersign/adapter-postgres"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { afterAll } from "vitest"
import { queryOn } from "../../../packages/adapter-postgres/src/connection/PoolConnection.ts"
import { changeSet } from "../../../packages/test/src/conformance/ChangeSets.ts"
import { job } from "../../../packages/test/src/conformance/Examples.ts"
import { claim, commit, committed } from "../../../packages/test/src/conformance/Suite.ts"
import { good } from "./CounterSets.ts"
import * as TestDatabase from "./TestDatabase.ts"

const database = TestDatabase.create()
afterAll(async () => (await database).close())

const commits = ["countersign_commit_group", "countersign_commit_serial"]

/** How many rows of jobs and of their indexes the transaction has read. */
const readText = `select sum(pg_stat_get_xact_tuples_returned(read.id))::text
  from (select 'countersign.job'::regclass::oid union all
    select indexrelid from pg_index where indrelid = 'countersign.job'::regclass) as read (id)`

/** A store that commits on one session, and how many rows of jobs each commit has read. */
const recording = () => {
  const reads: Array<number> = []
  const store = TestDatabase.emptyStore(async () => {
    const { another, connection } = await database
    const pool = another(1)
    const query: Connection["query"] = async (statement) => {
      if (!commits.includes(statement.name ?? "")) return connection.query(statement)
      const client = await pool.connect()
      const ask = queryOn(client, true)
      try {
        await client.query("begin")
        const answer = await ask(statement)
        const [rows] = await ask({ text: readText, values: [] })
        await client.query("commit")
        reads.push(Number(rows))
        return answer
      } catch (error) {
        await client.query("rollback")
        throw error
      } finally {
        client.release()
      }
    }
    return { ...connection, query, concurrentBatches: 1 }
  })
  return { reads, store }
}

const later = 2000
const withoutLanes = Array.from({ length: 50 }, (_, n) => job(n, { dueAt: later }))
const inLanes = Array.from({ length: 400 }, (_, n) => job(100 + n, { lane: `lane ${n}`, laneHoldMillis: 1000 }))

it.effect("A commit that ends no job reads none, also by a plan that was made when no job had a lane", () => {
  const { reads, store } = recording()
  return Effect.gen(function* () {
    const together = Effect.forEach(good(3), (set) => commit(set), { concurrency: "unbounded" })
    const alone = (expected: number) =>
      committed(changeSet({ counters: [{ key: "one by one", delta: 1, expected, max: 9 }] }))
    yield* committed(changeSet({ jobs: withoutLanes }))
    yield* Effect.promise(async () => (await database).pool.query("analyze countersign.job"))
    yield* together
    yield* alone(0)
    yield* committed(changeSet({ jobs: inLanes }))
    reads.length = 0
    yield* together
    yield* alone(1)
    assert.deepStrictEqual([...new Set(reads)], [0])
  }).pipe(Effect.provide(store, { local: true }))
})

it.effect("A batch that ends jobs reads no others, whatever plan was made before", () => {
  const { reads, store } = recording()
  return Effect.gen(function* () {
    yield* committed(changeSet({ jobs: withoutLanes }))
    yield* Effect.promise(async () => (await database).pool.query("analyze countersign.job"))
    yield* committed(changeSet({ jobs: inLanes }))
    const claimed = yield* claim({ limit: 40 })
    reads.length = 0
    const finish = ({ attempt, id }: (typeof claimed)[number]) => commit(changeSet({ finishes: [{ id, attempt }] }))
    yield* Effect.forEach(claimed, finish, { concurrency: "unbounded" })
    assert.strictEqual(claimed.length, 40)
    assert.isAbove(Math.max(...reads), 0)
    assert.isAtMost(Math.max(...reads), 10 * claimed.length)
  }).pipe(Effect.provide(store, { local: true }))
})
