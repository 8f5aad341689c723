/** Opens the database that `--store` names, and says so when that takes a while. */
import { Worker } from "node:worker_threads"
import { type Connection, OwnPool, PgliteFolder, PoolConnection } from "@countersign/adapter-postgres"
import { Effect, Redacted, type Scope } from "effect"
import { DatabaseUnusable, databaseProblem } from "./DatabaseProblem.ts"
import { placeName, type StorePlace } from "./StorePlace.ts"

export type DatabasePlace = Exclude<StorePlace, { readonly _tag: "Memory" }>

const silentMillisMax = 1000

const openFolder = (folder: string) =>
  PgliteFolder.open(folder).pipe(Effect.mapError(({ message }) => new DatabaseUnusable({ message })))

const openServer = (url: string) => Effect.map(OwnPool.open(url), (pool) => PoolConnection.make(pool))

/** A connection that has answered once. */
export const open = Effect.fnUntraced(function* (
  place: DatabasePlace,
): Effect.fn.Return<Connection, DatabaseUnusable, Scope.Scope> {
  const connection = yield* place._tag === "Folder" ? openFolder(place.folder) : openServer(Redacted.value(place.url))
  yield* Effect.tryPromise({
    try: () => connection.query({ text: "select 1::text", values: [] }),
    catch: (cause) => databaseProblem(placeName(place), cause),
  })
  return connection
})

/** A thread of its own: PGlite opens a folder without letting anything else happen in the thread that asked for it. */
const teller = `
  const { workerData: { line, millis } } = require("node:worker_threads")
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, millis)
  require("node:fs").writeSync(2, line)`

/** Prints a line, beside the output proper, when the opening takes longer than one is glad to look at nothing. */
export const announced =
  (place: StorePlace) =>
  <A, E, R>(opening: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.acquireUseRelease(
      Effect.sync(() => {
        const line = `opening ${placeName(place)} ...\n`
        const worker = new Worker(teller, { eval: true, execArgv: [], workerData: { line, millis: silentMillisMax } })
        worker.on("error", () => undefined).unref()
        return worker
      }),
      () => opening,
      (worker) => Effect.promise(() => worker.terminate()),
    )
