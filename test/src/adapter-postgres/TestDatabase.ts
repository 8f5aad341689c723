/**
 * A database of its own for each test file: on the run's server, or on the one that COUNTERSIGN_TEST_POSTGRES_URL names.
 */
import { createConnection } from "node:net"
import { text } from "node:stream/consumers"
import { type Connection, PoolConnection, PostgresStore } from "@countersign/adapter-postgres"
import { WallTime } from "@countersign/core/ports"
import type { Store } from "@countersign/core/store"
import { Effect, Layer } from "effect"
import pg from "pg"
import { inject } from "vitest"
import type { WorldStore } from "../../../packages/test/src/harness/World.ts"
import { booksOf } from "../faults/Books.ts"
import type { DeskAnswer } from "./PostgresServer.ts"

export interface TestDatabase {
  readonly pool: pg.Pool
  readonly name: string
  /** Its address, for another program. */
  readonly url: string
  readonly connection: Connection
  /** Another pool to the same database, as another process would have. */
  readonly another: (max?: number) => pg.Pool
  readonly close: () => Promise<void>
}

type Place = { readonly host: string; readonly user: string } | { readonly connectionString: string }

const placeOf = async (desk: string): Promise<{ readonly place: Place; readonly name: string }> => {
  const answer = JSON.parse(await text(createConnection(desk))) as DeskAnswer
  if ("error" in answer) throw new Error(answer.error)
  return "url" in answer
    ? { place: { connectionString: answer.url }, name: `countersign_test_${process.pid}_${answer.number}` }
    : { place: { host: answer.folder, user: "postgres" }, name: `test_${answer.number}` }
}

/** The folder of a server's socket stands where others have a host. */
const addressOf = (place: Place, name: string): string => {
  if ("host" in place) return `postgres://${place.user}@${encodeURIComponent(place.host)}/${name}`
  const url = new URL(place.connectionString)
  url.pathname = `/${name}`
  return url.href
}

const onServer = async (place: Place, statement: string): Promise<void> => {
  const client = new pg.Client("host" in place ? { ...place, database: "postgres" } : place)
  await client.connect()
  await client.query(statement)
  await client.end()
}

/** The locks of `pg_locks` that are of the session's database: others are on the server, too. */
export const isHere = "database = (select oid from pg_database where datname = current_database())"

/** A new, empty database on the server of the run, or on that of another desk. */
export const create = async (max = 20, desk = inject("postgresDesk"), options = ""): Promise<TestDatabase> => {
  const { name, place } = await placeOf(desk)
  await onServer(place, `create database ${name} ${options}`)
  const url = addressOf(place, name)
  const pools: Array<pg.Pool> = []
  const another = (size = max) => {
    const pool = new pg.Pool({ connectionString: url, max: size })
    // A test may end connections that lie idle.
    pool.on("error", () => undefined)
    pools.push(pool)
    return pool
  }
  const pool = another()
  const close = async () => {
    await Promise.all(pools.map((each) => each.end()))
    await onServer(place, `drop database ${name} with (force)`)
  }
  return { pool, name, url, connection: PoolConnection.make(pool), another, close }
}

/** Empties all tables but those that tell the schema. */
const empty = async (connection: Connection): Promise<void> => {
  const tables = await connection.query({
    text: `select format('countersign.%I', tablename) from pg_tables where schemaname = 'countersign' and tablename <> 'schema_version'`,
    values: [],
  })
  if (tables.length > 0) await connection.query({ text: `truncate ${tables.join(", ")} restart identity`, values: [] })
}

/** An empty store on a connection, for each time it is built. */
export const emptyStore = (connection: () => Promise<Connection>) =>
  Layer.unwrap(
    Effect.promise(async () => {
      const made = await connection()
      await empty(made)
      return Layer.orDie(PostgresStore.layer({ connection: made })).pipe(Layer.provide(WallTime.layerClock))
    }),
  ) satisfies Layer.Layer<Store>

/** A world's store there, empty each time that it is built, and its books. */
export const emptyWorld = (database: Promise<TestDatabase>): WorldStore => {
  const connection = async () => (await database).connection
  return { layer: emptyStore(connection), books: async () => booksOf(await connection()) }
}
