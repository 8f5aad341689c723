/**
 * The `DocumentVault` port on PostgreSQL: the bytes of a file are rows of one table, and a row of another says that they are complete.
 * Source: wire contract areas 1.2.8; D-375.
 */
import { BytesMissing, DocumentVault, dropBytes, inChunks, measured, VaultUnavailable } from "@countersign/core/ports"
import { Effect, Layer, Stream } from "effect"
import * as CellMigrations from "./cells/CellMigrations.ts"
import type { Connection, Statement } from "./connection/Connection.ts"
import * as OwnPool from "./connection/OwnPool.ts"
import * as PoolConnection from "./connection/PoolConnection.ts"
import { functions } from "./functions/Functions.ts"

/** The bytes of one row. */
const chunkBytes = 256 * 1024

const insertChunk = (key: string, number: number, bytes: Uint8Array): Statement => ({
  name: "vault_insert_chunk",
  text: `select ${functions.vaultAddChunk}($1, $2::int, $3)`,
  values: [key, number, Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("base64")],
})

const make = (connection: Connection): DocumentVault["Service"] => {
  const query = (statement: Statement) =>
    Effect.tryPromise({ try: () => connection.query(statement), catch: (cause) => new VaultUnavailable({ cause }) })

  const erase = Effect.fnUntraced(function* (key: string) {
    yield* query({ text: `select ${functions.vaultErase}($1)`, values: [key] })
  })

  const read = (
    key: string,
    size: number,
    from: number,
  ): Stream.Stream<Uint8Array, VaultUnavailable | BytesMissing> => {
    if (from >= size) return Stream.empty
    const first = Math.floor(from / chunkBytes)
    return Stream.range(first, Math.ceil(size / chunkBytes) - 1).pipe(
      Stream.mapEffect((number) =>
        query({
          name: "vault_read_chunk",
          text: "select encode(bytes, 'base64') from countersign.vault_chunk where key = $1 and number = $2::int",
          values: [key, number],
        }),
      ),
      Stream.mapEffect(([bytes]) =>
        bytes === undefined || bytes === null
          ? Effect.fail(new BytesMissing({ key }))
          : Effect.succeed(Buffer.from(bytes, "base64")),
      ),
      dropBytes(from % chunkBytes),
    )
  }

  return {
    store: Effect.fnUntraced(function* (key, bytes) {
      const passing = measured(bytes)
      const chunks = passing.bytes.pipe(inChunks(chunkBytes), Stream.zipWithIndex)
      yield* Effect.onError(
        Stream.runForEach(chunks, ([chunk, number]) => query(insertChunk(key, number, chunk))),
        () => Effect.ignore(erase(key)),
      )
      const result = passing.result()
      yield* query({
        text: `select ${functions.vaultComplete}($1, $2::bigint, $3)`,
        values: [key, result.size, result.sha256],
      })
      return result
    }),
    read: (key, from = 0) =>
      query({ text: "select size::text from countersign.vault_file where key = $1", values: [key] }).pipe(
        Effect.map(([size]) =>
          size === undefined || size === null ? Stream.fail(new BytesMissing({ key })) : read(key, Number(size), from),
        ),
        Stream.unwrap,
      ),
    erase,
  }
}

/** How a vault reaches its server. Without `url` and `pool` the standard PG environment variables name it. Its own pool has two connections. */
export interface PoolVaultOptions extends PoolConnection.PoolOptions {
  /** The connection URL of the server, for which the vault opens its own pool. */
  readonly url?: string
  /** The embedder's pool of the driver `pg`. */
  readonly pool?: PoolConnection.PgPool
}

/** A vault in the database of a store, whose migrations create its tables. */
const layer = ({ connection }: { readonly connection: Connection }): Layer.Layer<DocumentVault> =>
  Layer.sync(DocumentVault, () => make(connection))

/** A connection to the first cell of the store in the database, which is looked for until it has answered. */
const ofStore = (connection: Connection): Connection => {
  let known: Connection | undefined
  return {
    ...connection,
    query: async (statement) => {
      if (known !== undefined) return known.query(statement)
      const [first = connection] = await Effect.runPromise(CellMigrations.connections(connection))
      const answer = await first.query(statement)
      known = first
      return answer
    },
  }
}

/** A vault in the database of a store, over a pool of its own or the embedder's. */
const layerPool = ({ pool, url, ...options }: PoolVaultOptions): Layer.Layer<DocumentVault> =>
  Layer.unwrap(
    Effect.map(
      pool === undefined
        ? OwnPool.connect({ ...options, url, connectionsMax: 2 })
        : Effect.succeed(PoolConnection.make(pool, options)),
      (connection) => layer({ connection: ofStore(connection) }),
    ),
  )

export const PostgresVault = { layer, layerPool, make }
