/**
 * Brings a database to the schema of this release, or tells why not. Several processes may start at once: one of them migrates.
 * Source: architecture, "The Store port" (PostgreSQL).
 */
import { createHash } from "node:crypto"
import { Data, Effect } from "effect"
import type { Connection, Session } from "../connection/Connection.ts"
import { functions, functionsSql } from "../functions/Functions.ts"
import { foundation } from "./0001_foundation.ts"
import { retentionOfEvents } from "./0002_retention.ts"
import * as KindColumns from "./KindColumns.ts"
import type { Migration } from "./Migration.ts"

export const migrations: ReadonlyArray<Migration> = [foundation, retentionOfEvents]

/** The database's schema is not the one that this release works with. */
export class SchemaMismatch extends Data.TaggedError("SchemaMismatch")<{ readonly message: string }> {}

/** The database could not be reached, or refused a statement. */
export class MigrationFailed extends Data.TaggedError("MigrationFailed")<{ readonly cause: unknown }> {}

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

// Any number that nobody else is likely to lock.
const lock = "select pg_advisory_xact_lock(8462190537)"

const inTransaction = async <A>(session: Session, work: () => Promise<A>): Promise<A> => {
  await session.script("begin")
  try {
    const answer = await work()
    await session.script("commit")
    return answer
  } catch (error) {
    await session.script("rollback").catch(() => undefined)
    throw error
  }
}

const migrate = (session: Session) =>
  inTransaction(session, async () => {
    await session.script(lock)
    const before = await applied(session)
    const problem = problemOf(before ?? [])
    if (problem !== undefined) throw new SchemaMismatch({ message: problem })
    if (before === undefined) await session.script(table)
    await session.script("set local search_path = countersign")
    for (const migration of migrations) {
      if (before?.some(({ version }) => version === migration.version) === true) continue
      await session.script(migration.sql)
      await session.query({
        text: "insert into schema_version (version, name, checksum) values ($1::int, $2, $3)",
        values: [migration.version, migration.name, checksumOf(migration)],
      })
    }
    await KindColumns.bringInStep(session)
    if (!(await hasFunctions(session))) await session.script(functionsSql)
  })

const hasFunctions = async (session: Session): Promise<boolean> => {
  const found = await session.query({
    text: "select proname::text from pg_proc where pronamespace = 'countersign'::regnamespace",
    values: [],
  })
  return Object.values(functions).every((name) => found.includes(name.replace("countersign.", "")))
}

const verify = async (session: Session) => {
  const found = await applied(session)
  const problem = found && problemOf(found)
  if (problem !== undefined) throw new SchemaMismatch({ message: problem })
  if (found === undefined || found.length < migrations.length) {
    throw new SchemaMismatch({
      message: `the database has schema ${found?.length ?? "none"}, and this release needs ${migrations.length}: migrate it`,
    })
  }
  const columns = await KindColumns.missing(session)
  if (columns.length > 0) throw new SchemaMismatch({ message: `the database has no ${columns.join(", ")}: migrate it` })
  if (!(await hasFunctions(session)))
    throw new SchemaMismatch({ message: "the database lacks this release's functions: migrate it" })
}

const attempt = (work: () => Promise<void>) =>
  Effect.tryPromise({
    try: work,
    catch: (cause) => (cause instanceof SchemaMismatch ? cause : new MigrationFailed({ cause })),
  })

/** Applies what is missing; a schema that is newer or was altered is refused. */
export const run = (connection: Connection): Effect.Effect<void, SchemaMismatch | MigrationFailed> =>
  attempt(() => connection.session(migrate))

/** Changes nothing: fails unless the schema is the one of this release. */
export const check = (connection: Connection): Effect.Effect<void, SchemaMismatch | MigrationFailed> =>
  attempt(() => connection.session(verify))
