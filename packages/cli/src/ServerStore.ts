/** The store of this process, its location for the start, and the vault in its database. */
import { MemoryStore } from "@countersign/adapter-memory"
import type { Connection } from "@countersign/adapter-postgres"
import { type DocumentVault, SavedWorlds, type WallTime } from "@countersign/core/ports"
import type { Store } from "@countersign/core/store"
import { Context, Effect, Layer } from "effect"
import { type CommandError, usageError } from "./CommandError.ts"
import * as Database from "./Database.ts"
import { databaseProblem, schemaProblem } from "./DatabaseProblem.ts"
import { locationName, type StoreLocation } from "./StoreLocation.ts"
import * as WorldFolder from "./WorldFolder.ts"

export class ServerStore extends Context.Service<
  ServerStore,
  {
    readonly location: StoreLocation
    /** Client id of the oldest platform; `undefined` if the store has no platform. */
    readonly firstClientId: Effect.Effect<string | undefined, CommandError>
    /** The vault in the database of the store. A store in memory has none. */
    readonly vault: Effect.Effect<DocumentVault["Service"], CommandError>
  }
>()("countersign/ServerStore") {}

/** The oldest of a cell, with the time and the id that order it. */
const oldestToken = {
  text: `select json_build_array(created_at, id, data->>'clientId')::text from countersign.api_token
    where data->>'isDeleted' = 'false' order by created_at, id limit 1`,
  values: [],
}

const firstClientIdIn = (location: StoreLocation, cells: ReadonlyArray<Connection>) =>
  Effect.tryPromise({
    try: async () => {
      const answers = await Promise.allSettled(cells.map((cell) => cell.query(oldestToken)))
      const failed = answers.find(({ status }) => status === "rejected")
      // Cells on a node that does not answer are left out.
      if (failed?.status === "rejected" && answers.every(({ status }) => status === "rejected")) throw failed.reason
      return answers.flatMap((answer) => (answer.status === "fulfilled" ? [answer.value] : []))
    },
    catch: (cause) => databaseProblem(locationName(location), cause),
  }).pipe(
    Effect.map((found) => {
      const tokens = found.flat().flatMap((row) => (row === null ? [] : [JSON.parse(row) as [number, string, string]]))
      const [oldest] = tokens.toSorted(([a, aId], [b, bId]) => a - b || (aId < bId ? -1 : 1))
      return oldest?.[2]
    }),
  )

/** The error of `--documents postgres` with a store in memory. */
export const noDatabase = "--documents postgres needs a database: --store pglite:FOLDER or postgres://..."

const memory = Layer.merge(
  MemoryStore.layer,
  Layer.succeed(ServerStore, {
    location: { _tag: "Memory" },
    firstClientId: Effect.undefined,
    vault: Effect.fail(usageError(noDatabase)),
  }),
)

const database = (location: Database.DatabaseLocation, migrations: "run" | "check") =>
  Layer.effectContext(
    Effect.gen(function* () {
      const { CellMigrations, PostgresStore, PostgresVault } = yield* Database.adapter
      const connection = yield* Database.open(location)
      const cells = location._tag === "Server" ? location.cells : undefined
      const options = { connection, migrations, ...(cells === undefined ? {} : { cells }) }
      const problem = schemaProblem(locationName(location))
      const context = yield* Layer.build(PostgresStore.layer(options)).pipe(Effect.mapError(problem))
      const connections = yield* CellMigrations.connections(connection).pipe(Effect.mapError(problem))
      const [first = connection] = connections
      return Context.add(context, ServerStore, {
        location,
        firstClientId: firstClientIdIn(location, connections),
        vault: Effect.succeed(PostgresVault.make(first)),
      }).pipe(Context.add(SavedWorlds, location._tag === "Folder" ? WorldFolder.make(location.folder) : undefined))
    }).pipe(Database.withOpeningNotice(location)),
  )

export const layer = (
  location: StoreLocation,
  migrations: "run" | "check",
): Layer.Layer<ServerStore | Store, CommandError, WallTime> =>
  location._tag === "Memory" ? memory : database(location, migrations)
