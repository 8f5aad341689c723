/**
 * Isolation of the sets of a batch: a set that cannot be written does not harm the others, a blocked set does not delay the others, an
 * expired decision is not committed, and names are stored as given.
 */
import { type Connection, PoolConnection, PostgresStore } from "@countersign/adapter-postgres"
import { WallTime } from "@countersign/core/ports"
import { type ChangeSet, Store } from "@countersign/core/store"
import { assert, describe, it } from "@effect/vitest"
import { Cause, Effect, Exit, Fiber, Layer } from "effect"
import { TestClock } from "effect/testing"
import { afterAll, inject } from "vitest"
import type * as CanonicalJson from "../../../packages/core/src/foundation/kit/CanonicalJson.ts"
import { changeSet } from "../../../packages/test/src/conformance/ChangeSets.ts"
import {
  account,
  alpha,
  ann,
  customer,
  job,
  newEvent,
  transfer,
} from "../../../packages/test/src/conformance/Examples.ts"
import { commit, committed, counter } from "../../../packages/test/src/conformance/Suite.ts"
import { counted, good } from "./CounterSets.ts"
import { asCaller } from "./Histories.ts"
import * as TestDatabase from "./TestDatabase.ts"

const database = TestDatabase.create(6)
afterAll(async () => (await database).close())
const store = TestDatabase.emptyStore(async () => (await database).connection)

const together = (sets: ReadonlyArray<ChangeSet>) =>
  Store.use((service) =>
    Effect.forEach(sets, (set) => asCaller(service.commit(set), alpha), { concurrency: "unbounded" }),
  ).pipe(Effect.map((all) => all.map((each) => (typeof each === "string" ? each : "_tag" in each ? each._tag : each))))

/** A store as of another process. */
const another = (made: TestDatabase.TestDatabase, change: (connection: Connection) => Connection = (same) => same) =>
  Layer.build(
    PostgresStore.layer({ connection: change(PoolConnection.make(made.another(4))) }).pipe(
      Layer.provide(WallTime.layerClock),
      Layer.fresh,
    ),
  ).pipe(Effect.flatMap((context) => Effect.provide(Store, context)))

const promised = <A>(run: (made: TestDatabase.TestDatabase) => Promise<A>) =>
  Effect.promise(async () => run(await database))

/** An open transaction that holds the lock of Ann's record. */
const holding = Effect.gen(function* () {
  const client = yield* Effect.acquireRelease(
    promised(({ pool }) => pool.connect()),
    (taken) => Effect.sync(() => taken.release()),
  )
  const execute = (text: string) => Effect.asVoid(Effect.promise(() => client.query(text)))
  yield* execute("begin")
  yield* execute(`select pg_advisory_xact_lock(hashtextextended('record ${alpha.platformId} Customer ${ann}', 0))`)
  return { release: execute("commit") }
})

/** Waits for as long as this number of trips to the database takes. */
const trips = (count: number) =>
  promised(async ({ pool }) => {
    for (let n = 0; n < count; n++) await pool.query("select")
  })

const deep = (depth: number): CanonicalJson.Json => JSON.parse(`${"[".repeat(depth)}${"]".repeat(depth)}`)

describe("a change set that cannot be written", () => {
  const unwritable: ReadonlyArray<readonly [name: string, set: () => ChangeSet]> = [
    [
      "a body that is nested too deep",
      () => changeSet({ events: [newEvent(1, { data: { body: deep(20_000), placeholders: [] } })] }),
    ],
    ["a lone surrogate in the name of a counter", () => counted("k\ud800")],
    ["a lone surrogate in the subject of an event", () => changeSet({ events: [newEvent(1, { subject: "s\udc00" })] })],
  ]
  for (const [name, set] of unwritable) {
    it.live(`fails alone and does not fail the other sets of its batch: ${name}`, () =>
      Effect.gen(function* () {
        assert.deepStrictEqual(yield* together([set()]), ["a defect"])
        assert.deepStrictEqual(yield* together([set(), ...good(4)]), ["a defect", ...Array(4).fill("Committed")])
        assert.strictEqual(yield* counter("counter 3"), 1)
        assert.deepStrictEqual(yield* together(good(2)), ["Committed", "Committed"])
      }).pipe(Effect.provide(store, { local: true })),
    )
  }
})

it.live("the error for an invalid change set names the problem", () =>
  Effect.gen(function* () {
    const taken = changeSet({ counters: [{ key: "never filled", delta: -1 }] })
    const exit = yield* Effect.exit(commit(taken))
    assert.include(Exit.isFailure(exit) ? Cause.pretty(exit.cause) : "", "change set: ")
  }).pipe(Effect.provide(store, { local: true })),
)

it.live("a lane can have any name", () =>
  Effect.gen(function* () {
    yield* together([changeSet({ jobs: [job(1)] }), changeSet({ jobs: [job(2, { lane: "null" })] }), ...good(3)])
    const request = { queue: "work", worker: "w", limit: 10, leavesReserve: false, leaseMillis: 100 } as const
    const claimed = yield* Store.use(({ claim }) => claim({ ...request, businessNow: 10, wallNow: 10 }))
    assert.deepStrictEqual(claimed.map(({ id }) => id).toSorted(), [job(1).id, job(2).id])
  }).pipe(Effect.provide(store, { local: true })),
)

it.effect("a decision that expires while earlier sets are sent is not committed", () => {
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>()
  const { promise: isLate, resolve: beLate } = Promise.withResolvers<void>()
  const slow = TestDatabase.emptyStore(async () => {
    const { connection } = await database
    const query: Connection["query"] = async (statement) => {
      if (statement.name === "countersign_commit_group") {
        begin()
        await isLate
      }
      return connection.query(statement)
    }
    return { ...connection, query, concurrentBatches: 1 }
  })
  return Effect.gen(function* () {
    yield* TestClock.setTime(0)
    const full = changeSet({ counters: [{ key: "full", delta: 2, max: 1 }] })
    const short = good(4).map((set): ChangeSet => ({ ...set, validUntil: 100 }))
    const late = Effect.gen(function* () {
      yield* Effect.promise(() => begun)
      yield* TestClock.setTime(5000)
      beLate()
    })
    const [outcomes] = yield* Effect.all([together([full, ...short]), late], { concurrency: 2 })
    assert.deepStrictEqual(outcomes, ["BoundViolated", ...Array(4).fill("Conflict")])
  }).pipe(Effect.provide(slow, { local: true }))
})

it.live("a commit does not wait for a blocked batch that it shares nothing with", () =>
  Effect.gen(function* () {
    yield* committed(changeSet({ inserts: [customer(1)] }))
    const { release } = yield* holding
    const guarded = changeSet({ guards: [{ kind: "Customer", id: ann, version: 1 }] })
    const waiting = yield* Effect.forkChild(commit(guarded), { startImmediately: true })
    const isSent = () =>
      promised(({ pool }) => pool.query(`select from pg_locks where not granted and ${TestDatabase.isHere}`))
    while ((yield* isSent()).rowCount === 0) yield* Effect.yieldNow
    assert.deepStrictEqual(yield* together(good(10)), Array(10).fill("Committed"))
    assert.strictEqual(waiting.pollUnsafe(), undefined)
    yield* release
    assert.strictEqual((yield* Fiber.join(waiting))._tag, "Committed")
  }).pipe(Effect.scoped, Effect.provide(store, { local: true })),
)

it.live("a job that is parked during a claim is not claimed", () =>
  Effect.gen(function* () {
    const one = yield* Store
    const two = yield* Effect.flatMap(
      promised(async (made) => made),
      (made) => Effect.orDie(another(made)),
    )
    const claim = ({ claim: from }: Store["Service"], wallNow: number) =>
      from({ queue: "work", worker: "w", businessNow: 10, wallNow, limit: 1, leavesReserve: false, leaseMillis: 10 })
    // Enough jobs that choosing takes a while, as on a busy server.
    const others = Array.from({ length: 400 }, (_, index) => job(index + 10_000, { dueAt: 5 }))
    yield* committed(changeSet({ jobs: others }))
    for (let n = 1; n <= 160; n++) {
      const id = job(n).id
      yield* committed(changeSet({ jobs: [job(n, { dueAt: 0 })] }))
      const [mine] = yield* claim(one, n * 100)
      assert.strictEqual(mine?.id, id)
      const { attempt = 0 } = mine ?? {}
      const park = changeSet({ returns: [{ id, attempt, outcome: "parked", notBefore: 0, error: "spent" }] })
      // The lease has expired, and the worker parks the job at some moment of the next claim.
      const [taken, parked] = yield* Effect.all(
        [claim(two, n * 100 + 50), Effect.andThen(trips(n % 8), asCaller(one.commit(park), alpha))],
        { concurrency: 2 },
      )
      const isTaken = taken.some((each) => each.id === id)
      assert.strictEqual(parked !== "a defect" && "_tag" in parked && parked._tag === "Committed", !isTaken)
      yield* promised(({ pool }) => pool.query("delete from countersign.job where id = $1", [id]))
      yield* promised(({ pool }) => pool.query("update countersign.job set state = 'waiting', not_before = 0"))
    }
  }).pipe(Effect.scoped, Effect.provide(store, { local: true })),
)

it.live("a database whose default isolation is not READ COMMITTED is rejected", () =>
  Effect.gen(function* () {
    const made = yield* Effect.acquireRelease(
      Effect.promise(() => TestDatabase.create(2)),
      ({ close }) => Effect.promise(close),
    )
    const running = yield* Effect.orDie(another(made))
    yield* Effect.promise(() =>
      made.pool.query(`alter database ${made.name} set default_transaction_isolation = 'repeatable read'`),
    )
    const refused = yield* Effect.flip(another(made))
    assert.include(refused.message, "commits need READ COMMITTED; transactions here are REPEATABLE READ")
    // Existing connections keep their isolation; a new pool has new sessions.
    yield* Effect.promise(() =>
      made.pool.query(
        "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()",
      ),
    )
    const answers: Array<unknown> = []
    while (!answers.includes("a defect") && answers.length < 20)
      answers.push(yield* asCaller(running.commit(counted("c")), alpha))
    assert.include(answers, "a defect")
  }).pipe(Effect.scoped),
)

it.live("rows are locked in byte order whatever the collation of the database", () =>
  Effect.gen(function* () {
    const options = "template template0 locale_provider icu icu_locale 'en-US'"
    const made = yield* Effect.acquireRelease(
      Effect.promise(() => TestDatabase.create(4, inject("postgresAddressSocket"), options)),
      ({ close }) => Effect.promise(close),
    )
    const failures: Array<unknown> = []
    const recordFailures = (connection: Connection): Connection => ({
      ...connection,
      concurrentBatches: 1,
      query: (statement) =>
        connection.query(statement).catch((error: unknown) => {
          failures.push(error)
          throw error
        }),
    })
    const [one, two] = [
      yield* Effect.orDie(another(made, recordFailures)),
      yield* Effect.orDie(another(made, recordFailures)),
    ]
    // "Zed" precedes "alpha" in byte order and follows it in English.
    yield* asCaller(
      one.commit(changeSet({ ledgerAccounts: ["Zed", "alpha"].map((id) => account(id, { floor: null })) })),
      alpha,
    )
    const moving = (on: Store["Service"], count: number) =>
      Effect.forEach(Array.from({ length: 60 }), () =>
        Effect.forEach(
          Array.from({ length: count }, () => changeSet({ transfers: [transfer("Zed", "alpha", 1)] })),
          (set) => asCaller(on.commit(set), alpha),
          { concurrency: "unbounded" },
        ),
      )
    // One store commits in batches, the other one by one.
    yield* Effect.all([moving(one, 6), moving(two, 2)], { concurrency: 2 })
    assert.deepStrictEqual(failures, [])
  }).pipe(Effect.scoped),
)
