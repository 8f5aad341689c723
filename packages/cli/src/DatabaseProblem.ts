/** Describes in one line why a database cannot be used, without its password. */
import type { Migrations } from "@countersign/adapter-postgres"
import { reasonOf } from "@countersign/adapter-postgres/preflight"
import { type CommandError, schemaError, storeError } from "./CommandError.ts"

export const databaseProblem = (location: string, error: unknown): CommandError =>
  storeError(`cannot use ${location}: ${reasonOf(error)}`)

/** Describes why the schema of a database could not be migrated to this release, or differs from it. */
export const schemaProblem =
  (location: string) =>
  (error: Migrations.SchemaMismatch | Migrations.MigrationFailed): CommandError =>
    error._tag === "SchemaMismatch"
      ? schemaError(`cannot use ${location}: ${error.message}`)
      : databaseProblem(location, error.cause)
