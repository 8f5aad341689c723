/**
 * A separate database for each test file: on the server of the run, or on the one that COUNTERSIGN_TEST_POSTGRES_URL names.
 */
import { createConnection } from "node:net"
import { text } from "node:stream/consumers"
import { type Connection, PoolConnection, PostgresStore } from "@countersign/adapter-postgres"
import { WallTime } from "@countersign/core/ports"
import type { Store } from "@countersign/core/store"
import { Effect, Layer } from "effect"
import pg from "pg"
import { inject } from "vitest"
import * as CellPlaces from "../../../packages/adapter-postgres/src/cells/CellPlaces.ts"
import { emptyTables } from "../../../packages/adapter-postgres/src/image/ImageTables.ts"
import type { WorldStore } from "../../../packages/test/src/harness/World.ts"
import { booksOf } from "../faults/Books.ts"
import type { ServerAddress } from "./PostgresServer.ts"

export interface TestDatabase {
  readonly pool: pg.Pool
  readonly name: string
  /** The connection URL for another program. */
  readonly url: string
  readonly connection: Connection
  /** Another pool to the same database, as of another process. */
  readonly another: (max?: number) => pg.Pool
  readonly close: () => Promise<void>
}

type Place = { readonly host: string; readonly user: string } | { readonly connectionString: string }

const placeOf = async (socket: string): Promise<{ readonly place: Place; readonly name: string }> => {
  const answer = JSON.parse(await text(createConnection(socket))) as ServerAddress
  if ("error" in answer) throw new Error(answer.error)
  return "url" in answer
    ? { place: { connectionString: answer.url }, name: `countersign_test_${process.pid}_${answer.number}` }
    : { place: { host: answer.folder, user: "postgres" }, name: `test_${answer.number}` }
}

/** The connection URL; the folder of a socket takes the place of a host. */
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

/** The condition for locks of this database in `pg_locks`, which lists those of the whole server. */
export const isHere = "database = (select oid from pg_database where datname = current_database())"

/** Creates an empty database on the server of the run, or on that of another socket. */
export const create = async (
  max = 20,
  socket = inject("postgresAddressSocket"),
  options = "",
): Promise<TestDatabase> => {
  const { name, place } = await placeOf(socket)
  await onServer(place, `create database ${name} ${options}`)
  const url = addressOf(place, name)
  const pools: Array<pg.Pool> = []
  const another = (size = max) => {
    const pool = new pg.Pool({ connectionString: url, max: size })
    // A test may terminate idle connections.
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

/** Empties all tables except `schema_version`. */
const empty = async (connection: Connection): Promise<void> => {
  const tables = await connection.query({
    text: "select tablename::text from pg_tables where schemaname = 'countersign' and tablename <> 'schema_version'",
    values: [],
  })
  if (tables.length === 0) return
  await connection.session(async (session) => {
    await emptyTables(
      session,
      tables.flatMap((table) => table ?? []),
    )
    await session.script("alter sequence countersign.job_sequence_seq restart")
  })
}

const cellsOf = (connection: Connection, cells: number): ReadonlyArray<Connection> =>
  CellPlaces.onOneServer(connection, cells).cells

/** A layer that empties the database and provides a store of this number of cells whenever it is built. */
export const emptyStore = (connection: () => Promise<Connection>, cells = 1) =>
  Layer.unwrap(
    Effect.promise(async () => {
      const made = await connection()
      for (const cell of cellsOf(made, cells)) await empty(cell)
      return Layer.orDie(PostgresStore.layer({ connection: made, cells })).pipe(Layer.provide(WallTime.layerClock))
    }),
  ) satisfies Layer.Layer<Store>

/** The next wall time at which a job is retried. */
const nextRetryIn = async (connection: Connection, after: number): Promise<number | undefined> => {
  const [next] = await connection.query({
    text: "select min(not_before)::text from countersign.job where state <> 'parked' and not_before > $1",
    values: [after],
  })
  return typeof next === "string" ? Number(next) : undefined
}

/** The store of a world in a number of cells, and its books. */
const worldOf = (layer: WorldStore["layer"], connection: () => Promise<Connection>, cells: number): WorldStore => {
  const ofCells = async <A>(read: (cell: Connection) => Promise<A>) =>
    Promise.all(cellsOf(await connection(), cells).map(read))
  return {
    layer,
    books: async () => (await ofCells(booksOf)).flat(),
    nextRetry: async (after) => {
      const times = (await ofCells((cell) => nextRetryIn(cell, after))).filter((time) => time !== undefined)
      return times.length === 0 ? undefined : Math.min(...times)
    },
  }
}

/** It is emptied whenever it is built. */
export const emptyWorld = (database: Promise<Pick<TestDatabase, "connection">>, cells = 1): WorldStore => {
  const connection = async () => (await database).connection
  return worldOf(emptyStore(connection, cells), connection, cells)
}

/** It is emptied only now, although it may be built several times, by one process each. */
export const emptiedWorld = async (
  { connection }: Pick<TestDatabase, "connection">,
  cells = 1,
): Promise<WorldStore> => {
  const open = async () => connection
  await Effect.runPromise(Effect.scoped(Effect.asVoid(Layer.build(emptyStore(open, cells)))))
  const layer = Layer.orDie(PostgresStore.layer({ connection, cells }))
  return worldOf(layer, open, cells)
}
