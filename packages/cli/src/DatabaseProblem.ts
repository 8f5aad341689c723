/** Describes in one line why a database cannot be used, without its password. */
import { DatabaseReasons, type Migrations } from "@countersign/adapter-postgres"
import { Data } from "effect"

export class DatabaseUnusable extends Data.TaggedError("DatabaseUnusable")<{ readonly message: string }> {}

export const databaseProblem = (location: string, error: unknown): DatabaseUnusable =>
  new DatabaseUnusable({ message: `cannot use ${location}: ${DatabaseReasons.reasonOf(error)}` })

/** Describes why the schema of a database could not be migrated to this release, or differs from it. */
export const schemaProblem =
  (location: string) =>
  (error: Migrations.SchemaMismatch | Migrations.MigrationFailed): DatabaseUnusable =>
    error._tag === "SchemaMismatch"
      ? new DatabaseUnusable({ message: `cannot use ${location}: ${error.message}` })
      : databaseProblem(location, error.cause)
