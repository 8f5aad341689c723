/** Nodes that join and are gone, and cells that move between them with their jobs. Source: D-517. */
import { readFile } from "node:fs/promises"
import { type Connection, PostgresStore } from "@countersign/adapter-postgres"
import { WallTime } from "@countersign/core/ports"
import { Store } from "@countersign/core/store"
import { Effect, Layer, ManagedRuntime } from "effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { schemaOf } from "../../../../packages/adapter-postgres/src/cells/Cells.ts"
import * as ClusterPlaces from "../../../../packages/adapter-postgres/src/cells/ClusterPlaces.ts"
import { changeSet } from "../../../../packages/test/src/conformance/ChangeSets.ts"
import { account, ann, bob, id, job, transfer } from "../../../../packages/test/src/conformance/Examples.ts"
import { claim, committed } from "../../../../packages/test/src/conformance/Suite.ts"
import { eventually } from "../../e2e/Deadline.ts"
import { run } from "../../e2e/ServerProcess.ts"
import * as TestCluster from "../TestCluster.ts"
import { nonePrepared } from "./ClusterStorm.ts"

const cells = 3

interface CellList {
  readonly cells: ReadonlyArray<{ readonly cell: number; readonly node: string }>
}

const hostOf = (url: string): string => new URL(url).host

const processOn = (connection: Connection) =>
  ManagedRuntime.make(Layer.orDie(PostgresStore.layer({ connection, cells })).pipe(Layer.provide(WallTime.layerClock)))

describe("the nodes of a cluster", { timeout: 180_000 }, () => {
  let cluster: TestCluster.TestCluster
  let store: ReturnType<typeof processOn>

  const command = async (...words: ReadonlyArray<string>) => {
    await using running = run({ command: "cells", options: [...words, "--store", cluster.urls[0] ?? ""] })
    const { code } = await running.exited
    return { code, stdout: running.stdout(), stderr: running.stderr() }
  }
  const places = async () =>
    (JSON.parse((await command("list", "--json")).stdout) as CellList).cells.map(({ node }) => node)
  const otherThan = async (cell: number) => {
    const own = (await places())[cell]
    return (
      cluster.urls
        .slice(1)
        .map(hostOf)
        .find((name) => name !== own) ?? ""
    )
  }
  /** The cell of `ann`. */
  const home = Number.parseInt(ann.split("-")[3] ?? "", 16) & 0x3fff

  beforeAll(async () => {
    cluster = await TestCluster.start(2, "log_statement = 'all'")
    store = processOn(await cluster.connect(1))
    await store.runPromise(Store.use(({ attend }) => attend))
  }, 120_000)
  afterAll(async () => {
    await store?.dispose()
    await cluster?.[Symbol.asyncDispose]()
  }, 60_000)

  it("commit a set over several of them in two phases", async () => {
    const accounts = [ann, bob].map((owner) => `available:${owner}`)
    const [from = "", to = ""] = accounts
    const outside = `outside:${ann}`
    /** How often the nodes have prepared their part of a transaction. */
    const prepared = async () => {
      const logs = await Promise.all(cluster.folders.map((folder) => readFile(`${folder}/server.log`, "utf8")))
      return logs.join("").split("PREPARE TRANSACTION 'citus_").length
    }
    const opened = changeSet({
      ledgerAccounts: [account(outside, { floor: null }), account(from), account(to, { customerId: bob })],
      transfers: [transfer(outside, from, 100)],
    })
    await store.runPromise(committed(opened))
    const before = await prepared()
    await store.runPromise(committed(changeSet({ transfers: [transfer(from, to, 5)] })))
    expect((await places())[home % cells]).not.toBe((await places())[(home + 1) % cells])
    expect(await prepared()).toBeGreaterThan(before)
  })

  it("keep the order of a lane, and the claims of a process that lives, when its cell moves", async () => {
    const lane = "lane of ann"
    const claimed = () =>
      store.runPromise(Effect.map(claim({ leaseMillis: 600_000 }), (jobs) => jobs.map((each) => each.id)))
    await store.runPromise(committed(changeSet({ jobs: [1, 2].map((n) => job(n, { lane })) })))
    expect(await claimed()).toEqual([id("Job", 1)])
    for (let n = 3; n < 5; n++) {
      expect(await command("move", String(home % cells), await otherThan(home % cells))).toMatchObject({ code: 0 })
      await store.runPromise(committed(changeSet({ jobs: [job(n, { lane })] })))
    }
    // Several heartbeats at the new node.
    await store.runPromise(Effect.sleep(3000))
    expect(await claimed()).toEqual([])
    for (let n = 1; n < 5; n++) {
      await store.runPromise(committed(changeSet({ finishes: [{ id: id("Job", n), attempt: 1 }] })))
      expect(await claimed()).toEqual(n < 4 ? [id("Job", n + 1)] : [])
    }
  })

  it("keep a cell where it is until a change of it has ended", async () => {
    const cell = home % cells
    const requireHere = `select ${schemaOf(cell, cells)}.require_here(true)`
    const before = (await places())[cell] ?? ""
    const pool = cluster.pools[cluster.urls.findIndex((url) => hostOf(url) === before)]
    if (pool === undefined) throw new Error("the cell is on no node")
    const session = await pool.connect()
    await session.query("begin")
    await session.query(requireHere)
    const { rows } = await session.query<{ readonly pid: number }>("select pg_backend_pid() as pid")
    const moving = command("move", String(cell), await otherThan(cell))
    // Another session asks: one in a transaction sees the activity of the others as it was when it first asked.
    const waiting = "select pid from pg_stat_activity where $1 = any (pg_blocking_pids(pid))"
    await eventually(
      "a move that waits",
      async () => (await pool.query(waiting, [rows[0]?.pid])).rows.length,
      (found) => found > 0,
    )
    expect((await places())[cell]).toBe(before)
    await session.query("commit")
    expect(await moving).toMatchObject({ code: 0 })
    await expect(session.query(requireHere)).rejects.toMatchObject({ code: "CS004" })
    session.release()
    expect(await command("move", String(cell), before)).toMatchObject({ code: 0 })
  })

  it("follow a cell whose tables at the node before are gone already", async () => {
    const cell = home % cells
    const before = (await places())[cell] ?? ""
    const asked = await ClusterPlaces.open(await cluster.connect(1), cells)
    const count = { text: "select count(*)::text from countersign.schema_version", values: [] }
    const [found] = (await asked.cells[cell]?.query(count)) ?? []
    expect(Number(found)).toBeGreaterThan(0)
    expect(await command("move", String(cell), await otherThan(cell))).toMatchObject({ code: 0 })
    await cluster.pools[0]?.query("call citus_cleanup_orphaned_resources()")
    expect(await asked.cells[cell]?.query(count)).toEqual([found])
    expect(await command("move", String(cell), before)).toMatchObject({ code: 0 })
  })

  it("are joined by a server, which then gets its share of the cells, and serves processes that run", async () => {
    await using alone = await TestCluster.start(0)
    const [url = ""] = alone.urls
    await (await alone.connect(0)).query({ text: "drop extension citus cascade", values: [] })
    const joined = hostOf(url)
    expect(await command("add-node", joined)).toMatchObject({ code: 0, stdout: expect.stringContaining(joined) })
    expect(await command("add-node", joined)).toMatchObject({ code: 0 })
    const planned = await command("rebalance", "--dry-run")
    expect(planned.stdout).toMatch(new RegExp(`^cell \\d \\(.* MB\\) from .* to ${joined}\n$`, "u"))
    expect(await places()).not.toContain(joined)
    expect(await command("rebalance")).toMatchObject({ code: 0 })
    expect(new Set(await places()).size).toBe(3)
    expect(await command("rebalance")).toMatchObject({ stdout: "the nodes are balanced\n" })
    const cell = (await places()).indexOf(joined)
    const owner = [ann, bob].find((each) => (Number.parseInt(each.split("-")[3] ?? "", 16) & 0x3fff) % cells === cell)
    await store.runPromise(committed(changeSet({ jobs: [job(50, { customerId: owner ?? ann })] })))
    // Its jobs there are taken over when it dies.
    await eventually(
      "a session of the process at the server that joined",
      async () =>
        (await alone.pools[0]?.query("select from pg_locks where locktype = 'advisory' and objsubid = 2"))?.rows
          .length ?? 0,
      (found) => found > 0,
    )
    expect(await command("check")).toMatchObject({ code: 0, stdout: expect.stringContaining("3 cells on 4 nodes") })
    // It leaves as it came.
    const [to = ""] = (await places()).filter((name) => name !== joined)
    expect(await command("move", String(cell), to)).toMatchObject({ code: 0 })
    await (await cluster.connect(0)).query({
      text: "select citus_remove_node($1, $2::int)::text",
      values: [new URL(url).hostname, Number(new URL(url).port)],
    })
  })

  it("take no lock for a transaction that needs a node which does not answer", async () => {
    const all = await places()
    const lost = cluster.urls.findIndex((url) => hostOf(url) === all[(home + 1) % cells])
    const asked = await ClusterPlaces.open(await cluster.connect(0), cells)
    const transacted = () =>
      asked
        .transact([home % cells, (home + 1) % cells], async () => undefined)
        .then(
          () => "begun",
          (error: unknown) => String(error instanceof Error ? error.cause : error),
        )
    expect(await transacted()).toBe("begun")
    await cluster.node("freeze", lost)
    await eventually("the node is lost", transacted, (answer) => answer !== "begun")
    expect(await transacted()).toContain(`the node at ${hostOf(cluster.urls[lost] ?? "")} does not answer`)
    await cluster.node("restart", lost)
    await eventually("the node is back", transacted, (answer) => answer === "begun")
  })

  it.each([
    { name: "before it takes part", frozenAfter: 1 },
    { name: "while it takes part", frozenAfter: 2 },
    { name: "before the commit", frozenAfter: 3 },
  ])(
    "end a transaction when one of them no longer answers, $name",
    { timeout: 25_000 },
    async ({ name, frozenAfter }) => {
      const both = [home % cells, (home + 1) % cells]
      const all = await places()
      const lost = cluster.urls.findIndex((url) => hostOf(url) === all[(home + 1) % cells])
      const asked = await ClusterPlaces.open(await cluster.connect(0), cells)
      const adding = (platform: string, frozenAfterStatement?: number) =>
        asked.transact(both, async (sessionOf) => {
          for (const [index, cell] of [...both, ...both.slice(1)].entries()) {
            const text = `insert into countersign.job_line (queue, platform_id, served) values ('', $1, 0)
            on conflict (queue, platform_id) do update set served = 1`
            await sessionOf(cell).query({ text, values: [platform] })
            if (index + 1 === frozenAfterStatement) await cluster.node("freeze", lost)
          }
          return "done"
        })
      /** How many of the cells have the row. */
      const rowsOf = async (platform: string) => {
        const text = "select from countersign.job_line where platform_id = $1"
        const rows = await Promise.all(both.map((cell) => asked.cells[cell]?.query({ text, values: [platform] })))
        return rows.filter((found) => found?.length === 1).length
      }
      // While the node is frozen. One that waits for it ends after half a minute, or never.
      await expect(adding(name, frozenAfter)).rejects.toThrow()
      await cluster.node("restart", lost)
      await nonePrepared(cluster.pools)
      await eventually(
        "all or nothing",
        () => rowsOf(name).catch(() => 1),
        (found) => found !== 1,
      )
      if (frozenAfter < 3) expect(await rowsOf(name)).toBe(0)
      expect(await adding(`${name}, again`)).toBe("done")
      expect(await rowsOf(`${name}, again`)).toBe(both.length)
    },
  )

  it("say where the cells are while the first of them is gone", async () => {
    const asked = await ClusterPlaces.open(await cluster.connect(1), cells)
    await cluster.node("kill", 0)
    await asked.refresh()
    await cluster.node("restart", 0)
  })

  it("are reported by the check when they do not answer", async () => {
    await cluster.node("kill", 1)
    const checked = await command("check")
    expect(checked).toMatchObject({ code: 1, stderr: expect.stringContaining("1 problem") })
    expect(checked.stdout).toMatch(new RegExp(`problem +node ${hostOf(cluster.urls[1] ?? "")} +does not answer`, "u"))
    expect(await command("move", "7", "10.0.0.1:5432")).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("the store has the cells 0 to 2, not 7"),
    })
    expect((await command("move", "0", "10.0.0.1:5432")).stderr).toContain("the cluster has no node 10.0.0.1:5432")
    await cluster.node("restart", 1)
    await eventually(
      "the node",
      () => command("check"),
      ({ code }) => code === 0,
    )
  })
})
