/**
 * The `Store` port on PostgreSQL: on a server, and on PGlite.
 * Source: architecture, "The Store port" (PostgreSQL).
 */

import { CurrentCaller } from "@countersign/core"
import { WallTime } from "@countersign/core/ports"
import { type ChangeSet, queues, Store, WorkSignal } from "@countersign/core/store"
import { Clock, Effect, Layer } from "effect"
import * as ChangeSetCode from "./commit/ChangeSetCode.ts"
import * as Commits from "./commit/Commits.ts"
import * as GroupCommit from "./commit/GroupCommit.ts"
import type { Connection, Statement } from "./connection/Connection.ts"
import * as OwnPool from "./connection/OwnPool.ts"
import * as PoolConnection from "./connection/PoolConnection.ts"
import * as Forgetting from "./Forgetting.ts"
import type * as FolderLock from "./folder/FolderLock.ts"
import * as PgliteFolder from "./folder/PgliteFolder.ts"
import * as Migrations from "./migrations/Migrations.ts"
import * as JobRows from "./read/JobRows.ts"
import * as Reads from "./read/Reads.ts"
import * as BusinessTime from "./schema/BusinessTime.ts"
import { transaction } from "./TransactionStore.ts"
import * as WakeUps from "./WakeUps.ts"

export interface StoreOptions {
  /** `run` (the default): bring the schema to this release at start. `check`: fail at start unless it is. */
  readonly migrations?: "run" | "check"
  /** How many change sets one trip may carry. */
  readonly batchMax?: number
}

export interface PoolStoreOptions extends StoreOptions, PoolConnection.PoolOptions {
  /** Where the server is; the store then has a pool of its own. */
  readonly url?: string
  /** How many connections that pool may have. */
  readonly connectionsMax?: number
  /** The embedder's pool of the driver `pg`. */
  readonly pool?: PoolConnection.PgPool
}

export interface PgliteStoreOptions extends StoreOptions {
  /** Where the database is kept; absent: in memory. */
  readonly folder?: string
}

/** So many change sets are worth a second batch: a batch costs as much as five of them before it has any. */
const worthMin = 12

/** A batch takes some milliseconds; one that takes longer waits for somebody else, whom others need not wait for. */
const patienceMillis = 50

const make = Effect.fnUntraced(function* (connection: Connection, { batchMax = 64 }: StoreOptions) {
  const wall = yield* WallTime
  const signal = WorkSignal.make(true)
  const wakeUps = yield* WakeUps.make(connection, signal)
  const heard = BusinessTime.make(() => {
    for (const queue of queues) signal.changed(queue)
  })
  const asked = (statement: Statement) =>
    Reads.query(connection, statement).pipe(Effect.mapError(({ cause }) => new Migrations.MigrationFailed({ cause })))
  const [isolation = ""] = yield* asked({ text: "show transaction_isolation", values: [] })
  if (isolation !== "read committed") {
    const cause = new Error(`commits need READ COMMITTED; transactions here are ${isolation?.toUpperCase()}`)
    return yield* new Migrations.MigrationFailed({ cause })
  }
  const [ahead] = yield* asked(BusinessTime.aheadStatement)
  heard.hear(Number(ahead ?? 0))
  const forget = Forgetting.make(connection)
  const commits = Commits.make(connection)
  const { lanes } = connection
  const patience = (over: () => void) => {
    Effect.runFork(Effect.andThen(wall.sleep(patienceMillis), Effect.sync(over)))
  }
  const group = GroupCommit.make<Commits.Sent>({ send: commits.send, lanes, batchMax, worthMin, patience })

  const commit = Effect.fnUntraced(function* (set: ChangeSet) {
    const caller = yield* CurrentCaller
    const clock = yield* Clock.Clock
    const wallNow = yield* wall.now
    const { validUntil } = set
    const code = ChangeSetCode.make(set, caller, wallNow)
    const isLate = () => validUntil !== undefined && clock.currentTimeMillisUnsafe() >= validUntil
    const result = yield* Effect.callback<Commits.Result>((resume) => {
      const sent: Commits.Sent = { ...code, isLate, settle: (settled) => resume(Effect.succeed(settled)) }
      group.add(sent)
      return Effect.sync(() => {
        group.withdraw(sent)
      })
    })
    if (result._tag === "Unavailable") return yield* result.error
    if (result._tag === "Defect") return yield* Effect.die(result.cause)
    for (const queue of result.queues) {
      signal.changed(queue)
      wakeUps.tell(queue)
    }
    forget(wallNow, clock.currentTimeMillisUnsafe())
    return result.outcome
  })

  return Store.of({
    ...(yield* Reads.make(connection, heard)),
    commit,
    claim: Effect.fnUntraced(function* (request) {
      const drained = signal.claiming(request.queue)
      const [answer] = yield* Reads.query(connection, JobRows.claimStatement(request))
      const { ahead, jobs } = JobRows.claimed(answer)
      if (jobs.length < request.limit) drained()
      // After that: what is due by a time that was not known at this claim is looked for at once.
      heard.hear(ahead)
      return jobs
    }),
    moveTime: Effect.fnUntraced(function* (move) {
      const [moved] = yield* Reads.query(connection, BusinessTime.moveStatement(move))
      if (moved === undefined) return undefined
      const before = heard.aheadMillis()
      heard.hear(Number(moved))
      if (heard.aheadMillis() > before) for (const queue of queues) wakeUps.tell(queue)
      return heard.aheadMillis()
    }),
    awaitWork: (queue) => Effect.andThen(wakeUps.listen, signal.wait(queue)),
  })
})

type StoreLayer = Layer.Layer<Store, Migrations.SchemaMismatch | Migrations.MigrationFailed, WallTime>

/** A store on any connection. */
const layer = ({ connection, ...options }: StoreOptions & { readonly connection: Connection }): StoreLayer =>
  Layer.effect(
    Store,
    Effect.gen(function* () {
      yield* options.migrations === "check" ? Migrations.check(connection) : Migrations.run(connection)
      return yield* make(connection, options)
    }),
  )

/** A store on a server: at `url`, over the embedder's pool, or where the usual PG variables of the environment say. */
const layerPool = (given: PoolStoreOptions): StoreLayer => {
  // Without a compiler the pool itself is an easy slip, and would be taken for no options at all.
  if ("connect" in given) throw new TypeError("layerPool takes options: { pool }")
  const { connectionsMax = 10, pool, url, ...options } = given
  return Layer.unwrap(
    Effect.map(pool === undefined ? OwnPool.open(url, connectionsMax) : Effect.succeed(pool), (found) =>
      layer({ ...options, connection: PoolConnection.make(found, options) }),
    ),
  )
}

type FolderFailure = FolderLock.FolderInUse | FolderLock.FolderUnusable

/** A store on PGlite, in memory or in a folder, for this process alone: a folder that another process has is refused. */
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
