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
import * as Claims from "./Claims.ts"
import * as Commits from "./commit/Commits.ts"
import * as EncodedChangeSet from "./commit/EncodedChangeSet.ts"
import * as GroupCommit from "./commit/GroupCommit.ts"
import type { PendingCommit, Result } from "./commit/PendingCommit.ts"
import type { Connection, Statement } from "./connection/Connection.ts"
import * as OwnPool from "./connection/OwnPool.ts"
import * as PoolConnection from "./connection/PoolConnection.ts"
import * as EarlyStatistics from "./EarlyStatistics.ts"
import type * as FolderLock from "./folder/FolderLock.ts"
import * as PgliteFolder from "./folder/PgliteFolder.ts"
import * as Images from "./image/Images.ts"
import * as Migrations from "./migrations/Migrations.ts"
import * as RetentionSweep from "./RetentionSweep.ts"
import * as JobRows from "./read/JobRows.ts"
import * as Reads from "./read/Reads.ts"
import * as BusinessTime from "./schema/BusinessTime.ts"
import { transaction } from "./TransactionStore.ts"
import * as WakeUps from "./WakeUps.ts"
import * as WorkerSession from "./WorkerSession.ts"

export interface StoreOptions {
  /** `run` (the default) migrates the schema to this release at start. `check` fails at start if it is of another release. */
  readonly migrations?: "run" | "check"
  /** How many change sets one trip may carry. */
  readonly batchMax?: number
  /** How long a commit waits for a lock that another session holds before the store is unavailable to it; 25,000 by default. */
  readonly lockWaitMillis?: number
}

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

export interface PgliteStoreOptions extends StoreOptions {
  /** The folder of the database; absent: the database is in memory. */
  readonly folder?: string
}

/** Minimum queue length before a second batch is opened: the fixed cost of a batch is that of about five change sets. */
const secondBatchMin = 12

/**
 * How long change sets wait for the batch in flight. A batch takes some milliseconds; one that takes longer waits for a lock that the
 * waiting sets may not need.
 */
const batchWaitMillis = 50

const randomUuid = Effect.provide(
  SecureRandom.SecureRandom.use((random) => random.uuidV4()),
  SecureRandom.layerWebCrypto,
)

/** The first 32 bits of a random UUID, as a number with a sign. */
const randomNumber = Effect.map(randomUuid, (uuid) => Number.parseInt(uuid.slice(0, 8), 16) | 0)

/**
 * How often the store looks whether the locks that change sets wait for are free. The time of locks is that of the database, so no clock
 * of a test stops it.
 */
const lockIntervalMillis = 50
const startLockInterval = (onElapsed: () => void): void => {
  Effect.runFork(Effect.andThen(Effect.sleep(lockIntervalMillis), Effect.sync(onElapsed)))
}

const make = Effect.fnUntraced(function* (
  connection: Connection,
  { batchMax = 64, lockWaitMillis = 25_000 }: StoreOptions,
) {
  const wall = yield* WallTime
  const signal = WorkSignal.make(true)
  const changes = ChangeSignal.make()
  const processId = yield* randomUuid
  const wakeUps = yield* WakeUps.make(connection, { signal, processId })
  const notices = yield* ChangeNotices.make(connection, { signal: changes, processId })
  const session = yield* WorkerSession.make(connection, { wakeUps, notices, signal, changes, randomNumber })
  const clockOffset = BusinessTime.make(() => {
    for (const queue of queues) signal.changed(queue)
    changes.changed(undefined, new Set(["clock"]))
  })
  const queryAtStart = (statement: Statement) =>
    Reads.query(connection, statement).pipe(Effect.mapError(({ cause }) => new Migrations.MigrationFailed({ cause })))
  const [isolation = ""] = yield* queryAtStart({ text: "show transaction_isolation", values: [] })
  if (isolation !== "read committed") {
    const cause = new Error(`commits need READ COMMITTED; transactions here are ${isolation?.toUpperCase()}`)
    return yield* new Migrations.MigrationFailed({ cause })
  }
  const [ahead] = yield* queryAtStart(BusinessTime.aheadStatement)
  clockOffset.update(Number(ahead ?? 0))
  if (connection.isSingleProcess === true) yield* queryAtStart(JobRows.releaseAllStatement)
  const sweep = RetentionSweep.make(connection)
  const lookAtTables = EarlyStatistics.make(connection)
  const { concurrentBatches, isSingleProcess = false } = connection
  const commits = Commits.make(
    connection,
    isSingleProcess
      ? undefined
      : {
          release: (sets) => group.addFirst(sets),
          startInterval: startLockInterval,
          intervalsMax: Math.ceil(lockWaitMillis / lockIntervalMillis),
        },
  )
  const { waits } = commits
  yield* Effect.addFinalizer(() => Effect.sync(waits.close))
  const waitMax = (onElapsed: () => void) => {
    Effect.runFork(Effect.andThen(wall.sleep(batchWaitMillis), Effect.sync(onElapsed)))
  }
  const group: GroupCommit.GroupCommit<PendingCommit> = GroupCommit.make({
    send: commits.send,
    hold: waits.hold,
    concurrentBatches,
    batchMax,
    secondBatchMin,
    waitMax,
  })

  const commit = Effect.fnUntraced(function* (set: ChangeSet) {
    const caller = yield* CurrentCaller
    const clock = yield* Clock.Clock
    const wallNow = yield* wall.now
    const { validUntil } = set
    const encoded = EncodedChangeSet.make(set, caller, wallNow)
    const isLate = () => validUntil !== undefined && clock.currentTimeMillisUnsafe() >= validUntil
    const result = yield* Effect.callback<Result>((resume) => {
      const pending: PendingCommit = {
        ...encoded,
        isLate,
        settle: (settled) => resume(Effect.succeed(settled)),
      }
      group.add(pending)
      return Effect.sync(() => {
        if (!group.withdraw(pending)) waits.withdraw(pending)
      })
    })
    if (result._tag === "Unavailable") return yield* result.error
    if (result._tag === "Defect") return yield* Effect.die(result.cause)
    for (const queue of result.queues) {
      signal.changed(queue)
      wakeUps.notify(queue)
    }
    if (result.outcome._tag === "Committed") notices.changed(caller.platformId, topicsOf(set))
    sweep(wallNow, clock.currentTimeMillisUnsafe())
    lookAtTables()
    return result.outcome
  })

  const watch = yield* ChangeNotices.watching(connection, changes)
  const claims = Claims.make((statement) => Reads.query(connection, statement))

  const store = Store.of({
    ...(yield* Reads.make(connection, clockOffset)),
    commit,
    claim: Effect.fnUntraced(function* (request) {
      const drained = signal.claiming(request.queue)
      const { ahead, jobs } = yield* claims(request, yield* session.number)
      if (jobs.filter(({ behind }) => behind === undefined).length < request.limit) drained()
      // Last: a newly learned time signals work again, and jobs that it makes due are claimed at once.
      clockOffset.update(ahead)
      return jobs
    }),
    moveTime: Effect.fnUntraced(function* (move) {
      const [moved] = yield* Reads.query(connection, BusinessTime.moveStatement(move))
      if (moved === undefined) return undefined
      const before = clockOffset.aheadMillis()
      clockOffset.update(Number(moved))
      if (clockOffset.aheadMillis() > before) {
        for (const queue of queues) wakeUps.notify(queue)
        notices.changed(undefined, new Set(["clock"]))
      }
      return clockOffset.aheadMillis()
    }),
    attend: session.attend,
    awaitWork: (queue) => Effect.andThen(session.attend, signal.wait(queue)),
    watch: (platformId, onChange) => Effect.andThen(session.attend, watch(platformId, onChange)),
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
      yield* options.migrations === "check" ? Migrations.check(connection) : Migrations.run(connection)
      return yield* make(connection, options)
    }),
  )

/** A store on a server: at `url`, over the embedder's pool, or as the standard PG environment variables say. */
const layerPool = (storeOptions: PoolStoreOptions): StoreLayer => {
  // In JavaScript a caller may pass the pool itself, which would otherwise be read as empty options.
  if ("connect" in storeOptions) throw new TypeError("layerPool takes options: { pool }")
  const { connectionsMax = 10, directUrl, pool, url, ...options } = storeOptions
  return Layer.unwrap(
    Effect.gen(function* () {
      const direct = directUrl === undefined ? options.direct : yield* OwnPool.openDirect(directUrl)
      const opened = pool ?? (yield* OwnPool.open(url, { connectionsMax, isShared: direct !== undefined }))
      const connection = PoolConnection.make(opened, { ...options, ...(direct === undefined ? {} : { direct }) })
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
