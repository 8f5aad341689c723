/** The store of this process, and its location for the start. */
import { MemoryStore, MemoryVault } from "@countersign/adapter-memory"
import { type Connection, PostgresStore, PostgresVault } from "@countersign/adapter-postgres"
import { DocumentVault, type WallTime } from "@countersign/core/ports"
import { Store } from "@countersign/core/store"
import { Context, Effect, Layer } from "effect"
import type { CommandError } from "./CommandError.ts"
import * as Database from "./Database.ts"
import { databaseProblem, schemaProblem } from "./DatabaseProblem.ts"
import { locationName, type StoreLocation } from "./StoreLocation.ts"

export class ServerStore extends Context.Service<
  ServerStore,
  {
    readonly location: StoreLocation
    /** Client id of the oldest platform; `undefined` if the store has no platform. */
    readonly firstClientId: Effect.Effect<string | undefined, CommandError>
  }
>()("countersign/ServerStore") {}

const firstClientIdIn = (location: StoreLocation, connection: Connection) =>
  Effect.tryPromise({
    try: () =>
      connection.query({
        text: `select data->>'clientId' from countersign.api_token where data->>'isDeleted' = 'false'
          order by created_at, id limit 1`,
        values: [],
      }),
    catch: (cause) => databaseProblem(locationName(location), cause),
  }).pipe(Effect.map(([clientId]) => clientId ?? undefined))

const memory = Layer.mergeAll(
  MemoryStore.layer,
  MemoryVault.layer,
  Layer.succeed(ServerStore, { location: { _tag: "Memory" }, firstClientId: Effect.undefined }),
)

const database = (location: Database.DatabaseLocation, migrations: "run" | "check") =>
  Layer.effectContext(
    Effect.gen(function* () {
      const connection = yield* Database.open(location)
      const context = yield* Layer.build(PostgresStore.layer({ connection, migrations })).pipe(
        Effect.mapError(schemaProblem(locationName(location))),
      )
      return Context.make(Store, Context.get(context, Store)).pipe(
        Context.add(DocumentVault, PostgresVault.make(connection)),
        Context.add(ServerStore, { location, firstClientId: firstClientIdIn(location, connection) }),
      )
    }).pipe(Database.withOpeningNotice(location)),
  )

export const layer = (
  location: StoreLocation,
  migrations: "run" | "check",
): Layer.Layer<ServerStore | Store | DocumentVault, CommandError, WallTime> =>
  location._tag === "Memory" ? memory : database(location, migrations)
