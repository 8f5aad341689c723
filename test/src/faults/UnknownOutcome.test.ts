/**
 * A connection that is lost around a commit. After the statement was sent its outcome is unknown, and a resent set is recognized. Before it
 * was sent nothing was applied, and the store reports so.
 * Source: ports/Store.ts (StoreUnavailable); architecture, "Load, ask, decide, commit".
 */
import { type Connection, PoolConnection, PostgresStore } from "@countersign/adapter-postgres"
import { WallTime } from "@countersign/core/ports"
import { type ChangeSet, Store } from "@countersign/core/store"
import { Effect, Layer, ManagedRuntime } from "effect"
import type pg from "pg"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { eventually } from "../e2e/Deadline.ts"
import { open, resultOf, setOn } from "./CommitStorm.ts"
import { type FaultServer, faultServer } from "./FaultServer.ts"
import { type Network, networkTo } from "./Network.ts"
import { nextReport } from "./NextReport.ts"
import { patient } from "./PatientConnection.ts"

let server: FaultServer
beforeAll(async () => {
  server = await faultServer()
}, 60_000)
afterAll(() => server[Symbol.asyncDispose]())

const storeOn = async (connection: Connection) => {
  const runtime = ManagedRuntime.make(
    Layer.orDie(PostgresStore.layer({ connection })).pipe(Layer.provide(WallTime.layerClock)),
  )
  const store = await runtime.runPromise(Effect.map(Store, (found) => found))
  return { store, [Symbol.asyncDispose]: () => runtime.dispose() }
}

/** How often the set was applied. */
const applied = async (outside: pg.Pool, { operationId }: ChangeSet): Promise<ReadonlyArray<number>> => {
  const { rows } = await outside.query<{ readonly operations: number; readonly entries: number }>(
    `select (select count(*)::int from countersign.operation where id = $1) as operations,
       (select count(*)::int from countersign.ledger_entry where operation_id = $1) as entries`,
    [operationId],
  )
  return rows.flatMap(({ entries, operations }) => [operations, entries])
}

const waiting = `select pid from pg_stat_activity
  where datname = current_database() and wait_event_type = 'Lock' and query like '%commit%' and pid <> pg_backend_pid()`

/** Sends a set that waits in the database for an account that another transaction has locked. */
const sent = async (store: Store["Service"], outside: pg.Pool, account: number) => {
  const holder = await outside.connect()
  await holder.query("begin")
  await holder.query("select 1 from countersign.ledger_account where id = $1 for update", [`account ${account}`])
  const set = setOn(account)
  const answer = resultOf(store, set)
  const blockedCommits = async () => (await outside.query<{ readonly pid: number }>(waiting)).rows
  const [first] = await eventually("a commit that waits", blockedCommits, (found) => found.length === 1)
  return {
    set,
    answer,
    pid: first?.pid,
    release: async () => {
      await holder.query("rollback")
      holder.release()
    },
  }
}

describe("a connection that is lost after the statement was sent", { timeout: 120_000 }, () => {
  /** A database with a store behind a breakable network, and a direct connection. */
  const connect = async (network: Network) => {
    const database = await server.create()
    const process = await storeOn(patient(PoolConnection.make(database.pool({ host: network.folder }))))
    await open(process.store)
    return { ...process, outside: database.pool({ max: 3 }) }
  }

  it("leaves the outcome of an applied set unknown, and the resent set is applied once", async () => {
    await using network = await networkTo(server.folder)
    await using process = await connect(network)
    const { outside } = process
    const { answer, release, set } = await sent(process.store, outside, 0)
    network.pull()
    expect(await answer).toBe("unknown")
    expect(await applied(outside, set)).toEqual([0, 0])
    // The server has not noticed the loss and continues.
    await release()
    await eventually(
      "the commit",
      () => applied(outside, set),
      ([found]) => found === 1,
    )
    expect(await resultOf(process.store, set)).toBe("Committed")
    expect(await applied(outside, set)).toEqual([1, 2])
  })

  it("leaves the outcome of a set that was not applied unknown, and the resent set is applied", async () => {
    await using network = await networkTo(server.folder)
    await using process = await connect(network)
    const { outside } = process
    const { answer, pid, release, set } = await sent(process.store, outside, 1)
    await outside.query("select pg_terminate_backend($1)", [pid])
    expect(await answer).toBe("unknown")
    await release()
    expect(await applied(outside, set)).toEqual([0, 0])
    expect(await resultOf(process.store, set)).toBe("Committed")
    expect(await resultOf(process.store, set)).toBe("Committed")
    expect(await applied(outside, set)).toEqual([1, 2])
  })
})

describe("a connection that is lost before the statement was sent", { timeout: 120_000 }, () => {
  it("leaves nothing unknown if no server is reached", async () => {
    const database = await server.create()
    const network = await networkTo(server.folder)
    await using process = await storeOn(PoolConnection.make(database.pool({ host: network.folder })))
    await open(process.store)
    await network[Symbol.asyncDispose]()
    const set = setOn(2)
    expect(await resultOf(process.store, set)).toBe("unavailable")
    expect(await applied(database.pool({ max: 1 }), set)).toEqual([0, 0])
  })

  it("leaves nothing unknown if the pooled client is already closed", async () => {
    const database = await server.create()
    const pool = database.pool()
    const outside = database.pool({ max: 2 })
    const ownPid = "select pg_backend_pid() as pid"
    let isBroken = false
    let connections = 0
    const connection = PoolConnection.make({
      // The pool cannot know that a connection ends between its check and the statement.
      connect: async () => {
        const client = await pool.connect()
        if (!isBroken) return client
        isBroken = false
        client.on("error", () => undefined)
        const ended = new Promise((resolve) => client.once("end", resolve))
        await outside.query("select pg_terminate_backend($1)", [(await client.query(ownPid)).rows[0]?.pid])
        await ended
        connections += 1
        return client
      },
    })
    await using process = await storeOn(connection)
    await using report = await nextReport(outside)
    await open(process.store)
    await report.arrived
    isBroken = true
    const set = setOn(3)
    expect(await resultOf(process.store, set)).toBe("unavailable")
    expect(connections).toBe(1)
    expect(await applied(outside, set)).toEqual([0, 0])
    expect(await resultOf(process.store, set)).toBe("Committed")
  })
})
