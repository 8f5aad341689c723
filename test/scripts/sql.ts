/**
 * Writes the TypeScript module of the PostgreSQL adapter's SQL files: `npm run sql`. With `--check` it only reports whether the module
 * is in step with them.
 * Source: architecture, "Layers are folders" (adapter-postgres: SQL functions as `.sql` files).
 */
import { readFileSync, writeFileSync } from "node:fs"
import { moduleFile, moduleText, sqlFiles } from "../src/adapter-postgres/SqlModule.ts"

const text = moduleText(sqlFiles())
if (!process.argv.includes("--check")) {
  writeFileSync(moduleFile, text)
  console.log(`${text.length} characters in packages/adapter-postgres/src/sql/SqlFiles.ts`)
} else if (readFileSync(moduleFile, "utf8") !== text) {
  console.error("packages/adapter-postgres/src/sql/SqlFiles.ts differs from the SQL files: npm run sql")
  process.exitCode = 1
}
