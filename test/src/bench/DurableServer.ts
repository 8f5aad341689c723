/** The PostgreSQL server of the benchmarks: the server of the tests with all durability settings on. */
import type { Connection } from "@countersign/adapter-postgres"
import pg from "pg"
import { startServer, urlOf } from "../adapter-postgres/PostgresServer.ts"

export const settings: ReadonlyArray<string> = [
  "fsync=on",
  "synchronous_commit=on",
  "full_page_writes=on",
  "shared_buffers=512MB",
  "min_wal_size=2GB",
  "max_wal_size=4GB",
  "checkpoint_timeout=30min",
]

/**
 * Warms the server up: a server that has run for a while has touched its memory and recycles files of its log. Otherwise the first cases
 * would pay for both.
 */
const runIn = `
create unlogged table warm (page text);
alter table warm alter column page set storage plain;
insert into warm select repeat('-', 8000) from generate_series(1, 66000);
drop table warm;
create table warm (page text);
insert into warm select repeat(md5(n::text), 60) from generate_series(1, 500000) n;
drop table warm;
checkpoint`

export interface DurableServer extends AsyncDisposable {
  /** The folder of its socket. */
  readonly folder: string
  readonly pool: (database: string, max: number) => pg.Pool
  readonly url: (database: string) => string
  /** Creates an empty database. */
  readonly create: (database: string) => Promise<void>
  readonly version: string
}

export const durableServer = async (): Promise<DurableServer> => {
  const { folder, stop } = await startServer(settings)
  const pools: Array<pg.Pool> = []
  const pool = (database: string, max: number) => {
    const made = new pg.Pool({ host: folder, user: "postgres", database, max })
    made.on("error", () => undefined)
    pools.push(made)
    return made
  }
  const administration = pool("postgres", 1)
  await administration.query(runIn)
  const { rows } = await administration.query<{ server_version: string }>("show server_version")
  return {
    folder,
    pool,
    url: (database) => urlOf(folder, database),
    create: async (database) => {
      await administration.query(`create database ${database}`)
    },
    version: rows[0]?.server_version ?? "",
    [Symbol.asyncDispose]: async () => {
      await Promise.all(pools.map((each) => each.end()))
      await stop()
    },
  }
}

/** Deletes what a run wrote, so that all runs have tables of the same size, and makes a checkpoint, so that no run pays for another. */
export const clearTables = async (connection: Connection): Promise<void> => {
  const tables = ["agent_action", "transaction", "event", "job", "replay", "operation", "ledger_entry", "counter"]
  const names = tables.map((table) => `countersign.${table}`).join(", ")
  await connection.session(({ script }) => script(`truncate ${names}; checkpoint`))
}
