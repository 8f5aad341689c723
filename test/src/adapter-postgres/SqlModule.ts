/**
 * Makes the TypeScript module that carries the SQL files of the PostgreSQL adapter, so that sources, packed packages and
 * bundles contain them.
 * Source: architecture, "Layers are folders" (adapter-postgres: SQL functions as `.sql` files).
 */
import { readdirSync, readFileSync } from "node:fs"

const folder = new URL("../../../packages/adapter-postgres/", import.meta.url)

/** The generated module. */
export const moduleFile = new URL("src/sql/SqlFiles.ts", folder)

export interface SqlFile {
  /** Below the package: `sql/functions/forget.sql`. */
  readonly path: string
  readonly text: string
}

/** All SQL files of the adapter, in the order of their paths. */
export const sqlFiles = (): ReadonlyArray<SqlFile> =>
  ["sql/functions", "sql/migrations"].flatMap((directory) =>
    readdirSync(new URL(`${directory}/`, folder))
      .filter((name) => name.endsWith(".sql"))
      .toSorted()
      .map((name) => ({
        path: `${directory}/${name}`,
        text: readFileSync(new URL(`${directory}/${name}`, folder), "utf8"),
      })),
  )

/** `0001_foundation.sql` becomes `foundation`, `commit_group.sql` becomes `commitGroup`. */
const exportName = (path: string): string =>
  path
    .replace(/^.*\/(?:\d+_)?/u, "")
    .replace(/\.sql$/u, "")
    .replaceAll(/_([a-z])/gu, (_, letter: string) => letter.toUpperCase())

/** The text of the module. */
export const moduleText = (files: ReadonlyArray<SqlFile>): string =>
  [
    "/** The texts of the SQL files, generated from `sql/`: npm run sql. */",
    ...files.map(({ path, text }) => `export const ${exportName(path)}: string = ${JSON.stringify(text)}`),
    "",
  ].join("\n")
