/** The answers of a database that has the schema of this release, to the questions of a migration. */
import { createHash } from "node:crypto"
import { Migrations } from "@countersign/adapter-postgres"
import { functions } from "../../../packages/adapter-postgres/src/functions/Functions.ts"
import * as NewField from "../../../packages/adapter-postgres/src/migrations/NewField.ts"
import { kindTables } from "../../../packages/adapter-postgres/src/schema/KindTables.ts"
import { listIndexes } from "../../../packages/adapter-postgres/src/schema/ListIndexes.ts"
import type { Answers } from "../cells/FakeCluster.ts"

/** The part of the text of a question of a migration. */
export const asks = {
  hasSchema: "to_regclass('countersign.schema_version')",
  applied: "json_agg(json_build_object('version'",
  columns: "cross join lateral",
  indexes: "select c.relname::text from pg_index",
  listIndexes: "select t.relname || ' ' || c.relname",
  unfilled: "pg_trigger t join",
  functions: "select proname::text from pg_proc",
  otherFunctions: "select 1::text from pg_proc f",
  droppedFunctions: "f.oid::regprocedure",
  ownerKeys: "PRIMARY KEY (owner_id, id)",
  lock: "pg_try_advisory_lock",
} as const

export const applied = Migrations.migrations.map(({ sql, version }) => ({
  version,
  checksum: createHash("sha256").update(sql).digest("hex"),
}))
export const fieldNames = kindTables.flatMap(({ fields, table }) => fields.map(({ column }) => `${table}.${column}`))
export const columns = [...kindTables.map(({ table }) => `${table}.data`), ...fieldNames]
export const functionNames = Object.values(functions).map((name) => name.replace("countersign.", ""))

/** A database with the schema of this release, but for what a test says. */
export const complete = (more: Answers = {}): Answers => ({
  ...more,
  [asks.hasSchema]: ["countersign.schema_version"],
  [asks.applied]: [JSON.stringify(applied)],
  [asks.columns]: columns,
  [asks.indexes]: kindTables.flatMap(({ fields, table }) =>
    fields.filter(NewField.isIndexed).map((field) => NewField.indexName(table, field)),
  ),
  [asks.listIndexes]: listIndexes.map(({ name, table }) => `${table} ${name}`),
  [asks.functions]: functionNames,
  [asks.lock]: ["1"],
  ...more,
})
