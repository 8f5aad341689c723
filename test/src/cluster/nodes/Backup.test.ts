/**
 * Each node of a cluster is backed up by itself while processes commit sets that span cells, and restored to a point that all nodes have made
 * together: what was acknowledged before it is there, and no set is there half.
 * Source: D-517; docs/scale.md, "Backup and restore".
 */
import { execFile } from "node:child_process"
import { promisify } from "node:util"
import { CellOperations } from "@countersign/adapter-postgres"
import { Effect } from "effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { eventually } from "../../e2e/Deadline.ts"
import { nothingWritten, open, storm } from "../../faults/CommitStorm.ts"
import * as TestCluster from "../TestCluster.ts"
import { auditCells, nonePrepared, processOn } from "./ClusterStorm.ts"

/** Each node keeps its log beside its folder. */
const archiving = `archive_mode = on
archive_command = 'folder=../archive/$(basename "$PWD"); mkdir -p "$folder" && cp "%p" "$folder/%f"'`

/**
 * No node answers before its recovery ends: a node that found no prepared transaction at one that still replays its log would delete the record
 * of the decision, and undo the transaction there later. The first worker is the last to end its recovery.
 */
const restoring = (
  node: string,
  point: string,
) => `restore_command = '${node === "n1" ? "sleep 4; " : ""}cp ../archive/${node}/%f %p'
recovery_target_name = '${point}'
recovery_target_action = 'promote'
hot_standby = off`

const run = promisify(execFile)

/** The nodes belong to a user of their own where the tests run as root. */
const asOwner = async (...command: ReadonlyArray<string>) => {
  const all = process.getuid?.() === 0 ? ["runuser", "-u", "postgres", "--", ...command] : command
  await run(all[0] ?? "", all.slice(1))
}

/** Leaves a transaction of the coordinator prepared at the first worker: decided by its record, and not yet carried out there. */
const prepareAtWorker = async ({ pools: [coordinator, worker] }: TestCluster.TestCluster) => {
  if (coordinator === undefined || worker === undefined) throw new Error("the cluster has no worker")
  await coordinator.query("alter system set citus.recover_2pc_interval = -1")
  await coordinator.query("select pg_reload_conf()")
  await worker.query("create table decided (at_worker boolean)")
  await worker.query("begin; insert into decided values (true); prepare transaction 'citus_0_1_1000000_1'")
  await coordinator.query(
    "insert into pg_dist_transaction (groupid, gid) select groupid, 'citus_0_1_1000000_1' from pg_dist_node where nodeport = $1",
    [Number(new URL(worker.options.connectionString ?? "").port)],
  )
}

describe("a backup of each node", { timeout: 300_000 }, () => {
  let cluster: TestCluster.TestCluster

  beforeAll(async () => {
    cluster = await TestCluster.start(2, archiving)
  }, 60_000)
  afterAll(async () => cluster?.[Symbol.asyncDispose](), 60_000)

  it("brings back what was acknowledged before the restore point, and nothing half", async () => {
    const point = "nightly"
    const processes = [await processOn(await cluster.connect(0)), await processOn(await cluster.connect(1))]
    const stores = processes.map(({ store }) => store)
    const [first] = stores
    if (first === undefined) throw new Error("the cluster has no node")
    await open(first)
    const backUp = async () => {
      await Promise.all(
        cluster.urls.map((url, n) =>
          asOwner("pg_basebackup", "-d", url, "-D", `${cluster.folders[n]}.backup`, "-c", "fast", "-X", "none"),
        ),
      )
    }
    const progress = nothingWritten()
    let before: ReadonlySet<string> = new Set()
    const makePoint = async () => {
      await prepareAtWorker(cluster)
      before = new Set(progress.acknowledged.map(({ operationId }) => operationId))
      await Effect.runPromise(CellOperations.restorePoint(await cluster.connect(1), point))
    }
    const storming = { stores, callers: 8, rounds: 10, setsPerFault: 100, goesOn: true, written: progress }
    await storm({ ...storming, faults: [backUp, makePoint, () => Promise.resolve()] })
    await Promise.all(processes.map((each) => each[Symbol.asyncDispose]()))
    expect(before.size).toBeGreaterThan(100)
    expect(progress.acknowledged.length).toBeGreaterThan(before.size)

    for (const pool of cluster.pools) await pool.query("select pg_switch_wal()")
    for (const [n, folder] of cluster.folders.entries()) {
      await cluster.node("kill", n)
      await asOwner("rm", "-rf", folder)
      await asOwner("mv", `${folder}.backup`, folder)
      const settings = restoring(`n${n}`, point)
      await asOwner(
        "sh",
        "-c",
        'printf "%s\\n" "$0" >> "$1/postgresql.auto.conf" && touch "$1/recovery.signal"',
        settings,
        folder,
      )
    }
    await Promise.all(cluster.folders.map((_, n) => cluster.node("restart", n)))
    const answers = (pool: (typeof cluster.pools)[number]) =>
      pool.query("select").then(
        () => true,
        () => false,
      )
    await eventually(
      "the end of recovery",
      () => Promise.all(cluster.pools.map(answers)),
      (nodes) => !nodes.includes(false),
      60_000,
    )

    await nonePrepared(cluster.pools)
    expect((await cluster.pools[1]?.query("select at_worker from decided"))?.rows).toEqual([{ at_worker: true }])
    const { acknowledged, unknown } = progress
    const isBefore = ({ operationId }: (typeof acknowledged)[number]) => before.has(operationId)
    await auditCells(cluster.pools, {
      ...progress,
      acknowledged: acknowledged.filter(isBefore),
      unknown: [...unknown, ...acknowledged.filter((set) => !isBefore(set))],
    })
    const again = await processOn(await cluster.connect(1))
    const more = await storm({ stores: [again.store], callers: 2, rounds: 5, faults: [], setsPerFault: 1 })
    expect(more.acknowledged.length).toBeGreaterThan(0)
    await again[Symbol.asyncDispose]()
  })
})
