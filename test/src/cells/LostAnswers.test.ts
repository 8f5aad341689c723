/** What becomes of a set over several cells when answers, connections and processes are lost; and the turns of claims. Source: D-514. */
import { CellMigrations, type Connection, PoolConnection } from "@countersign/adapter-postgres"
import { StoreUnavailable } from "@countersign/core/store"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import type pg from "pg"
import { afterEach, beforeEach } from "vitest"
import * as CellPlaces from "../../../packages/adapter-postgres/src/cells/CellPlaces.ts"
import { cellsMax } from "../../../packages/adapter-postgres/src/cells/Cells.ts"
import { beatStatement } from "../../../packages/adapter-postgres/src/WorkerSession.ts"
import { changeSet } from "../../../packages/test/src/conformance/ChangeSets.ts"
import {
  account,
  ann,
  bob,
  customer,
  id,
  job,
  newEvent,
  transfer,
} from "../../../packages/test/src/conformance/Examples.ts"
import { claim, commit, committed, event, meets, record } from "../../../packages/test/src/conformance/Suite.ts"
import * as TestDatabase from "../adapter-postgres/TestDatabase.ts"
import { inStore } from "./InStore.ts"

let database: TestDatabase.TestDatabase
beforeEach(async () => {
  database = await TestDatabase.create(6)
}, 60_000)
afterEach(() => database.close())

/** A pool whose clients' queries go through `through`. */
const intercepted = (through: (client: pg.PoolClient, text: string) => Promise<unknown> | undefined): Connection => {
  const wrapped = new WeakMap<pg.PoolClient, pg.PoolClient>()
  const wrap = (client: pg.PoolClient): pg.PoolClient => {
    const query = client.query.bind(client) as (config: { readonly text: string }) => Promise<unknown>
    const made = Object.assign(Object.create(client) as pg.PoolClient, {
      query: (config: { readonly text: string }) => through(client, config.text) ?? query(config),
    })
    wrapped.set(client, made)
    return made
  }
  return PoolConnection.make({
    options: database.pool.options,
    connect: async () => {
      const client = await database.pool.connect()
      return Object.assign(wrapped.get(client) ?? wrap(client), { release: client.release })
    },
  })
}

it.live(
  "adds events that show a balance in two cells once, and returns the same facts when the set is sent again",
  () =>
    inStore(
      database.connection,
      4,
      Effect.gen(function* () {
        const [outside, available] = [`outside:${ann}`, `available:${ann}`]
        const shows = { body: { amount: 0 }, placeholders: [{ path: ["amount"], balances: [available] }] }
        const set = changeSet({
          inserts: [customer(1), customer(2)],
          ledgerAccounts: [account(outside, { floor: null }), account(available)],
          transfers: [transfer(outside, available, 100)],
          events: [ann, bob].map((owner, n) => newEvent(n + 1, { customerId: owner, subject: owner, data: shows })),
        })
        const first = yield* committed(set)
        assert.deepStrictEqual(yield* committed(set), first)
        for (const [n, owner] of [ann, bob].entries()) {
          const found = yield* event(id("Webhook", n + 1, owner))
          assert.strictEqual(found?.facts.balances[available]?.balance, 100)
        }
      }),
    ),
)

it.live("says that the outcome is unknown when the connection is lost at the commit", () => {
  let isCut = false
  const connection = intercepted((client, text) => {
    if (!isCut || text !== "commit") return undefined
    isCut = false
    // The server has committed, and its answer is lost.
    return client.query("commit").then(async () => {
      const { stream } = Reflect.get(client, "connection")
      await new Promise((resolve) => stream.once("close", resolve).destroy(new Error("read ECONNRESET")))
      throw Object.assign(new Error("read ECONNRESET"), { code: "ECONNRESET" })
    })
  })
  return inStore(
    connection,
    4,
    Effect.gen(function* () {
      isCut = true
      const set = changeSet({ inserts: [customer(1), customer(2)] })
      const error = yield* Effect.flip(commit(set))
      assert.isTrue(error instanceof StoreUnavailable && error.unknown)
      assert.strictEqual((yield* record("Customer", ann))?.version, 1)
      yield* committed(set)
    }),
  )
})

it.live("has the server end its transaction when the process stops between two parts", () => {
  const limits: Array<unknown> = []
  let isStarted = false
  const connection = intercepted((client, text) => {
    if (isStarted && text === "commit")
      void client.query("show idle_in_transaction_session_timeout").then(({ rows }) => limits.push(rows[0]))
    return undefined
  })
  return inStore(
    connection,
    4,
    Effect.gen(function* () {
      isStarted = true
      yield* committed(changeSet({ inserts: [customer(1), customer(2)] }))
      assert.deepStrictEqual(limits, [{ idle_in_transaction_session_timeout: "5s" }])
    }),
  )
})

it.live("keeps the connection of a refused set", () =>
  inStore(
    database.connection,
    4,
    Effect.gen(function* () {
      yield* committed(changeSet({ inserts: [customer(1), customer(2)] }))
      let removed = 0
      database.pool.on("remove", () => {
        removed += 1
      })
      for (let n = 0; n < 5; n++) {
        yield* meets(changeSet({ inserts: [customer(3), customer(2)] }), { _tag: "Conflict", on: `Customer ${bob}` })
      }
      assert.strictEqual(removed, 0)
    }),
  ),
)

it.live("begins with another cell for each queue, however the queues alternate", () =>
  inStore(
    database.connection,
    2,
    Effect.gen(function* () {
      const of = (owner: string, first: number) =>
        Array.from({ length: 9 }, (_, n) => job(first + n, { customerId: owner }))
      yield* committed(changeSet({ jobs: [...of(ann, 1), ...of(bob, 101)] }))
      const owners = new Set<string | null>()
      for (let n = 0; n < 4; n++) {
        for (const { customerId } of yield* claim({ limit: 2 })) owners.add(customerId)
        yield* claim({ limit: 2, queue: "webhook" })
      }
      assert.deepStrictEqual(owners, new Set([ann, bob]))
    }),
  ),
)

it.live("answers for as many cells as a store may have with one statement a beat", () =>
  Effect.gen(function* () {
    yield* CellMigrations.run(database.connection)
    const [only] = CellPlaces.statementsOfAll(1)
    if (only === undefined) return assert.fail("no cell")
    const cells = new Map(Array.from({ length: cellsMax }, (_, cell) => [cell, only]))
    const rows = yield* Effect.promise(() => database.connection.query(beatStatement(1, cells)))
    assert.deepStrictEqual(
      rows.map((row) => JSON.parse(row ?? "")),
      Array.from(cells.keys(), (cell) => [cell, "[]"]),
    )
  }),
)
