/** Says in one line why a database cannot be used, without its password. */
import { DatabaseReasons, type Migrations } from "@countersign/adapter-postgres"
import { Data } from "effect"

export class DatabaseUnusable extends Data.TaggedError("DatabaseUnusable")<{ readonly message: string }> {}

export const databaseProblem = (place: string, error: unknown): DatabaseUnusable => {
  return new DatabaseUnusable({ message: `cannot use ${place}: ${DatabaseReasons.reasonOf(error)}` })
}

/** Why the schema of a database could not be brought, or is not, where this release needs it. */
export const schemaProblem =
  (place: string) =>
  (error: Migrations.SchemaMismatch | Migrations.MigrationFailed): DatabaseUnusable =>
    error._tag === "SchemaMismatch"
      ? new DatabaseUnusable({ message: `cannot use ${place}: ${error.message}` })
      : databaseProblem(place, error.cause)
