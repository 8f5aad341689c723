/**
 * Inside the embedder's transaction an operation is committed with the embedder's own rows or not at all, and workers of other processes
 * are woken.
 * Source: architecture, "The Store port" (Inside the embedder's transaction).
 */
import { PoolConnection, PostgresStore } from "@countersign/adapter-postgres"
import { CurrentCaller } from "@countersign/core"
import { WallTime } from "@countersign/core/ports"
import { Store } from "@countersign/core/store"
import { assert, it } from "@effect/vitest"
import { Effect, Fiber, Layer } from "effect"
import { afterAll } from "vitest"
import { changeSet } from "../../../packages/test/src/conformance/ChangeSets.ts"
import { alpha, ann, customer, job } from "../../../packages/test/src/conformance/Examples.ts"
import * as TestDatabase from "./TestDatabase.ts"

const database = TestDatabase.create(6)
afterAll(async () => (await database).close())

const Outside = TestDatabase.emptyStore(async () => (await database).connection)
const as = Effect.provideService(CurrentCaller, alpha)

/** A client of the embedder, which has its own table. */
const client = Effect.acquireRelease(
  Effect.promise(async () => {
    const { pool } = await database
    const connection = await pool.connect()
    await connection.query("create table if not exists orders (id int); truncate orders")
    return connection
  }),
  (connection) => Effect.promise(() => connection.query("rollback").finally(() => connection.release())),
)

const execute = (text: string, on: { readonly query: (text: string) => Promise<unknown> }) =>
  Effect.promise(() => on.query(text))

const found = Effect.gen(function* () {
  const store = yield* Store
  const { pool } = yield* Effect.promise(() => database)
  const read = yield* as(store.read({ records: [{ kind: "Customer", id: ann }] }))
  const orders = yield* Effect.promise(() => pool.query("select id from orders"))
  return [read.record("Customer", ann)?.version, orders.rows.length]
})

const ends: ReadonlyArray<readonly [string, Array<number | undefined>]> = [
  ["commit", [1, 1]],
  ["rollback", [undefined, 0]],
]

for (const [end, expected] of ends) {
  it.live(`a ${end} applies to the embedder's rows and the operation together`, () =>
    Effect.gen(function* () {
      const connection = yield* client
      yield* execute("begin", connection)
      yield* execute("insert into orders values (1)", connection)
      const { store } = yield* PostgresStore.transaction(connection)
      const set = changeSet({ inserts: [customer(1)] })
      assert.strictEqual((yield* as(store.commit(set)))._tag, "Committed")
      assert.strictEqual((yield* as(store.commit(set)))._tag, "Committed")
      const inside = yield* as(store.read({ records: [{ kind: "Customer", id: ann }] }))
      assert.strictEqual(inside.record("Customer", ann)?.version, 1)
      assert.deepStrictEqual(yield* found, [undefined, 0])
      yield* execute(end, connection)
      assert.deepStrictEqual(yield* found, expected)
    }).pipe(Effect.scoped, Effect.provide([Outside, WallTime.layerClock], { local: true })),
  )
}

it.live("a refused operation leaves the embedder's transaction usable, and a second operation is rejected", () =>
  Effect.gen(function* () {
    const connection = yield* client
    yield* execute("begin", connection)
    const { store } = yield* PostgresStore.transaction(connection)
    const refused = changeSet({ inserts: [customer(1)], counters: [{ key: "k", delta: 2, max: 1 }] })
    assert.strictEqual((yield* as(store.commit(refused)))._tag, "BoundViolated")
    yield* execute("insert into orders values (1)", connection)
    assert.strictEqual((yield* as(store.commit(changeSet({ inserts: [customer(1)] }))))._tag, "Committed")
    const second = yield* Effect.exit(as(store.commit(changeSet({ inserts: [customer(2)] }))))
    assert.strictEqual(second._tag, "Failure")
    yield* execute("commit", connection)
    assert.deepStrictEqual(yield* found, [1, 1])
  }).pipe(Effect.scoped, Effect.provide([Outside, WallTime.layerClock], { local: true })),
)

it.live("a decision is committed before its `validUntil`, and is a conflict from then on", () =>
  Effect.gen(function* () {
    const connection = yield* client
    yield* execute("begin", connection)
    const { store } = yield* PostgresStore.transaction(connection)
    const add = (validUntil: number) => as(store.commit(changeSet({ validUntil, inserts: [customer(1)] })))
    const { cause } = yield* Effect.flip(add(1))
    assert.deepInclude(cause, { _tag: "TransactionConflict", on: "validUntil" })
    assert.strictEqual((yield* add(Number.MAX_SAFE_INTEGER))._tag, "Committed")
    yield* execute("commit", connection)
    assert.deepStrictEqual((yield* found)[0], 1)
  }).pipe(Effect.scoped, Effect.provide([Outside, WallTime.layerClock], { local: true })),
)

for (const [name, begin, message] of [
  ["no transaction", "select 1", "not inside a transaction"],
  ["another isolation", "begin isolation level repeatable read", "REPEATABLE READ"],
] as const) {
  it.live(`a client with ${name} is rejected`, () =>
    Effect.gen(function* () {
      const connection = yield* client
      yield* execute(begin, connection)
      const error = yield* Effect.flip(PostgresStore.transaction(connection))
      assert.strictEqual(error._tag, "TransactionUnsuitable")
      assert.include(error.message, message)
    }).pipe(Effect.scoped, Effect.provide([Outside, WallTime.layerClock], { local: true })),
  )
}

const claimAll = { queue: "work", worker: "w", limit: 10, leavesReserve: false, leaseMillis: 1000 } as const

it.live("a commit wakes the worker of another process, as does a commit of the embedder", () =>
  Effect.gen(function* () {
    const ownStore = yield* Store
    const { another } = yield* Effect.promise(() => database)
    const context = yield* Layer.build(
      Layer.fresh(PostgresStore.layer({ connection: PoolConnection.make(another(3)) })),
    )
    const otherStore = yield* Effect.provide(Store, context)
    const claim = Effect.map(otherStore.claim({ ...claimAll, businessNow: 0, wallNow: 1 }), (all) => all.length)

    // The other process may miss a wake-up until it has subscribed, so the commit is repeated.
    yield* claim
    const first = yield* Effect.forkChild(otherStore.awaitWork("work"), { startImmediately: true })
    let n = 0
    while (first.pollUnsafe() === undefined) {
      n += 1
      yield* as(ownStore.commit(changeSet({ jobs: [job(n)] })))
      yield* Effect.yieldNow
    }
    yield* Fiber.join(first)
    assert.isAbove(yield* claim, 0)

    while ((yield* claim) > 0) yield* Effect.yieldNow
    const second = yield* Effect.forkChild(otherStore.awaitWork("work"), { startImmediately: true })
    const connection = yield* client
    yield* execute("begin", connection)
    const { notify, store } = yield* PostgresStore.transaction(connection)
    yield* as(store.commit(changeSet({ jobs: [job(5000)] })))
    yield* execute("commit", connection)
    yield* notify
    yield* Fiber.join(second)
  }).pipe(Effect.scoped, Effect.provide([Outside, WallTime.layerClock], { local: true })),
)
