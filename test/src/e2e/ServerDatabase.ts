/** A database of its own on the run's PostgreSQL server, as the command line names it. */
import type pg from "pg"
import * as TestDatabase from "../adapter-postgres/TestDatabase.ts"

export interface ServerDatabase extends AsyncDisposable {
  readonly url: string
  readonly pool: pg.Pool
  /** The options that keep everything there. */
  readonly options: ReadonlyArray<string>
}

/** The address of a pool's database; a socket's folder stands in a parameter. */
const urlOf = ({ connectionString, database = "", host = "", user = "" }: pg.PoolConfig): string =>
  connectionString ?? `postgres://${user}@localhost/${database}?host=${encodeURIComponent(host)}`

/** The address of another database on the same server. */
export const elsewhere = (url: string, database: string): string => {
  const other = new URL(url)
  other.pathname = `/${database}`
  return other.href
}

export const newDatabase = async (): Promise<ServerDatabase> => {
  const { close, pool } = await TestDatabase.create(4)
  const url = urlOf(pool.options)
  return { url, pool, options: ["--store", url], [Symbol.asyncDispose]: close }
}
