/**
 * Commits beside what other transactions hold, as plain functions: what a set locks, it waits for; and of a batch only the sets in conflict are
 * committed one by one.
 * Source: architecture, "The Store port"; sql/functions/commit_group.sql.
 */
import assert from "node:assert/strict"
import type { Connection } from "@countersign/adapter-postgres"
import type { ChangeSet, Store, StoreUnavailable } from "@countersign/core/store"
import { Effect, type Layer, ManagedRuntime } from "effect"
import type pg from "pg"
import { changeSet, replayRecord } from "../../../packages/test/src/conformance/ChangeSets.ts"
import {
  account,
  alpha,
  customer,
  customerUpdate,
  id,
  job,
  newEvent,
  transfer,
} from "../../../packages/test/src/conformance/Examples.ts"
import { claim, commit, committed } from "../../../packages/test/src/conformance/Suite.ts"
import { besideTransaction, type FunctionCheck, type FunctionParts } from "./FunctionParts.ts"
import { emptyStore, isHere } from "./TestDatabase.ts"

const of = (n: number) => ({ kind: "Customer", id: id("Customer", n) }) as const
const laneLock = `hashtextextended('lane work ${alpha.platformId} l', 0)`
const recordLock = `hashtextextended('record ${alpha.platformId} Customer ${of(1).id}', 0)`

/** Each set, and a lock of another transaction that it has to wait for. */
const waits: ReadonlyArray<readonly [title: string, lock: string, set: ChangeSet]> = [
  [
    "a set that finishes a job waits for the lock of its lane, even a shared one",
    `pg_advisory_xact_lock_shared(${laneLock})`,
    changeSet({ finishes: [{ id: id("Job", 1), attempt: 1 }] }),
  ],
  [
    "a set that returns a job waits for the lock of its lane, even a shared one",
    `pg_advisory_xact_lock_shared(${laneLock})`,
    changeSet({ returns: [{ id: id("Job", 1), attempt: 1, outcome: "retry", notBefore: 9000, error: "later" }] }),
  ],
  [
    "a set that adds a job to a lane waits for its lock",
    `pg_advisory_xact_lock(${laneLock})`,
    changeSet({ jobs: [job(2, { lane: "l" })] }),
  ],
  [
    "a set that finishes a job and adds one to its lane waits for its lock, even a shared one",
    `pg_advisory_xact_lock_shared(${laneLock})`,
    changeSet({ finishes: [{ id: id("Job", 1), attempt: 1 }], jobs: [job(2, { lane: "l" })] }),
  ],
  [
    "a set that updates a record waits for its lock, even a shared one",
    `pg_advisory_xact_lock_shared(${recordLock})`,
    changeSet({ updates: [customerUpdate(1, 1)] }),
  ],
  [
    "a set that guards a record waits for its lock",
    `pg_advisory_xact_lock(${recordLock})`,
    changeSet({ guards: [{ ...of(1), version: 1 }] }),
  ],
]

const waiting = (
  how: string,
  store: Layer.Layer<Store, StoreUnavailable>,
  pool: pg.Pool,
): ReadonlyArray<FunctionCheck> =>
  waits.map(([title, lock, set]) => ({
    title: `${title}, ${how}`,
    run: async () => {
      const runtime = ManagedRuntime.make(store)
      await runtime.runPromise(committed(changeSet({ inserts: [customer(1)], jobs: [job(1, { lane: "l" })] })))
      await runtime.runPromise(claim())
      let isSettled = false
      const isWaiting = async () =>
        (await pool.query(`select from pg_locks where not granted and ${isHere}`)).rowCount !== 0
      const sent = await besideTransaction(pool, [`select ${lock}`], async () => {
        const outcome = runtime.runPromise(commit(set)).finally(() => {
          isSettled = true
        })
        while (!(isSettled || (await isWaiting())));
        assert.equal(isSettled, false)
        return { outcome }
      })
      assert.equal((await sent.outcome)._tag, "Committed")
      await runtime.dispose()
    },
  }))

const taken = { scope: "platform" as const, key: "taken" }

/** What is wrong with one set of a batch, and how it ends. */
const conflicts: ReadonlyArray<readonly [what: string, ends: string, parts: Partial<ChangeSet>]> = [
  ["was decided on another version", "Conflict", { updates: [customerUpdate(5, 7)] }],
  ["claims a key that a record holds", "Taken", { claims: [{ ...taken, record: of(105) }] }],
  ["finishes another attempt of a job", "Conflict", { finishes: [{ id: id("Job", 5), attempt: 9 }] }],
]

/** Sets of every part, and the number of those that are not committed in a batch. */
const alone = ({ connection }: FunctionParts, [what, ends, wrong]: (typeof conflicts)[number]): FunctionCheck => ({
  title: `of a batch only the set is committed by itself that ${what}`,
  run: async () => {
    let single = 0
    const counting: Connection = {
      ...connection,
      concurrentBatches: 1,
      query: (statement) => {
        if (statement.name === "countersign_commit_serial") single += JSON.parse(String(statement.values[0])).length
        return connection.query(statement)
      },
    }
    const runtime = ManagedRuntime.make(emptyStore(async () => counting))
    const numbers = Array.from({ length: 9 }, (_, n) => n + 1)
    await runtime.runPromise(
      committed(
        changeSet({
          inserts: [...numbers, 20].map((n) => customer(n)),
          ledgerAccounts: [account("outside", { floor: null }), ...numbers.map((n) => account(`own ${n}`))],
          jobs: numbers.map((n) => job(n, { lane: `own ${n}` })),
          claims: [{ ...taken, record: of(20) }],
        }),
      ),
    )
    await runtime.runPromise(claim())
    single = 0
    const sets = numbers.map((n) =>
      changeSet({
        updates: [customerUpdate(n, 1)],
        guards: [{ ...of(20), version: 1 }],
        inserts: [customer(100 + n)],
        claims: [{ scope: "platform", key: `own ${n}`, record: of(100 + n) }],
        transfers: [transfer("outside", `own ${n}`, n)],
        counters: [{ key: `own ${n}`, delta: 1, max: 1 }],
        events: [newEvent(n)],
        jobs: [job(100 + n), job(200 + n), job(300 + n, { lane: `new ${n}` }), job(400 + n, { lane: `new ${n}` })],
        finishes: [{ id: id("Job", n), attempt: 1 }],
        // A set has a stored answer or a receipt.
        ...(n % 2 === 0 ? { replay: replayRecord(`own ${n}`) } : {}),
        ...(n === 5 ? wrong : {}),
      }),
    )
    const outcomes = await runtime.runPromise(
      Effect.all(
        sets.map((set) => commit(set)),
        { concurrency: "unbounded" },
      ),
    )
    assert.deepEqual(
      outcomes.map(({ _tag }) => _tag),
      numbers.map((n) => (n === 5 ? ends : "Committed")),
    )
    assert.equal(single, 1)
    // All jobs of no lane, and the first one of each lane.
    const claimed = await runtime.runPromise(claim())
    const added = numbers.filter((n) => n !== 5).flatMap((n) => [100 + n, 200 + n, 300 + n])
    assert.deepEqual(claimed.map((each) => each.id).toSorted(), added.map((n) => id("Job", n)).toSorted())
    await runtime.dispose()
  },
})

/** Each commit, on a database that is empty at first. */
export const commitsBesideLocks = (parts: FunctionParts): ReadonlyArray<FunctionCheck> => {
  const { connection, pool } = parts
  return [
    ...waiting(
      "in a batch",
      emptyStore(async () => connection),
      pool,
    ),
    ...waiting(
      "by itself",
      emptyStore(async () => ({ ...connection, isTransaction: true })),
      pool,
    ),
    ...conflicts.map((conflict) => alone(parts, conflict)),
  ]
}
