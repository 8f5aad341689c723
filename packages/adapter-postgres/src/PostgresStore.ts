/**
 * The `Store` port on a PostgreSQL server and on PGlite.
 * Source: architecture, "The Store port" (PostgreSQL).
 */

import { CurrentCaller } from "@countersign/core"
import { WallTime } from "@countersign/core/ports"
import {
  type ChangeSet,
  ChangeSignal,
  queues,
  StateGate,
  StateImages,
  Store,
  topicsOf,
  WorkSignal,
} from "@countersign/core/store"
import { Clock, Context, Effect, Layer, type Scope } from "effect"
import { SecureRandom } from "effect/crypto"
import * as ChangeNotices from "./ChangeNotices.ts"
import * as AllCells from "./cells/AllCells.ts"
import * as Cell from "./cells/Cell.ts"
import * as CellMigrations from "./cells/CellMigrations.ts"
import type { CellPlaces } from "./cells/CellPlaces.ts"
import * as EarlyStatistics from "./cells/EarlyStatistics.ts"
import * as RetentionSweep from "./cells/RetentionSweep.ts"
import type { Connection, Statement } from "./connection/Connection.ts"
import * as OwnPool from "./connection/OwnPool.ts"
import * as PoolConnection from "./connection/PoolConnection.ts"
import type * as FolderLock from "./folder/FolderLock.ts"
import * as PgliteFolder from "./folder/PgliteFolder.ts"
import * as Images from "./image/Images.ts"
import * as Migrations from "./migrations/Migrations.ts"
import * as JobRows from "./read/JobRows.ts"
import * as Reads from "./read/Reads.ts"
import * as BusinessTime from "./schema/BusinessTime.ts"
import { transaction } from "./TransactionStore.ts"
import * as WakeUps from "./WakeUps.ts"
import * as WorkerSessions from "./WorkerSessions.ts"

/** Settings of a store that do not depend on how its database is reached. */
export interface StoreOptions {
  /** `run` (the default) migrates the schema to this release at start. `check` fails at start if it is of another release. */
  readonly migrations?: "run" | "check"
  /**
   * The number of cells of a new store, each a schema of its own; 1 by default, at most 256. It never changes afterwards: a store that exists
   * is opened with the cells that it has, and another number is refused. On a server that is a node of a cluster they are placed on its
   * nodes. Source: D-514, D-517.
   */
  readonly cells?: number
  /** How many change sets one trip may carry; 64 by default. */
  readonly batchMax?: number
  /** How long a commit waits for a lock that another session holds before the store is unavailable to it; 25,000 by default. */
  readonly lockWaitMillis?: number
}

/** How a store reaches its server. Without `url` and `pool` the standard PG environment variables name it. */
export interface PoolStoreOptions extends StoreOptions, PoolConnection.PoolOptions {
  /** The connection URL of the server, for which the store opens its own pool. */
  readonly url?: string
  /** Where `url` is a pooler that shares sessions: the server behind it, for which the store opens a small pool, too. */
  readonly directUrl?: string
  /** How many connections the store's own pool may have; 10 by default. */
  readonly connectionsMax?: number
  /** The embedder's pool of the driver `pg`. */
  readonly pool?: PoolConnection.PgPool
}

/** Where a store in PGlite, inside this process, keeps its database. */
export interface PgliteStoreOptions extends StoreOptions {
  /** The folder of the database; absent: the database is in memory. */
  readonly folder?: string
}

const randomUuid = Effect.provide(
  SecureRandom.SecureRandom.use((random) => random.uuidV4()),
  SecureRandom.layerWebCrypto,
)

/** The first 32 bits of a random UUID, as a number with a sign. */
const randomNumber = Effect.map(randomUuid, (uuid) => Number.parseInt(uuid.slice(0, 8), 16) | 0)

const make = Effect.fnUntraced(function* (places: CellPlaces, options: Omit<StoreOptions, "cells">) {
  const { any: connection, cells: connections } = places
  const signal = WorkSignal.make(true)
  const changes = ChangeSignal.make()
  const processId = yield* randomUuid
  const wakeUps = yield* WakeUps.make(connection, { signal, processId })
  const notices = yield* ChangeNotices.make(connection, { signal: changes, processId })
  const sessions = yield* WorkerSessions.make(places, { wakeUps, notices, signal, changes, randomNumber })
  const clockOffset = BusinessTime.make(() => {
    for (const queue of queues) signal.changed(queue)
    changes.changed(undefined, new Set(["clock"]))
  })
  const askAtStart = (statement: Statement) =>
    Reads.repeatable(() => places.ask(statement)).pipe(
      Effect.map((answers) => [...answers.values()]),
      Effect.mapError(({ cause }) => new Migrations.MigrationFailed({ cause })),
    )
  const isolation = { text: "select current_setting('transaction_isolation')", values: [] }
  const other = (yield* askAtStart(isolation)).find((level) => level !== "read committed")
  if (other !== undefined) {
    const cause = new Error(`commits need READ COMMITTED; transactions here are ${other?.toUpperCase()}`)
    return yield* new Migrations.MigrationFailed({ cause })
  }
  clockOffset.update(Math.max(...(yield* askAtStart(BusinessTime.aheadStatement)).map(Number)))
  const { isSingleProcess = false } = connection
  if (isSingleProcess) yield* askAtStart(JobRows.releaseAllStatement)
  const each = yield* Effect.forEach(connections, (cell) => Cell.make(cell, { ...options, clockOffset }))
  const [only] = each
  const port =
    only !== undefined && each.length === 1
      ? Cell.alone(only)
      : yield* AllCells.make({ places, cells: each, clockOffset, lockWaitMillis: options.lockWaitMillis })

  const sweep = RetentionSweep.make(connections)
  const lookAtTables = EarlyStatistics.make(connections)
  const wall = yield* WallTime

  const commit = Effect.fnUntraced(function* (set: ChangeSet) {
    const caller = yield* CurrentCaller
    const result = yield* port.commit(set, caller)
    if (result._tag === "Unavailable") return yield* result.error
    if (result._tag === "Defect") return yield* Effect.die(result.cause)
    for (const queue of result.queues) {
      signal.changed(queue)
      wakeUps.notify(queue)
    }
    if (result.outcome._tag === "Committed") notices.changed(caller.platformId, topicsOf(set))
    sweep(yield* wall.now, yield* Clock.currentTimeMillis)
    lookAtTables()
    return result.outcome
  })

  const watch = yield* ChangeNotices.watching(connection, changes)
  const store = Store.of({
    ...port.reads,
    commit,
    claim: Effect.fnUntraced(function* (request) {
      const drained = signal.claiming(request.queue)
      const { ahead, jobs } = yield* port.claim(request, sessions.numberAt)
      if (jobs.filter(({ behind }) => behind === undefined).length < request.limit) drained()
      // Last: a newly learned time signals work again, and jobs that it makes due are claimed at once.
      clockOffset.update(ahead)
      return jobs
    }),
    moveTime: Effect.fnUntraced(function* (move) {
      const moved = yield* port.moveTime(move)
      if (moved === undefined) return undefined
      const before = clockOffset.aheadMillis()
      clockOffset.update(Number(moved))
      if (clockOffset.aheadMillis() > before) {
        for (const queue of queues) wakeUps.notify(queue)
        notices.changed(undefined, new Set(["clock"]))
      }
      return clockOffset.aheadMillis()
    }),
    attend: sessions.attend,
    awaitWork: (queue) => Effect.andThen(sessions.attend, signal.wait(queue)),
    watch: (platformId, onChange) => Effect.andThen(sessions.attend, watch(platformId, onChange)),
  })
  // Another process may be using the tables of a server.
  if (!isSingleProcess) return Context.make(Store, store)
  const gate = StateGate.make()
  const images = Images.make(connection, {
    gate,
    schemaVersion: Migrations.migrations.length,
    releaseJobs: async ({ query }) => void (await query(JobRows.releaseAllStatement)),
    onReplaced: async () => {
      const [offset] = await connection.query(BusinessTime.aheadStatement)
      clockOffset.replace(Number(offset ?? 0))
    },
  })
  return Context.make(Store, gate.guard(store)).pipe(
    Context.add(StateImages, images),
    Context.add(StateGate.Generation, gate.generation),
  )
})

type StoreLayer = Layer.Layer<Store, Migrations.SchemaMismatch | Migrations.MigrationFailed, WallTime>

/** A store on a connection of any driver. */
const layer = ({ connection, ...options }: StoreOptions & { readonly connection: Connection }): StoreLayer =>
  Layer.effectContext(
    Effect.gen(function* (): Effect.fn.Return<Context.Context<Store>, Layer.Error<StoreLayer>, WallTime | Scope.Scope> {
      const prepare = options.migrations === "check" ? CellMigrations.check : CellMigrations.run
      return yield* make(yield* prepare(connection, options.cells), options)
    }),
  )

/** A store on a server: at `url`, over the embedder's pool, or as the standard PG environment variables say. */
const layerPool = (storeOptions: PoolStoreOptions): StoreLayer => {
  // In JavaScript a caller may pass the pool itself, which would otherwise be read as empty options.
  if ("connect" in storeOptions) throw new TypeError("layerPool takes options: { pool }")
  const { connectionsMax, directUrl, pool, url, ...options } = storeOptions
  return Layer.unwrap(
    Effect.gen(function* () {
      const connection =
        pool === undefined
          ? yield* OwnPool.connect({ ...options, connectionsMax, directUrl, url })
          : PoolConnection.make(pool, {
              ...options,
              ...(directUrl === undefined ? {} : { direct: yield* OwnPool.openDirect(directUrl) }),
            })
      return layer({ ...options, connection })
    }),
  )
}

type FolderFailure = FolderLock.FolderInUse | FolderLock.FolderUnusable

/** A store on PGlite, in memory or in a folder, for this process only. A folder that another process uses is rejected. */
const layerPglite = ({
  folder,
  ...options
}: PgliteStoreOptions = {}): Layer.Layer<Store, Layer.Error<StoreLayer> | FolderFailure, WallTime> =>
  Layer.unwrap(
    Effect.map(folder === undefined ? PgliteFolder.inMemory : PgliteFolder.open(folder), (connection) =>
      layer({ ...options, connection }),
    ),
  )

export const PostgresStore = { layer, layerPool, layerPglite, transaction }
