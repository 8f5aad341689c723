/**
 * The failover of a database: a standby is promoted while clients commit, and the store goes on with it by itself.
 * Source: D-508.
 */
import { OwnPool, PoolConnection, PostgresStore } from "@countersign/adapter-postgres"
import { WallTime } from "@countersign/core/ports"
import { Store } from "@countersign/core/store"
import { Effect, Layer, ManagedRuntime } from "effect"
import { describe, expect, it } from "vitest"
import { eventually } from "../e2e/Deadline.ts"
import { audit, isReady, open, resultOf, setOn, storm } from "./CommitStorm.ts"
import { type ReplicatedServer, replicatedServer } from "./ReplicatedServer.ts"

interface Process extends AsyncDisposable {
  readonly store: Store["Service"]
}

/** A store on a pool of its own over both hosts, as of one process. */
const processOn = async (server: ReplicatedServer, database: string): Promise<Process> => {
  const layer = Layer.unwrap(
    Effect.map(OwnPool.open(server.url(database), { connectionsMax: 6 }), (pool) =>
      Layer.orDie(PostgresStore.layer({ connection: PoolConnection.make(pool) })),
    ),
  )
  const runtime = ManagedRuntime.make(Layer.provide(layer, WallTime.layerClock))
  const store = await runtime.runPromise(Effect.map(Store, (found) => found))
  return { store, [Symbol.asyncDispose]: () => runtime.dispose() }
}

/** Waits until a store is ready, or is not any more. */
const readiness = (what: string, store: Store["Service"], isExpected: boolean) =>
  eventually(
    what,
    () => isReady(store),
    (is) => is === isExpected,
  )

const twice = async (server: ReplicatedServer, database: string) => {
  const one = await processOn(server, database)
  const two = await processOn(server, database)
  return {
    stores: [one.store, two.store],
    end: () => Promise.all([one, two].map((each) => each[Symbol.asyncDispose]())),
  }
}

describe("a promoted standby", { timeout: 180_000 }, () => {
  it.each([
    ["is killed", (server: ReplicatedServer) => server.kill("first")],
    ["is frozen", (server: ReplicatedServer) => server.freeze("first")],
    ["lives on", async () => undefined],
  ])("takes over under load when its primary %s, and has everything that was acknowledged", async (_, fail) => {
    await using server = await replicatedServer("synchronous")
    const database = await server.create()
    const { end, stores } = await twice(server, database)
    const [store] = stores
    if (store === undefined) throw new Error("there is no store")
    await open(store)
    const fault = async () => {
      await fail(server)
      await server.promote()
    }
    const written = await storm({ stores, callers: 12, rounds: 25, faults: [fault], setsPerFault: 100 })
    expect(written.acknowledged.length).toBeGreaterThan(200)
    await audit(server.pool("second", database), written)
    for (const each of stores) expect(await isReady(each)).toBe(true)
    await end()
  })

  it("is not left for the old primary when that comes back, by those who know and by those who start", async () => {
    await using server = await replicatedServer("asynchronous")
    const database = await server.create()
    await using knowing = await processOn(server, database)
    await open(knowing.store)
    await server.caughtUp()
    await server.kill("first")
    await server.promote()
    await readiness("the promoted host", knowing.store, true)
    await server.start("first")
    const set = setOn(0)
    expect(await resultOf(knowing.store, set)).toBe("Committed")
    await using starting = await processOn(server, database)
    expect(await resultOf(starting.store, set)).toBe("Committed")
    const operations = "select id from countersign.operation where id = $1"
    expect((await server.pool("first", database).query(operations, [set.operationId])).rows).toEqual([])
    expect((await server.pool("second", database).query(operations, [set.operationId])).rows).toHaveLength(1)
    // The old primary alone accepts writes, and gets none.
    await server.kill("second")
    await readiness("the end of the promoted host", knowing.store, false)
    expect(await resultOf(knowing.store, setOn(1))).toBe("unavailable")
    expect(await resultOf(starting.store, setOn(2))).toBe("unavailable")
  })

  it("is waited for while there is no primary", async () => {
    await using server = await replicatedServer("synchronous")
    const database = await server.create()
    await using process = await processOn(server, database)
    await open(process.store)
    await server.kill("first")
    await readiness("the end of the primary", process.store, false)
    expect(await resultOf(process.store, setOn(0))).toBe("unavailable")
    await server.promote()
    await readiness("the promoted host", process.store, true)
    expect(await resultOf(process.store, setOn(0))).toBe("Committed")
  })
})
