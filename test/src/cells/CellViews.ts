/**
 * Views over all cells of a store, in the schema and under the names of a store of one cell, for audits that read tables. What went over
 * bridges is left out: both its ends are entries of the same transfer.
 */
import type pg from "pg"
import { schemaOf } from "../../../packages/adapter-postgres/src/cells/Cells.ts"

const withoutBridges: Readonly<Record<string, string>> = {
  ledger_account: " where id not like 'bridge:%'",
  ledger_entry: " where account_id not like 'bridge:%'",
}

export const createCellViews = async (pool: pg.Pool, cells: number): Promise<void> => {
  const schemas = Array.from({ length: cells }, (_, cell) => schemaOf(cell, cells))
  const { rows } = await pool.query<{ readonly name: string }>(
    "select tablename as name from pg_tables where schemaname = $1 and tablename <> 'schema_version'",
    [schemas[0]],
  )
  const views = rows.map(({ name }) => {
    const parts = schemas.map((schema) => `select * from ${schema}."${name}"${withoutBridges[name] ?? ""}`)
    return `create view countersign."${name}" as ${parts.join(" union all ")}`
  })
  await pool.query(["create schema countersign", ...views].join("; "))
}
