/**
 * A PostgreSQL server that a test may restart, with its own databases. An acknowledged commit is on disk, as by the server's defaults.
 */
import { PoolConnection, type PoolStoreOptions, PostgresStore } from "@countersign/adapter-postgres"
import { WallTime } from "@countersign/core/ports"
import type { Store } from "@countersign/core/store"
import { Layer } from "effect"
import pg from "pg"
import type { WorldStore } from "../../../packages/test/src/harness/World.ts"
import { type Running, startServer, urlOf } from "../adapter-postgres/PostgresServer.ts"
import { booksOf } from "./Books.ts"

export interface FaultDatabase {
  readonly name: string
  readonly url: string
  /** Another pool, as of another process. */
  readonly pool: (options?: pg.PoolConfig) => pg.Pool
}

export interface FaultServer extends AsyncDisposable {
  readonly restart: Running["restart"]
  readonly folder: string
  readonly create: () => Promise<FaultDatabase>
}

export const faultServer = async (settings: ReadonlyArray<string> = []): Promise<FaultServer> => {
  const server = await startServer(["synchronous_commit=on", ...settings])
  const { folder } = server
  const pools: Array<pg.Pool> = []
  const poolOf = (database: string, options: pg.PoolConfig = {}) => {
    const pool = new pg.Pool({
      host: folder,
      user: "postgres",
      database,
      max: 6,
      connectionTimeoutMillis: 1000,
      query_timeout: 20_000,
      ...options,
    })
    pool.on("error", () => undefined)
    pools.push(pool)
    return pool
  }
  let made = 0
  return {
    folder,
    restart: server.restart,
    create: async () => {
      made += 1
      const name = `faults_${made}`
      await poolOf("postgres", { max: 1 }).query(`create database ${name}`)
      return {
        name,
        url: urlOf(folder, name),
        pool: (options) => poolOf(name, options),
      }
    },
    [Symbol.asyncDispose]: async () => {
      await Promise.all(pools.map((pool) => pool.end()))
      await server.stop()
    },
  }
}

/** A store on a pool, as of one process. */
type Options = Pick<PoolStoreOptions, "concurrentBatches" | "prepare" | "lockWaitMillis">
const storeOn = (pool: pg.Pool, options: Options = {}): Layer.Layer<Store, never, WallTime> =>
  Layer.orDie(PostgresStore.layer({ ...options, connection: PoolConnection.make(pool, options) }))

export const liveStoreOn = (pool: pg.Pool, options?: Options): Layer.Layer<Store> =>
  Layer.provide(storeOn(pool, options), WallTime.layerClock)

/** The store of a world on a pool; its books are read through another pool without faults. */
export const worldStoreOn = (database: FaultDatabase, pool: pg.Pool): WorldStore => {
  const aside = PoolConnection.make(database.pool({ max: 1 }))
  return { layer: storeOn(pool), books: () => booksOf(aside) }
}
