/**
 * A cluster for tests. COUNTERSIGN_TEST_CLUSTER names a folder with the script `cluster`, which starts one on this machine; without it the
 * tests of nodes are no part of a run (vitest.config.ts).
 */
import { execFile } from "node:child_process"
import { mkdtemp, rm } from "node:fs/promises"
import { join } from "node:path"
import { promisify } from "node:util"
import { type Connection, OwnPool } from "@countersign/adapter-postgres"
import { Effect, Exit, Scope } from "effect"
import pg from "pg"
import { schemaOf } from "../../../packages/adapter-postgres/src/cells/Cells.ts"

const run = promisify(execFile)

export interface TestCluster extends AsyncDisposable {
  /** The addresses of the coordinator and the workers, in this order. */
  readonly urls: ReadonlyArray<string>
  /** The data folders of the nodes, in this order. */
  readonly folders: ReadonlyArray<string>
  /** Small pools to the nodes, in this order, until the cluster is disposed of. */
  readonly pools: ReadonlyArray<pg.Pool>
  /** Kills, freezes or restarts the node with this number. */
  readonly node: (action: "kill" | "freeze" | "restart", number: number) => Promise<void>
  /** A connection to a node, until the cluster is disposed of. */
  readonly connect: (number?: number) => Promise<Connection>
  /** The same to another address. */
  readonly connectTo: (url: string) => Promise<Connection>
}

const scriptIn = (folder: string): string => join(folder, "cluster")

const started = async (folder: string, workers: number, settings: string) => {
  // A server of another user must be able to enter it.
  const home = await mkdtemp("/tmp/countersign-cluster-")
  await run("chmod", ["755", home])
  const directory = join(home, "nodes")
  const call = async (action: string, ...args: ReadonlyArray<string>) =>
    (await run("bash", [scriptIn(folder), action, directory, ...args], { env: { ...process.env, EXTRA: settings } }))
      .stdout
  const lines = (await call("start", String(workers))).trim().split("\n")
  return {
    urls: lines.map((line) => line.split(" ")[1] ?? ""),
    folders: lines.map((_, number) => join(directory, `n${number}`)),
    node: async (action: string, number: number) => void (await call(action, String(number))),
    stop: async () => {
      await call("stop")
      await rm(home, { recursive: true, force: true })
    },
  }
}

/** `settings`: more lines for the configuration of each node. */
export const start = async (workers = 2, settings = ""): Promise<TestCluster> => {
  const folder = process.env["COUNTERSIGN_TEST_CLUSTER"]
  if (folder === undefined) throw new Error("COUNTERSIGN_TEST_CLUSTER names no folder")
  const { folders, node, stop, urls } = await started(folder, workers, settings)
  const pools = urls.map((connectionString) => new pg.Pool({ connectionString, max: 2 }))
  // A test may end its nodes.
  for (const pool of pools) pool.on("error", () => undefined)
  const scope = Scope.makeUnsafe()
  const connectTo = (url: string) => Effect.runPromise(Scope.provide(OwnPool.connect({ url }), scope))
  return {
    urls,
    folders,
    pools,
    node,
    connect: (number = 0) => connectTo(urls[number] ?? ""),
    connectTo,
    [Symbol.asyncDispose]: async () => {
      await Promise.all(pools.map((pool) => pool.end()))
      await Effect.runPromise(Scope.close(scope, Exit.void))
      await stop()
    },
  }
}

/** Empties all cells of a store: at each node the shards that it holds. */
const emptyHere = (cells: number): string => `do $empty$
  declare
    shard record;
  begin
    set local session_replication_role = replica;
    set local citus.enable_manual_changes_to_shards = on;
    for shard in
      select format('%I.%I', space.nspname, table_.relname || '_' || placed.shardid) as name
      from pg_dist_shard as placed
      join pg_class as table_ on table_.oid = placed.logicalrelid
      join pg_namespace as space on space.oid = table_.relnamespace
      join pg_dist_placement as placement on placement.shardid = placed.shardid
      join pg_dist_local_group as local on local.groupid = placement.groupid
      where space.nspname in (${Array.from({ length: cells }, (_, cell) => `'${schemaOf(cell, cells)}'`).join(", ")})
        and table_.relname <> 'schema_version'
    loop
      if pg_relation_size(shard.name::regclass) > 0 then
        execute format('truncate %s', shard.name);
      end if;
    end loop;
  end $empty$`

export const empty = async ({ pools }: TestCluster, cells: number): Promise<void> => {
  // A new session of a cluster reads all shards before its first statement.
  await Promise.all(pools.map((pool) => pool.query(emptyHere(cells))))
}
