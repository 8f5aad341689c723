/** Where this process keeps everything: the store, and what the start has to know beside it. */
import { MemoryStore } from "@countersign/adapter-memory"
import { type Connection, PostgresStore } from "@countersign/adapter-postgres"
import type { WallTime } from "@countersign/core/ports"
import { Store } from "@countersign/core/store"
import { Context, Effect, Layer } from "effect"
import * as Database from "./Database.ts"
import { type DatabaseUnusable, databaseProblem, schemaProblem } from "./DatabaseProblem.ts"
import { placeName, type StorePlace } from "./StorePlace.ts"

export class Keeping extends Context.Service<
  Keeping,
  {
    readonly place: StorePlace
    /** The client id of the oldest platform; `undefined`: there is none. */
    readonly firstClientId: Effect.Effect<string | undefined, DatabaseUnusable>
  }
>()("@countersign/adapter-http/Keeping") {}

const firstClientId = (place: StorePlace, connection: Connection) =>
  Effect.tryPromise({
    try: () =>
      connection.query({
        text: `select data->>'clientId' from countersign.api_token where data->>'isDeleted' = 'false'
          order by created_at, id limit 1`,
        values: [],
      }),
    catch: (cause) => databaseProblem(placeName(place), cause),
  }).pipe(Effect.map(([found]) => found ?? undefined))

const memory = Layer.merge(
  MemoryStore.layer,
  Layer.succeed(Keeping, { place: { _tag: "Memory" }, firstClientId: Effect.undefined }),
)

const database = (place: Database.DatabasePlace, migrations: "run" | "check") =>
  Layer.effectContext(
    Effect.gen(function* () {
      const connection = yield* Database.open(place)
      const built = yield* Layer.build(PostgresStore.layer({ connection, migrations })).pipe(
        Effect.mapError(schemaProblem(placeName(place))),
      )
      return Context.make(Store, Context.get(built, Store)).pipe(
        Context.add(Keeping, { place, firstClientId: firstClientId(place, connection) }),
      )
    }).pipe(Database.announced(place)),
  )

export const layer = (
  place: StorePlace,
  migrations: "run" | "check",
): Layer.Layer<Keeping | Store, DatabaseUnusable, WallTime> =>
  place._tag === "Memory" ? memory : database(place, migrations)
