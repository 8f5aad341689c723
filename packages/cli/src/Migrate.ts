/** `countersign migrate`: brings a database to the schema of this release, and says from where to where. */
import { type Connection, Migrations } from "@countersign/adapter-postgres"
import { Console, Effect } from "effect"
import * as Database from "./Database.ts"
import { databaseProblem, schemaProblem } from "./DatabaseProblem.ts"
import { placeGiven } from "./StoreGiven.ts"
import { placeName } from "./StorePlace.ts"
import { usageError } from "./UsageError.ts"

/** The number of the database's schema; `undefined`: it has none. */
const versionOf = async (connection: Connection): Promise<number | undefined> => {
  const [table] = await connection.query({
    text: "select to_regclass('countersign.schema_version')::text",
    values: [],
  })
  if (table === null || table === undefined) return undefined
  const [version] = await connection.query({
    text: "select max(version)::text from countersign.schema_version",
    values: [],
  })
  return version === null || version === undefined ? undefined : Number(version)
}

export const run = Effect.fnUntraced(
  function* ({ contract, store }: { readonly contract: boolean; readonly store: string }) {
    const place = yield* placeGiven(store)
    if (place._tag === "Memory") return yield* usageError("--store memory has no schema to migrate")
    const name = placeName(place)
    const connection = yield* Database.announced(place)(Database.open(place))
    const version = Effect.tryPromise({
      try: () => versionOf(connection),
      catch: (cause) => databaseProblem(name, cause),
    })
    const before = yield* version
    yield* Migrations.run(connection).pipe(Effect.mapError(schemaProblem(name)))
    const after = yield* version
    const contracted = contract
      ? yield* Migrations.contract(connection).pipe(Effect.mapError(schemaProblem(name)))
      : undefined
    yield* Console.log(
      [
        `kept in        ${name}`,
        `schema before  ${before ?? "none"}`,
        `schema now     ${after ?? "none"}${before === after ? ", as it was" : ""}`,
        ...(contracted === undefined ? [] : [`taken away     ${contracted} functions of other releases`]),
      ].join("\n"),
    )
  },
  Effect.scoped,
  Effect.catchTag("DatabaseUnusable", (error) => Effect.fail(usageError(error.message))),
)
