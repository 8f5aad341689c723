/**
 * The keys by owner of a database of an earlier release are dropped while processes commit.
 * Source: D-512.
 */
import { Migrations, PoolConnection } from "@countersign/adapter-postgres"
import { Store } from "@countersign/core/store"
import { Effect, ManagedRuntime } from "effect"
import { afterAll, beforeAll, expect, it } from "vitest"
import { audit, open, storm } from "./CommitStorm.ts"
import { type FaultServer, faultServer, liveStoreOn } from "./FaultServer.ts"

let server: FaultServer
beforeAll(async () => {
  server = await faultServer(["deadlock_timeout=10ms"])
}, 60_000)
afterAll(() => server[Symbol.asyncDispose]())

const tables = ["customer", "event", "job", "ledger_account", "transaction"]

it("leaves every commit its outcome, and no key by owner", { timeout: 120_000 }, async () => {
  const database = await server.create()
  const pool = database.pool()
  const outside = database.pool({ max: 2 })
  const runtime = ManagedRuntime.make(liveStoreOn(pool))
  const store = await runtime.runPromise(Effect.map(Store, (found) => found))
  await open(store)
  for (const table of tables) {
    await outside.query(`alter table countersign.${table} add constraint ${table}_pkey primary key (owner_id, id)`)
  }
  const keys = async () =>
    (
      await outside.query(
        `select conrelid::regclass::text as name from pg_constraint where contype = 'p' and pg_get_constraintdef(oid) = 'PRIMARY KEY (owner_id, id)'`,
      )
    ).rows.map(({ name }) => name)
  const before = await keys()
  expect(before).toHaveLength(tables.length + 1)
  const migrate = () => Effect.runPromise(Migrations.run(PoolConnection.make(outside)))
  const written = await storm({ stores: [store], callers: 24, rounds: 20, faults: [migrate], setsPerFault: 100 })
  await audit(database.pool({ max: 1 }), written)
  expect([...written.answers.keys()]).toEqual(["Committed"])
  expect(await keys()).toEqual(["countersign.operation"])
  await runtime.dispose()
})
