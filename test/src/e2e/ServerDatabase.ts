/** A new database on the test run's PostgreSQL server, with its command line options. */
import type pg from "pg"
import * as TestDatabase from "../adapter-postgres/TestDatabase.ts"

export interface ServerDatabase extends AsyncDisposable {
  readonly url: string
  readonly pool: pg.Pool
  /** The options that select this database as the store. */
  readonly options: ReadonlyArray<string>
}

/** Returns the address of a pool's database; a parameter contains a socket's folder. */
const urlOf = ({ connectionString, database = "", host = "", user = "" }: pg.PoolConfig): string =>
  connectionString ?? `postgres://${user}@localhost/${database}?host=${encodeURIComponent(host)}`

/** Returns the address of another database on the same server. */
export const urlOfDatabase = (url: string, database: string): string => {
  const other = new URL(url)
  other.pathname = `/${database}`
  return other.href
}

export const newDatabase = async (): Promise<ServerDatabase> => {
  const { close, pool } = await TestDatabase.create(4)
  const url = urlOf(pool.options)
  return { url, pool, options: ["--store", url], [Symbol.asyncDispose]: close }
}
