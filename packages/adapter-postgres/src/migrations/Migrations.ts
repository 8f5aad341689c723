/**
 * Brings a database to the schema of this release, or tells why not. Several processes may start at once: one of them migrates.
 * Source: architecture, "The Store port" (PostgreSQL); D-060, D-061.
 */
import { createHash } from "node:crypto"
import { Data, Effect } from "effect"
import type { Connection, Session } from "../connection/Connection.ts"
import * as DatabaseReasons from "../connection/DatabaseReasons.ts"
import { foundation } from "./0001_foundation.ts"
import * as KindColumns from "./KindColumns.ts"
import type { Migration } from "./Migration.ts"
import * as ReleaseFunctions from "./ReleaseFunctions.ts"
import { alone, shortly } from "./Steps.ts"

export const migrations: ReadonlyArray<Migration> = [foundation]

/** The database's schema is not the one that this release works with. */
export class SchemaMismatch extends Data.TaggedError("SchemaMismatch")<{ readonly message: string }> {}

/** The database could not be reached, or refused a statement. */
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

/** The applied steps; `undefined` where there is no schema. */
const applied = async (session: Session): Promise<ReadonlyArray<Applied> | undefined> => {
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

const problemOf = (found: ReadonlyArray<Applied>): string | undefined => {
  for (const { checksum, version } of found) {
    const known = migrations.find((migration) => migration.version === version)
    if (known === undefined)
      return `the database has schema ${version}, and this release knows ${migrations.length}: use a newer release`
    if (checksumOf(known) !== checksum)
      return `schema ${version} of the database was made by another text of ${known.name}`
  }
  return undefined
}

const table = `
create schema if not exists countersign;
create table if not exists countersign.schema_version (
  version int primary key, name text not null, checksum text not null, applied_at timestamptz not null default now());`

const migrate = async (session: Session, isAlone: boolean) => {
  if ((await mismatch(session)) === undefined && !(await KindColumns.isOpen(session))) return
  await alone(session, async () => {
    await shortly(session, async () => {
      const before = await applied(session)
      const problem = problemOf(before ?? [])
      if (problem !== undefined) throw new SchemaMismatch({ message: problem })
      if (before === undefined) await session.script(table)
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
    await KindColumns.bringInStep(session)
    await ReleaseFunctions.create(session)
    // Without functions of its own no process of another release can write.
    if (isAlone || !(await ReleaseFunctions.hasOthers(session))) await end(session)
  })
}

/** Nobody of another release is there any more. */
const end = async (session: Session): Promise<number> => {
  const dropped = await ReleaseFunctions.dropOthers(session)
  await KindColumns.close(session)
  return dropped
}

/** Why this release cannot work with the schema, if it cannot. */
const mismatch = async (session: Session): Promise<string | undefined> => {
  const found = await applied(session)
  const problem = found && problemOf(found)
  if (problem !== undefined) return problem
  if (found === undefined || found.length < migrations.length) {
    return `the database has schema ${found?.length ?? "none"}, and this release needs ${migrations.length}: migrate it`
  }
  const columns = await KindColumns.missing(session)
  if (columns.length > 0) return `the database has no ${columns.join(", ")}, or is still filling it: migrate it`
  if (!(await ReleaseFunctions.areThere(session))) {
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

/** Applies what is missing, while processes work; a schema that is newer or was altered is refused. */
export const run = (connection: Connection): Effect.Effect<void, Failure> =>
  attempt(() => connection.session((session) => migrate(session, connection.isAlone === true)))

/** Changes nothing: fails unless the schema is the one of this release. */
export const check = (connection: Connection): Effect.Effect<void, Failure> => attempt(() => connection.session(verify))

/**
 * Ends a roll-out: takes away what processes of other releases need. To be run when none of them is left; answers how many functions
 * went.
 */
export const contract = (connection: Connection): Effect.Effect<number, Failure> =>
  attempt(() =>
    connection.session(async (session) => {
      await verify(session)
      return alone(session, () => end(session))
    }),
  )
