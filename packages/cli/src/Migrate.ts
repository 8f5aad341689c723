/** `countersign migrate`: migrates a database to the schema of this release, and prints the version before and after. */
import type { Connection } from "@countersign/adapter-postgres"
import { Effect } from "effect"
import type { CheckedValues } from "./CheckedFlags.ts"
import { usageError } from "./CommandError.ts"
import { checkedOptions } from "./CommandOptions.ts"
import * as Database from "./Database.ts"
import { databaseProblem, schemaProblem } from "./DatabaseProblem.ts"
import { print } from "./output/Print.ts"
import { locationName } from "./StoreLocation.ts"
import { cellsNeed, lacksCells, ownLocation, type StoreOptions } from "./StoreOption.ts"

/** Returns the schema version of the database, or `undefined` if it has no schema. */
export const versionOf = async (connection: Connection): Promise<number | undefined> => {
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

export interface MigrateOptions extends StoreOptions {
  readonly json: boolean
  readonly contract: boolean
}

export const run = Effect.fnUntraced(function* (values: CheckedValues<MigrateOptions>) {
  const options = yield* checkedOptions(values)
  const { contract, json } = options
  const location = yield* ownLocation(options)
  if (lacksCells(options)) return yield* usageError(`--cells ${cellsNeed}`)
  if (location._tag === "Memory") return yield* usageError("--store memory has no schema to migrate")
  const name = locationName(location)
  const { CellMigrations } = yield* Database.adapter
  const connection = yield* Database.withOpeningNotice(location)(Database.open(location))
  const cells = location._tag === "Server" ? location.cells : undefined
  const problem = schemaProblem(name)
  const [first = connection] = yield* CellMigrations.connections(connection, cells).pipe(Effect.mapError(problem))
  const version = Effect.tryPromise({
    try: () => versionOf(first),
    catch: (cause) => databaseProblem(name, cause),
  })
  const before = yield* version
  const { cells: migrated } = yield* CellMigrations.run(connection, cells).pipe(Effect.mapError(problem))
  const after = yield* version
  const contracted = contract
    ? yield* CellMigrations.contract(connection, cells).pipe(Effect.mapError(problem))
    : undefined
  const answer = {
    store: name,
    before: before ?? null,
    now: after ?? null,
    cells: migrated.length,
    ...(contracted === undefined ? {} : { removedFunctions: contracted }),
  }
  yield* print(json, answer, () =>
    [
      `store          ${name}`,
      `schema before  ${before ?? "none"}`,
      `schema now     ${after ?? "none"}${before === after ? ", unchanged" : ""}`,
      ...(migrated.length === 1 ? [] : [`cells          ${migrated.length}`]),
      ...(contracted === undefined ? [] : [`removed        ${contracted} functions of other releases`]),
    ].join("\n"),
  )
}, Effect.scoped)
