/** Opens the database that `--store` names, and prints a notice when that takes long. */
import { Worker } from "node:worker_threads"
import type { Connection } from "@countersign/adapter-postgres"
import { Effect, Redacted, type Scope } from "effect"
import { type CommandError, storeError } from "./CommandError.ts"
import { databaseProblem } from "./DatabaseProblem.ts"
import { writeFolderIgnore } from "./FolderIgnore.ts"
import { locationName, type StoreLocation } from "./StoreLocation.ts"

export type DatabaseLocation = Exclude<StoreLocation, { readonly _tag: "Memory" }>

const noticeAfterMillis = 1000

/** The adapter of databases. A store in memory does without it, its driver, and the time that they take to load. */
export const adapter = Effect.promise(() => import("@countersign/adapter-postgres"))

const openFolder = (folder: string) =>
  adapter.pipe(
    Effect.flatMap(({ PgliteFolder }) => PgliteFolder.open(folder)),
    Effect.mapError(({ message }) => storeError(message)),
    Effect.tap(() =>
      Effect.tryPromise({
        try: () => writeFolderIgnore(folder),
        catch: (cause) =>
          storeError(`cannot write ${folder}/.gitignore: ${cause instanceof Error ? cause.message : ""}`),
      }),
    ),
  )

const openServer = Effect.fnUntraced(function* ({
  direct,
  url,
}: Extract<DatabaseLocation, { readonly _tag: "Server" }>) {
  const { OwnPool } = yield* adapter
  return yield* OwnPool.connect({
    url: Redacted.value(url),
    directUrl: direct === undefined ? undefined : Redacted.value(direct),
  })
})

/** Returns a connection that has answered one query. */
export const open = Effect.fnUntraced(function* (
  location: DatabaseLocation,
): Effect.fn.Return<Connection, CommandError, Scope.Scope> {
  const connection = yield* location._tag === "Folder" ? openFolder(location.folder) : openServer(location)
  yield* Effect.tryPromise({
    try: () => connection.query({ text: "select 1::text", values: [] }),
    catch: (cause) => databaseProblem(locationName(location), cause),
  })
  return connection
})

/** Prints the notice from a thread of its own, because PGlite blocks the thread in which it opens a folder. */
const noticeScript = `
  const { workerData: { line, millis } } = require("node:worker_threads")
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, millis)
  require("node:fs").writeSync(2, line)`

/** Prints a line to standard error when opening takes longer than a second. */
export const withOpeningNotice =
  (location: StoreLocation) =>
  <A, E, R>(open: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.acquireUseRelease(
      Effect.sync(() => {
        const line = `opening ${locationName(location)} ...\n`
        const worker = new Worker(noticeScript, {
          eval: true,
          execArgv: [],
          workerData: { line, millis: noticeAfterMillis },
        })
        worker.on("error", () => undefined).unref()
        return worker
      }),
      () => open,
      (worker) => Effect.promise(() => worker.terminate()),
    )
