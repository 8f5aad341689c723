/** A restore point is made while no node of the cluster decides a commit over several cells. Source: D-549. */
import { readFile } from "node:fs/promises"
import type pg from "pg"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { eventually } from "../../e2e/Deadline.ts"
import { run } from "../../e2e/ServerProcess.ts"
import * as TestCluster from "../TestCluster.ts"

describe("a restore point of a cluster", { timeout: 180_000 }, () => {
  let cluster: TestCluster.TestCluster
  beforeAll(async () => {
    cluster = await TestCluster.start(2)
  }, 60_000)
  afterAll(async () => cluster?.[Symbol.asyncDispose](), 60_000)

  const pointNamed = async (name: string) => {
    await using running = run({
      command: "cells",
      options: ["restore-point", name, "--json", "--store", cluster.urls[1] ?? ""],
    })
    const { code } = await running.exited
    return { code, stdout: running.stdout(), stderr: running.stderr() }
  }
  const poolOf = (node: number): pg.Pool => {
    const pool = cluster.pools[node]
    if (pool === undefined) throw new Error(`the cluster has no node ${node}`)
    return pool
  }
  const waiters = "select from pg_locks where not granted and relation = 'pg_dist_transaction'::regclass"

  it.each([0, 1, 2])("waits until node %i has carried out what it decided", async (node) => {
    const pool = poolOf(node)
    const deciding = await pool.connect()
    await deciding.query("begin")
    await deciding.query("insert into pg_dist_transaction (groupid, gid) values (1, 'citus_0_1_1_1')")
    let isMade = false
    const made = pointNamed(`after-${node}`).finally(() => {
      isMade = true
    })
    await eventually(
      "a point that waits",
      async () => (await pool.query(waiters)).rows.length,
      (found) => found > 0,
    )
    expect(isMade).toBe(false)
    await deciding.query("rollback")
    deciding.release()
    const { code, stdout } = await made
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toEqual({
      name: `after-${node}`,
      nodes: cluster.urls.map((url) => ({
        node: new URL(url).host,
        position: expect.stringMatching(/^0\/[0-9A-F]+$/u),
      })),
    })
  })

  it("leaves no lock and no transaction behind", async () => {
    expect(await pointNamed("once")).toMatchObject({ code: 0 })
    for (const pool of cluster.pools) {
      const held = "select from pg_locks where mode = 'ExclusiveLock' and relation = 'pg_dist_transaction'::regclass"
      expect((await pool.query(held)).rows).toEqual([])
    }
  })

  it("is made at no node if one does not answer", async () => {
    const made = async () => {
      const logs = await Promise.all(cluster.folders.map((folder) => readFile(`${folder}/server.log`, "utf8")))
      return logs.map((log) => log.split('restore point "half" created').length - 1)
    }
    await cluster.node("kill", 2)
    const refused = await pointNamed("half")
    expect(refused.code).not.toBe(0)
    expect(refused.stderr).toMatch(/does not answer|connection refused|ended the connection/u)
    expect(refused.stderr).not.toContain("another name")
    expect(await made()).toEqual([0, 0, 0])
    await cluster.node("restart", 2)
    await eventually(
      "the node",
      () => pointNamed("half"),
      ({ code }) => code === 0,
    )
    expect(await made()).toEqual([1, 1, 1])
  })
})
