/** Opens the database that `--store` names, and says so when that takes a while. */
import { type Connection, PgliteFolder, PoolConnection } from "@countersign/adapter-postgres"
import { Console, Effect, Fiber, Redacted, type Scope } from "effect"
import { DatabaseUnusable, databaseProblem } from "./DatabaseProblem.ts"
import { placeName, type StorePlace } from "./StorePlace.ts"

export type DatabasePlace = Exclude<StorePlace, { readonly _tag: "Memory" }>

const connectMillisMax = 5000
const statementMillisMax = 30_000
const connectionsMax = 10
const silentMillisMax = 1000

const openFolder = (folder: string) =>
  PgliteFolder.open(folder).pipe(Effect.mapError(({ message }) => new DatabaseUnusable({ message })))

const openServer = Effect.fnUntraced(function* (url: string) {
  const pool = yield* Effect.acquireRelease(
    Effect.promise(async () => {
      const { default: pg } = await import("pg")
      const made = new pg.Pool({
        connectionString: url,
        max: connectionsMax,
        application_name: "countersign",
        connectionTimeoutMillis: connectMillisMax,
        statement_timeout: statementMillisMax,
        // A server that is cut off cannot say that its time is up.
        query_timeout: statementMillisMax + connectMillisMax,
        keepAlive: true,
      })
      // An idle connection that breaks is replaced at its next use.
      made.on("error", () => undefined)
      return made
    }),
    (made) => Effect.promise(() => made.end()),
  )
  return PoolConnection.make(pool)
})

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

/** Prints a line, beside the output proper, when the opening takes longer than one is glad to look at nothing. */
export const announced =
  (place: StorePlace) =>
  <A, E, R>(opening: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.acquireUseRelease(
      Effect.sleep(silentMillisMax).pipe(
        Effect.andThen(Console.error(`opening ${placeName(place)} ...`)),
        Effect.forkChild,
      ),
      () => opening,
      Fiber.interrupt,
    )
