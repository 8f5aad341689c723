/**
 * The pool over several hosts: which of them it takes, and which it never does.
 * Source: D-508.
 */
import { OwnPool, PoolConnection } from "@countersign/adapter-postgres"
import { reasonOf } from "@countersign/adapter-postgres/preflight"
import { Effect, Exit, Scope } from "effect"
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { eventually } from "../e2e/Deadline.ts"
import { type Network, networkTo } from "./Network.ts"
import { type Host, type ReplicatedServer, replicatedServer } from "./ReplicatedServer.ts"

let server: ReplicatedServer
let a: Network
let b: Network
let scope: Scope.Closeable
beforeEach(async () => {
  ;[a, b] = await Promise.all([networkTo(), networkTo()])
  scope = Scope.makeUnsafe()
})
afterEach(async () => {
  await Effect.runPromise(Scope.close(scope, Exit.void))
  await Promise.all([a, b].map((each) => each[Symbol.asyncDispose]()))
})

const poolOn = (database = "postgres", connectionsMax = 2) => {
  const hosts = [a, b].map(({ folder }) => encodeURIComponent(folder)).join(",")
  const url = `postgres://postgres@${hosts}/${database}`
  return Effect.runPromise(Scope.provide(OwnPool.open(url, { connectionsMax }), scope))
}

type Pool = Awaited<ReturnType<typeof poolOn>>

/** The host to which a new connection of the pool leads. */
const hostOf = async (pool: Pool): Promise<Host> => {
  const client = await pool.connect()
  try {
    const { rows } = await client.query("select current_setting('unix_socket_directories') as folder")
    const [row] = rows as ReadonlyArray<{ readonly folder: string }>
    return row?.folder === server.folder("first") ? "first" : "second"
  } finally {
    client.release(true)
  }
}

describe("a pool over a primary and its standby", { timeout: 60_000 }, () => {
  beforeAll(async () => {
    server = await replicatedServer("asynchronous")
  }, 60_000)
  afterAll(() => server[Symbol.asyncDispose]())

  it("takes the primary, wherever it is in the list", async () => {
    a.lead(server.folder("second"))
    b.lead(server.folder("first"))
    expect(await hostOf(await poolOn())).toBe("first")
  })

  it("keeps its host when all connections are in use, and when a database refuses it", async () => {
    a.lead(server.folder("first"))
    const pool = await poolOn("postgres", 1)
    const client = await pool.connect()
    await expect(pool.connect()).rejects.toThrow("timeout exceeded")
    expect(await client.query("select 1")).toMatchObject({ rows: [{ "?column?": 1 }] })
    client.release()
    const database = await server.create()
    const other = await poolOn(database)
    const kept = await other.connect()
    await server.pool("first", "postgres").query(`alter database ${database} allow_connections false`)
    await expect(other.connect()).rejects.toMatchObject({ code: "55000" })
    expect(await kept.query("select 1")).toMatchObject({ rows: [{ "?column?": 1 }] })
    kept.release()
  })

  it("stays with its host while another address leads to the same one", async () => {
    for (const each of [a, b]) each.lead(server.folder("first"))
    const client = await (await poolOn()).connect()
    expect(await client.query("select pg_sleep(2.5)::text as slept")).toMatchObject({ rows: [{ slept: "" }] })
    client.release()
  })

  it("says why no host is a primary, where a host says it", async () => {
    const pool = await poolOn()
    expect(reasonOf(await pool.connect().catch((error: unknown) => error))).toBe("the server ended the connection")
    a.lead(server.folder("second"))
    b.lead(server.folder("second"))
    expect(reasonOf(await pool.connect().catch((error: unknown) => error))).toBe("none of the hosts is a primary")
    const other = await poolOn("no_such_database")
    expect(reasonOf(await other.connect().catch((error: unknown) => error))).toBe("there is no such database")
  })

  it("gives up a session that only reads", async () => {
    a.lead(server.folder("first"))
    const connection = PoolConnection.make(await poolOn("postgres", 1))
    await connection.query({ text: "set default_transaction_read_only = on", values: [] })
    const write = () => connection.query({ text: "create table written ()", values: [] })
    await expect(write()).rejects.toMatchObject({ code: "25006" })
    expect(await write()).toEqual([])
  })

  it("leaves no session behind when it ends", async () => {
    a.lead(server.folder("first"))
    b.lead(server.folder("second"))
    await hostOf(await poolOn())
    const sessions = async () => {
      const found = await Promise.all(
        (["first", "second"] as const).map((host) =>
          server.pool(host, "postgres").query("select 1 from pg_stat_activity where application_name = 'countersign'"),
        ),
      )
      return found.reduce((sum, { rows }) => sum + rows.length, 0)
    }
    await eventually("the watch of the standby", sessions, (count) => count > 0)
    await Effect.runPromise(Scope.close(scope, Exit.void))
    await eventually("the end of all sessions", sessions, (count) => count === 0)
  })
})

describe("a pool over two hosts of which one is promoted", { timeout: 60_000 }, () => {
  beforeEach(async () => {
    server = await replicatedServer("asynchronous")
  }, 60_000)
  afterEach(() => server[Symbol.asyncDispose]())

  it("waits at its first search for a host of a higher timeline that answers later", async () => {
    await server.kill("first")
    await server.promote()
    await server.start("first")
    a.lead(server.folder("first"))
    b.lead(server.folder("second"), 300)
    expect(await hostOf(await poolOn())).toBe("second")
  })

  it("hands out no connection to a standby or an older primary that is behind a known address now", async () => {
    a.lead(server.folder("first"))
    const pool = await poolOn()
    expect(await hostOf(pool)).toBe("first")
    a.lead(server.folder("second"))
    a.pull()
    await expect(hostOf(pool)).rejects.toThrow("none of the hosts is a primary")
    await server.kill("first")
    await server.promote()
    await eventually(
      "the promoted host",
      () => hostOf(pool).catch(() => "none"),
      (host) => host === "second",
    )
    await server.start("first")
    a.lead(server.folder("first"))
    a.pull()
    await expect(hostOf(pool)).rejects.toThrow("none of the hosts is a primary")
    b.lead(server.folder("second"))
    expect(await hostOf(pool)).toBe("second")
  })

  it("leaves a primary that lives on or hangs when another host is promoted, with all that waits for it", async () => {
    a.lead(server.folder("first"))
    b.lead(server.folder("second"))
    const [busy, full, hanging] = [await poolOn(), await poolOn("postgres", 1), await poolOn()]
    const statement = (await busy.connect()).query("select pg_sleep(20)").then(
      () => "answered",
      () => "ended",
    )
    await full.connect()
    expect(await hostOf(hanging)).toBe("first")
    a.lead(server.folder("first"), 60_000)
    const [outcome, ...hosts] = await Promise.all([statement, hostOf(full), hostOf(hanging), server.promote()])
    expect(outcome).toBe("ended")
    expect(hosts.slice(0, 2)).toEqual(["second", "second"])
  })
})
