/**
 * A store behind a pooler that lends sessions for one transaction each, with the server's own address beside it.
 * Source: D-509.
 */
import { PostgresStore } from "@countersign/adapter-postgres"
import { reasonOf } from "@countersign/adapter-postgres/preflight"
import { WallTime } from "@countersign/core/ports"
import { Store } from "@countersign/core/store"
import { Cause, Effect, Exit, Layer, ManagedRuntime } from "effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { basic, client } from "../e2e/Client.ts"
import { eventually } from "../e2e/Deadline.ts"
import { credentialOptions, credentials, newCustomer } from "../e2e/Flow.ts"
import { startServer } from "../e2e/ServerProcess.ts"
import { audit, isReady, open, storm } from "./CommitStorm.ts"
import { type FaultServer, faultServer } from "./FaultServer.ts"
import { poolers } from "./TransactionPooler.ts"

let server: FaultServer
beforeAll(async () => {
  server = await faultServer()
}, 60_000)
afterAll(() => server[Symbol.asyncDispose]())

const processOn = async (url: string, directUrl: string) => {
  const layer = Layer.orDie(PostgresStore.layerPool({ url, directUrl, connectionsMax: 6 }))
  const runtime = ManagedRuntime.make(Layer.provide(layer, WallTime.layerClock))
  const store = await runtime.runPromise(Effect.map(Store, (found) => found))
  return { store, [Symbol.asyncDispose]: () => runtime.dispose() }
}

describe.each(poolers)("behind %s", { timeout: 120_000 }, (_, start) => {
  it("processes commit under load, lose nothing and do nothing twice", async () => {
    await using pooler = await start(server.folder)
    const database = await server.create()
    await using one = await processOn(pooler.url(database.name), database.url)
    await using two = await processOn(pooler.url(database.name), database.url)
    await open(one.store)
    const outside = database.pool({ max: 1 })
    // The server ends every session: those of the pooler, and those beside it.
    const drop = async () => {
      await outside.query(
        "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()",
      )
    }
    const stores = [one.store, two.store]
    const written = await storm({ stores, callers: 12, rounds: 20, faults: [drop, drop], setsPerFault: 60 })
    await audit(outside, written)
    for (const store of stores) expect(await isReady(store)).toBe(true)
  })

  it("a store without the server's own address does not start, since it could not migrate", async () => {
    await using pooler = await start(server.folder)
    const database = await server.create()
    const layer = PostgresStore.layerPool({ url: pooler.url(database.name) })
    const exit = await Effect.runPromiseExit(Effect.scoped(Layer.build(Layer.provide(layer, WallTime.layerClock))))
    if (Exit.isSuccess(exit)) throw new Error("the store started")
    expect(reasonOf(Cause.squash(exit.cause))).toContain("name the server behind it")
  })

  it("a process that answers and one that works have sessions of their own, prepare nothing, and pass on work", async () => {
    await using pooler = await start(server.folder)
    const database = await server.create()
    const options = [...credentialOptions, "--store", pooler.url(database.name), "--store-direct", database.url]
    await using api = await startServer({ options: [...options, "--role", "api"] })
    await using worker = await startServer({ options: [...options, "--role", "worker"] })
    const outside = database.pool({ max: 1 })
    const sessions = async () =>
      (await outside.query("select 1 from pg_locks where locktype = 'advisory' and objsubid = 2 and granted")).rows
        .length
    await eventually("the session of the workers", sessions, (found) => found > 0)
    const platform = client(api.base, basic(credentials.clientId, credentials.clientSecret))
    await newCustomer(platform)
    const works = async () => {
      const { rows } = await outside.query<{ readonly done: string }>(
        "select (select count(*) from countersign.customer) || ' ' || (select count(*) from countersign.job) as done",
      )
      return rows[0]?.done
    }
    await eventually("the end of the jobs", works, (done) => done === "1 0")
    expect(`${api.stderr()}${worker.stderr()}`).not.toMatch(/no session of its own|prepared statement/u)
  })
})
