/** One sample of a soak run: the memory of each process, the rows and bytes of each table, the connections, and the jobs. */
import { readFile } from "node:fs/promises"
import type pg from "pg"
import type { Fleet, Role } from "../faults/Fleet.ts"
import { bounded } from "./Tables.ts"

export interface ProcessMemory {
  readonly role: Role
  readonly pid: number
  /** All that is resident, and the part that no file backs: heaps, stacks and buffers. In MiB. */
  readonly resident: number
  readonly anonymous: number
}

export interface TableSize {
  readonly table: string
  /** Exact for the tables of `bounded`, and the statistics' estimate for the others. */
  readonly rows: number
  readonly bytes: number
}

export interface Sample {
  readonly seconds: number
  readonly processes: ReadonlyArray<ProcessMemory>
  readonly tables: ReadonlyArray<TableSize>
  readonly connections: number
  readonly parkedJobs: number
  /** Without those that wait for their time, as a session waits for its end. Time is not moved during a run. */
  readonly dueJobs: number
}

const mebibytesOf = (status: string, name: string): number =>
  Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, "mu").exec(status)?.[1] ?? Number.NaN) / 1024

/** The memory of a process; nothing if it has ended, or on a system without `/proc`. */
const memoryOf = async ({ pid, role }: { readonly pid: number; readonly role: Role }) => {
  const status = await readFile(`/proc/${pid}/status`, "utf8").catch(() => "")
  const resident = mebibytesOf(status, "VmRSS")
  return Number.isNaN(resident) ? [] : [{ role, pid, resident, anonymous: mebibytesOf(status, "RssAnon") }]
}

const exact = bounded
  .map(({ counted = "true", table }) => `'${table}', (select count(*) from countersign.${table} where ${counted})`)
  .join(", ")

interface SizeRow {
  readonly table: string
  readonly rows: string
  readonly bytes: string
}

const tableSizes = async (pool: pg.Pool): Promise<ReadonlyArray<TableSize>> => {
  const { rows } = await pool.query<SizeRow>(
    `select relname as "table", coalesce((json_build_object(${exact}) ->> relname)::bigint, n_live_tup)::text as rows,
       pg_total_relation_size(relid)::text as bytes
     from pg_stat_user_tables where schemaname = 'countersign' order by relname`,
  )
  return rows.map(({ bytes, rows, table }) => ({ table, rows: Number(rows), bytes: Number(bytes) }))
}

export const sample = async (pool: pg.Pool, fleet: Fleet, seconds: number): Promise<Sample> => {
  const processes = (await Promise.all(fleet.processes().map(memoryOf))).flat()
  const { rows } = await pool.query<{ readonly connections: number; readonly parked: number; readonly due: number }>(
    `select (select count(*) from pg_stat_activity where datname = current_database())::int as connections,
       (select count(*) from countersign.job where state = 'parked')::int as parked,
       (select count(*) from countersign.job where state <> 'parked' and due_at <= extract(epoch from now()) * 1000)::int as due`,
  )
  const [found] = rows
  return {
    seconds,
    processes,
    tables: await tableSizes(pool),
    connections: found?.connections ?? 0,
    parkedJobs: found?.parked ?? 0,
    dueJobs: found?.due ?? 0,
  }
}
