/**
 * PGlite in a folder, for this process alone: the folder holds the lock, and the database in a folder of its own.
 * Source: architecture, "The Store port" (PGlite); D-038.
 */
import { join } from "node:path"
import { Effect, type Scope } from "effect"
import type { Connection } from "./connection/Connection.ts"
import * as PgliteConnection from "./connection/PgliteConnection.ts"
import * as FolderLock from "./FolderLock.ts"

const create = async (path: string | undefined) => {
  const { PGlite } = await import("@electric-sql/pglite")
  return path === undefined ? PGlite.create() : PGlite.create(path)
}

const opened = (path?: string) =>
  Effect.acquireRelease(
    Effect.tryPromise(() => create(path)),
    (database) => Effect.promise(() => database.close()),
  ).pipe(Effect.map(PgliteConnection.make))

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
