/**
 * PGlite in a folder, for this process alone: the folder holds the lock, and the database in a folder of its own.
 * Source: architecture, "The Store port" (PGlite); D-038.
 */
import { join } from "node:path"
import { Clock, Effect, type Scope } from "effect"
import type { Connection } from "../connection/Connection.ts"
import * as PgliteConnection from "../connection/PgliteConnection.ts"
import * as FolderLock from "./FolderLock.ts"

const create = async (path?: string) => {
  const { PGlite } = await import("@electric-sql/pglite")
  return path === undefined ? PGlite.create() : PGlite.create(path)
}

/** Opening takes seconds in which this process does nothing else. */
const pauseMillis = 5000

/** Opens a folder again, and says no to whoever asks too soon after the last time. */
const again = (path: string, clock: Clock.Clock) => {
  let triedAt = Number.NEGATIVE_INFINITY
  return async () => {
    if (clock.currentTimeMillisUnsafe() < triedAt + pauseMillis) throw new Error("the database has ended")
    try {
      return await create(path)
    } finally {
      triedAt = clock.currentTimeMillisUnsafe()
    }
  }
}

/** One in a folder is opened again when it has ended by itself; one in memory is lost with everything in it. */
const opened = Effect.fnUntraced(function* (path?: string) {
  const clock = yield* Clock.Clock
  const options = path === undefined ? {} : { again: again(path, clock) }
  return yield* Effect.acquireRelease(
    Effect.tryPromise(async () => PgliteConnection.make(await create(path), options)),
    ({ close }) => Effect.promise(close),
  )
})

/** Opens the database of a folder, which is made where it is not there. The lock is let go after the database is closed. */
export const open = (
  folder: string,
): Effect.Effect<Connection, FolderLock.FolderInUse | FolderLock.FolderUnusable, Scope.Scope> =>
  Effect.andThen(
    FolderLock.acquire(folder),
    opened(join(folder, "data")).pipe(Effect.mapError(({ cause }) => FolderLock.unusable(folder, cause))),
  )

/** A database that is gone when the scope closes. */
export const inMemory: Effect.Effect<Connection, never, Scope.Scope> = Effect.orDie(opened())
