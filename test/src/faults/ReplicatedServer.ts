/**
 * Two PostgreSQL servers with streaming replication, of which the second one can be promoted while the first one is killed, frozen or alive.
 * Source: PostgreSQL manual, 26.2 (log-shipping standby servers).
 */
import { execFile } from "node:child_process"
import { rm, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { promisify } from "node:util"
import pg from "pg"
import { makeCluster, type Postmaster, startCluster } from "../adapter-postgres/PostgresServer.ts"
import { eventually } from "../e2e/Deadline.ts"

export type Host = "first" | "second"

export interface ReplicatedServer extends AsyncDisposable {
  /** The address of a database on both hosts. */
  readonly url: (database: string) => string
  /** The folder of a host's socket. */
  readonly folder: (host: Host) => string
  /** A pool on one of the hosts. */
  readonly pool: (host: Host, database: string) => pg.Pool
  readonly create: () => Promise<string>
  /** Ends a host as a crash does. */
  readonly kill: (host: Host) => Promise<void>
  readonly start: (host: Host) => Promise<void>
  /** Stops all processes of a host where they are, as a machine that hangs; connections to it stay open. */
  readonly freeze: (host: Host) => Promise<void>
  readonly thaw: (host: Host) => Promise<void>
  /** Waits until the second host has everything that the first one has. */
  readonly caughtUp: () => Promise<void>
  readonly promote: () => Promise<void>
}

const childrenOf = async (pid: number): Promise<ReadonlyArray<number>> => {
  const { stdout } = await promisify(execFile)("ps", ["-A", "-o", "pid=", "-o", "ppid="])
  return stdout
    .trim()
    .split("\n")
    .map((line) => line.trim().split(/\s+/u).map(Number))
    .flatMap(([child, parent]) => (parent === pid && child !== undefined ? [child] : []))
}

const signal = async (pid: number, name: "SIGSTOP" | "SIGCONT"): Promise<void> => {
  for (const each of [pid, ...(await childrenOf(pid))]) {
    try {
      process.kill(each, name)
    } catch (error) {
      // A process that has ended since it was listed.
      if (!(error instanceof Error && "code" in error && error.code === "ESRCH")) throw error
    }
  }
}

export const replicatedServer = async (mode: "synchronous" | "asynchronous"): Promise<ReplicatedServer> => {
  const pools: Array<pg.Pool> = []
  const running = new Map<Host, Postmaster>()
  const first = await makeCluster()
  const second = `${first}-standby`
  // With its owner, who is not root.
  await promisify(execFile)("cp", ["-a", first, second])
  await writeFile(join(second, "data", "standby.signal"), "")
  const folders: Readonly<Record<Host, string>> = { first, second }
  const settings = ["synchronous_commit=on", "wal_level=replica", "hot_standby=on", "wal_keep_size=256MB"]
  const following = `primary_conninfo=host=${first} user=postgres application_name=second`
  const start = async (host: Host) => {
    running.set(host, await startCluster(folders[host], host === "second" ? [...settings, following] : settings))
  }
  const pidOf = (host: Host) => running.get(host)?.pid ?? 0
  const pool = (host: Host, database: string) => {
    const made = new pg.Pool({ host: folders[host], user: "postgres", database, max: 2, connectionTimeoutMillis: 5000 })
    made.on("error", () => undefined)
    pools.push(made)
    return made
  }
  await start("first")
  await start("second")
  const administration = pool("first", "postgres")
  const standbys = async () =>
    (await administration.query("select 1 from pg_stat_replication where state = 'streaming'")).rows.length
  await eventually("the standby", standbys, (found) => found === 1)
  if (mode === "synchronous") {
    await administration.query("alter system set synchronous_standby_names = 'second'")
    await administration.query("select pg_reload_conf()")
    const synchronous = async () =>
      (await administration.query("select 1 from pg_stat_replication where sync_state = 'sync'")).rows.length
    await eventually("synchronous replication", synchronous, (found) => found === 1)
  }
  let made = 0
  return {
    url: (database) =>
      `postgres://postgres@${encodeURIComponent(first)},${encodeURIComponent(second)}/${database}?target_session_attrs=read-write`,
    folder: (host) => folders[host],
    pool,
    create: async () => {
      made += 1
      await administration.query(`create database failover_${made}`)
      return `failover_${made}`
    },
    kill: async (host) => {
      await running.get(host)?.end("SIGQUIT")
      running.delete(host)
    },
    start,
    freeze: (host) => signal(pidOf(host), "SIGSTOP"),
    thaw: (host) => signal(pidOf(host), "SIGCONT"),
    caughtUp: async () => {
      const { rows } = await administration.query("select pg_current_wal_lsn() as lsn")
      const standby = pool("second", "postgres")
      const replayed = async () => {
        const compared = "select pg_last_wal_replay_lsn() >= $1::pg_lsn as done"
        return (await standby.query(compared, [rows[0]?.lsn])).rows[0]?.done === true
      }
      await eventually("the replica", replayed, (done) => done)
    },
    promote: async () => {
      await pool("second", "postgres").query("select pg_promote()")
    },
    [Symbol.asyncDispose]: async () => {
      for (const host of running.keys()) await signal(pidOf(host), "SIGCONT")
      await Promise.all(pools.map((each) => each.end()))
      await Promise.all([...running.values()].map(({ end }) => end("SIGQUIT")))
      await Promise.all([first, second].map((folder) => rm(folder, { recursive: true, force: true })))
    },
  }
}
