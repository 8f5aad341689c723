/**
 * PGlite in a folder, for one process at a time: the folder contains the lock file and the database in its subfolder `data`.
 * Source: architecture, "The Store port" (PGlite); D-038.
 */
import { join } from "node:path"
import { Clock, Effect, type Scope } from "effect"
import type { Connection } from "../connection/Connection.ts"
import * as PgliteConnection from "../connection/PgliteConnection.ts"
import * as FolderLock from "./FolderLock.ts"
import * as NewCluster from "./NewCluster.ts"
import * as SyncedFiles from "./SyncedFiles.ts"

/** The default of 128 MB is touched as a whole at the start, and the host's cache has the files anyway. */
const sharedBuffers = ["-c", "shared_buffers=16MB"]

const create = async (path?: string) => {
  const { PGlite } = await import("@electric-sql/pglite")
  const unsynced = [...PGlite.defaultStartParams, ...sharedBuffers]
  if (path === undefined) return PGlite.create({ startParams: unsynced })
  await NewCluster.make(path)
  const { fs, startParams } = await SyncedFiles.options(path)
  return PGlite.create({ fs, startParams: [...unsynced, ...startParams] })
}

/** The minimum time between two attempts to reopen: opening blocks this process for seconds. */
const reopenPauseMillis = 5000

/** Returns the function that reopens the database; it fails within the pause after the last attempt. */
const reopenAfterPause = (path: string, clock: Clock.Clock) => {
  let attemptedAt = Number.NEGATIVE_INFINITY
  return async () => {
    if (clock.currentTimeMillisUnsafe() < attemptedAt + reopenPauseMillis) throw new Error("the database has ended")
    try {
      return await create(path)
    } finally {
      attemptedAt = clock.currentTimeMillisUnsafe()
    }
  }
}

/** A database in a folder is reopened when it has ended by itself. A database in memory is then lost with its data. */
const openDatabase = Effect.fnUntraced(function* (path?: string) {
  const clock = yield* Clock.Clock
  const options = path === undefined ? {} : { reopen: reopenAfterPause(path, clock) }
  return yield* Effect.acquireRelease(
    Effect.tryPromise(async () => PgliteConnection.make(await create(path), options)),
    ({ close }) => Effect.promise(close),
  )
})

/** Opens the database of a folder, and creates the folder if it does not exist. The lock is released after the database is closed. */
export const open = (
  folder: string,
): Effect.Effect<Connection, FolderLock.FolderInUse | FolderLock.FolderUnusable, Scope.Scope> =>
  Effect.andThen(
    FolderLock.acquire(folder),
    openDatabase(join(folder, "data")).pipe(Effect.mapError(({ cause }) => FolderLock.unusable(folder, cause))),
  )

/** Opens a database in memory, whose data is lost when the scope closes. */
export const inMemory: Effect.Effect<Connection, never, Scope.Scope> = Effect.orDie(openDatabase())
