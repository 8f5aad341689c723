/**
 * Migrates a database to the schema of this release, or reports why it cannot. If several processes start at once, one of them migrates.
 * Source: architecture, "The Store port" (PostgreSQL); D-060, D-061.
 */
import { createHash } from "node:crypto"
import { Data, Effect } from "effect"
import type { Connection, Session } from "../connection/Connection.ts"
import * as DatabaseReasons from "../connection/DatabaseReasons.ts"
import * as SqlFiles from "../sql/SqlFiles.ts"
import * as KindColumns from "./KindColumns.ts"
import * as ListIndexes from "./ListIndexes.ts"
import type { Migration } from "./Migration.ts"
import * as OwnerKeys from "./OwnerKeys.ts"
import * as ReleaseFunctions from "./ReleaseFunctions.ts"
import { exclusively, inShortTransaction } from "./Steps.ts"

export const migrations: ReadonlyArray<Migration> = [
  { version: 1, name: "foundation", sql: SqlFiles.foundation },
  { version: 2, name: "delivery attempts", sql: SqlFiles.deliveryAttempts },
]

/** The schema of the database is not the one that this release needs. */
export class SchemaMismatch extends Data.TaggedError("SchemaMismatch")<{ readonly message: string }> {}

/** The database could not be reached or rejected a statement. */
export class MigrationFailed extends Data.TaggedError("MigrationFailed")<{ readonly cause: unknown }> {
  override get message(): string {
    return `the database cannot be used: ${DatabaseReasons.reasonOf(this.cause)}`
  }
}

const checksumOf = ({ sql }: Migration): string => createHash("sha256").update(sql).digest("hex")

interface Applied {
  readonly version: number
  readonly checksum: string
}

/** Reads the applied migrations; `undefined` if the database has no schema. */
const appliedMigrations = async (session: Session): Promise<ReadonlyArray<Applied> | undefined> => {
  const [found] = await session.query({
    text: "select to_regclass('countersign.schema_version')::text",
    values: [],
  })
  if (found === null || found === undefined) return undefined
  const [rows] = await session.query({
    text: "select coalesce(json_agg(json_build_object('version', version, 'checksum', checksum) order by version), '[]')::text from countersign.schema_version",
    values: [],
  })
  return JSON.parse(rows ?? "[]") as ReadonlyArray<Applied>
}

const problemOf = (applied: ReadonlyArray<Applied>): string | undefined => {
  for (const { checksum, version } of applied) {
    const known = migrations.find((migration) => migration.version === version)
    if (known === undefined)
      return `the database has schema ${version}, and this release knows ${migrations.length}: use a newer release`
    if (checksumOf(known) !== checksum)
      return `schema ${version} of the database was made by another text of ${known.name}`
  }
  return undefined
}

const versionTable = `
create schema if not exists countersign;
create table if not exists countersign.schema_version (
  version int primary key, name text not null, checksum text not null, applied_at timestamptz not null default now());`

/** Makes an empty schema for the migrations. */
export const begin = (session: Session): Promise<void> =>
  inShortTransaction(session, () => session.script(versionTable))

const migrate = async (session: Session, isSingleProcess: boolean) => {
  const isComplete = (await mismatch(session)) === undefined
  if (isComplete && !(await KindColumns.hasUnfilledFields(session)) && !(await OwnerKeys.exist(session))) return
  await exclusively(session, async () => {
    await inShortTransaction(session, async () => {
      const before = await appliedMigrations(session)
      const problem = problemOf(before ?? [])
      if (problem !== undefined) throw new SchemaMismatch({ message: problem })
      if (before === undefined) await session.script(versionTable)
      for (const migration of migrations) {
        if (before?.some(({ version }) => version === migration.version) === true) continue
        await session.script(migration.sql)
        await session.query({
          text: "insert into schema_version (version, name, checksum) values ($1::int, $2, $3)",
          values: [migration.version, migration.name, checksumOf(migration)],
        })
      }
      await KindColumns.createTables(session)
    })
    await OwnerKeys.drop(session)
    await KindColumns.addFields(session)
    await ListIndexes.create(session)
    await ReleaseFunctions.create(session)
    // A process of another release needs that release's functions to write. Without them the roll-out has ended.
    if (isSingleProcess || !(await ReleaseFunctions.hasOthers(session))) await endRollOut(session)
  })
}

/** Removes what processes of other releases need, and returns how many functions it dropped. */
const endRollOut = async (session: Session): Promise<number> => {
  const dropped = await ReleaseFunctions.dropOthers(session)
  await KindColumns.endRollOut(session)
  await ListIndexes.endRollOut(session)
  return dropped
}

/** The reason why this release cannot use the schema; `undefined` if it can. */
const mismatch = async (session: Session): Promise<string | undefined> => {
  const applied = await appliedMigrations(session)
  const problem = applied && problemOf(applied)
  if (problem !== undefined) return problem
  if (applied === undefined || applied.length < migrations.length) {
    return `the database has schema ${applied?.length ?? "none"}, and this release needs ${migrations.length}: migrate it`
  }
  const columns = [...(await KindColumns.missing(session)), ...(await ListIndexes.missing(session))]
  if (columns.length > 0) return `the database has no ${columns.join(", ")}, or is still filling it: migrate it`
  if (!(await ReleaseFunctions.exist(session))) {
    return "the database lacks this release's functions: migrate it"
  }
  return undefined
}

const verify = async (session: Session) => {
  const problem = await mismatch(session)
  if (problem !== undefined) throw new SchemaMismatch({ message: problem })
}

const attempt = <A>(work: () => Promise<A>) =>
  Effect.tryPromise({
    try: work,
    catch: (cause) => (cause instanceof SchemaMismatch ? cause : new MigrationFailed({ cause })),
  })

type Failure = SchemaMismatch | MigrationFailed

/** Applies what is missing while other processes work. Rejects a schema that is newer or was altered. */
export const run = (connection: Connection): Effect.Effect<void, Failure> =>
  attempt(() => connection.session((session) => migrate(session, connection.isSingleProcess === true)))

/** Fails unless the schema is the one of this release; changes nothing. */
export const check = (connection: Connection): Effect.Effect<void, Failure> => attempt(() => connection.session(verify))

/**
 * Ends a roll-out: removes what processes of other releases need. Run it when none of them is left. Returns how many functions it
 * dropped.
 */
export const contract = (connection: Connection): Effect.Effect<number, Failure> =>
  attempt(() =>
    connection.session(async (session) => {
      await verify(session)
      return exclusively(session, () => endRollOut(session))
    }),
  )
