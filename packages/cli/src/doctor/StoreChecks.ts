/** What can be wrong with the store: its location, permissions, and schema version. Source: D-459. */
import { access, constants, stat } from "node:fs/promises"
import { dirname, join, resolve } from "node:path"
import type { Connection } from "@countersign/adapter-postgres"
import { WallTime } from "@countersign/core/ports"
import { Effect, Layer } from "effect"
import * as Database from "../Database.ts"
import { schemaProblem } from "../DatabaseProblem.ts"
import { versionOf } from "../Migrate.ts"
import { locationName, type StoreLocation } from "../StoreLocation.ts"
import { type Finding, ok, problem, warning } from "./Finding.ts"

/** Files of a folder that only its owner may read. */
const secretFiles = ["webhook-key.pem", "wallet-secret"]

const modeOf = (path: string) =>
  Effect.promise(() =>
    stat(path).then(
      ({ mode }) => mode,
      () => undefined,
    ),
  )

const isWritable = (path: string) =>
  Effect.promise(() =>
    access(path, constants.W_OK).then(
      () => true,
      () => false,
    ),
  )

/** The nearest folder that exists. */
const existingParent = Effect.fnUntraced(function* (path: string) {
  let parent = dirname(resolve(path))
  while ((yield* modeOf(parent)) === undefined && parent !== dirname(parent)) parent = dirname(parent)
  return parent
})

const checkSecretFiles = Effect.fnUntraced(function* (folder: string) {
  const exposed: Array<string> = []
  for (const name of secretFiles) {
    const mode = yield* modeOf(join(folder, name))
    if (mode !== undefined && (mode & 0o077) !== 0) exposed.push(join(folder, name))
  }
  return process.platform === "win32" || exposed.length === 0
    ? ok("permissions", "only you can read the secrets of the folder")
    : problem("permissions", `other users can read ${exposed.join(" and ")}`, `chmod 600 ${exposed.join(" ")}`)
})

const checkSchema = (location: StoreLocation, connection: Connection) =>
  Effect.gen(function* () {
    const { CellMigrations, PostgresStore } = yield* Database.adapter
    const [first = connection] = yield* CellMigrations.connections(connection)
    const version = yield* Effect.tryPromise(() => versionOf(first))
    if (version === undefined) return ok("schema", "none yet: the first start creates it")
    yield* Layer.build(PostgresStore.layer({ connection, migrations: "check" }))
    return ok("schema", `version ${version}, that of this release`)
  }).pipe(
    Effect.provide(WallTime.layerClock),
    Effect.catchTags({
      UnknownError: () =>
        Effect.succeed(problem("schema", "its version cannot be read", "check the permissions of the database's user")),
    }),
    Effect.catch((error) =>
      Effect.succeed(
        problem(
          "schema",
          schemaProblem(locationName(location))(error).message,
          "run `countersign migrate`, or start the release that this schema belongs to",
        ),
      ),
    ),
  )

const checkFolder = Effect.fnUntraced(function* (location: Extract<StoreLocation, { readonly _tag: "Folder" }>) {
  const { folder } = location
  if ((yield* modeOf(folder)) === undefined) {
    const parent = yield* existingParent(folder)
    return [
      (yield* isWritable(parent))
        ? ok("store", `${folder} does not exist: the first start creates it`)
        : problem(
            "store",
            `${folder} cannot be created in ${parent}`,
            "name a folder that you may write with --store pglite:FOLDER",
          ),
    ]
  }
  if (!(yield* isWritable(folder))) {
    return [problem("store", `${folder} cannot be written`, `change its owner, or name another folder with --store`)]
  }
  const { PgliteFolder } = yield* Database.adapter
  const opened = PgliteFolder.open(folder).pipe(
    Effect.flatMap((connection) =>
      Effect.map(checkSchema(location, connection), (schema): ReadonlyArray<Finding> => [ok("store", folder), schema]),
    ),
    Effect.scoped,
    // A running server holds the folder: that is how it should be.
    Effect.catchTag("FolderInUse", ({ message }) =>
      Effect.succeed([ok("store", message.replace(/: stop it.*$/u, ""))]),
    ),
    Effect.catchTag("FolderUnusable", ({ message }) =>
      Effect.succeed([problem("store", message, "restore a backup of the folder, or name another one with --store")]),
    ),
  )
  return [...(yield* opened), yield* checkSecretFiles(folder)]
})

const checkServer = (location: Extract<StoreLocation, { readonly _tag: "Server" }>) =>
  Database.open(location).pipe(
    Effect.flatMap((connection) =>
      Effect.map(
        checkSchema(location, connection),
        (schema): ReadonlyArray<Finding> => [ok("store", locationName(location)), schema],
      ),
    ),
    Effect.scoped,
    Effect.catch(({ message }) =>
      Effect.succeed([problem("store", message, "start the database, and correct --store or PGPASSWORD")]),
    ),
  )

export const checkStore = (location: StoreLocation | undefined): Effect.Effect<ReadonlyArray<Finding>> => {
  if (location === undefined) return Effect.succeed([])
  if (location._tag === "Memory") {
    return Effect.succeed([
      warning("store", "memory, lost when the server ends", "name a folder with --store pglite:FOLDER"),
    ])
  }
  return location._tag === "Folder" ? checkFolder(location) : checkServer(location)
}
