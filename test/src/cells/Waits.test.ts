/** Sets over several cells that wait for a lock that another session holds. Source: D-318, D-514. */
import { PostgresStore } from "@countersign/adapter-postgres"
import { WallTime } from "@countersign/core/ports"
import { StoreUnavailable } from "@countersign/core/store"
import { assert, it } from "@effect/vitest"
import { Effect, Fiber, Layer } from "effect"
import { afterEach, beforeEach, describe } from "vitest"
import { schemaOf } from "../../../packages/adapter-postgres/src/cells/Cells.ts"
import { changeSet } from "../../../packages/test/src/conformance/ChangeSets.ts"
import { account, ann, bob, customer, transfer } from "../../../packages/test/src/conformance/Examples.ts"
import { balance, commit, committed } from "../../../packages/test/src/conformance/Suite.ts"
import * as TestDatabase from "../adapter-postgres/TestDatabase.ts"
import { inStore } from "./InStore.ts"

let database: TestDatabase.TestDatabase
beforeEach(async () => {
  database = await TestDatabase.create(6)
}, 60_000)
afterEach(() => database.close())

describe("a set over several cells that waits for a lock", () => {
  const [blocked = "", free = ""] = [`available:${ann}`, `available:${bob}`]
  const outside = `outside:${ann}`
  const opening = changeSet({
    ledgerAccounts: [account(outside, { floor: null }), account(blocked), account(free, { customerId: bob })],
    transfers: [transfer(outside, blocked, 100)],
  })
  /** Money of `ann` for `bob`, whose cells differ. */
  const between = () => changeSet({ transfers: [transfer(blocked, free, 1)] })
  /** A set over two cells that needs neither account. */
  const elsewhere = (n: number) => changeSet({ inserts: [customer(n), customer(n + 1)] })
  const locked = Effect.acquireRelease(
    Effect.promise(async () => {
      const client = await database.pool.connect()
      await client.query("begin")
      for (const schema of [0, 1, 2, 3].map((cell) => schemaOf(cell, 4))) {
        await client.query(`select from ${schema}.ledger_account where id = $1 for update`, [blocked])
      }
      return client
    }),
    (client) => Effect.promise(() => client.query("rollback").then(() => client.release())),
  )

  it.live("keeps no connection meanwhile, so that others commit", () =>
    inStore(
      database.connection,
      4,
      Effect.gen(function* () {
        yield* committed(opening)
        const waiting = yield* Effect.scoped(
          Effect.gen(function* () {
            yield* locked
            const fibers = yield* Effect.all(Array.from({ length: 24 }, () => Effect.forkDetach(committed(between()))))
            for (let n = 0; n < 3; n++) yield* committed(elsewhere(1 + 2 * n))
            for (const fiber of fibers) assert.isUndefined(fiber.pollUnsafe())
            return fibers
          }),
        )
        yield* Effect.forEach(waiting, Fiber.join, { concurrency: "unbounded" })
        assert.strictEqual((yield* balance(free)).balance, 24)
      }),
    ),
  )

  it.live("is refused after the wait for locks, with nothing applied", () =>
    Effect.gen(function* () {
      yield* inStore(database.connection, 4, committed(opening))
      const impatient = Layer.orDie(
        PostgresStore.layer({ connection: database.connection, cells: 4, lockWaitMillis: 600 }),
      ).pipe(Layer.provide(WallTime.layerClock))
      yield* Effect.scoped(
        Effect.gen(function* () {
          yield* locked
          const refused = yield* Effect.flip(commit(between()))
          assert.instanceOf(refused, StoreUnavailable)
          assert.isFalse(refused.unknown)
        }),
      ).pipe(Effect.provide(impatient, { local: true }))
      yield* inStore(
        database.connection,
        4,
        Effect.gen(function* () {
          assert.strictEqual((yield* balance(free)).balance, 0)
        }),
      )
    }),
  )
})
