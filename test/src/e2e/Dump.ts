/** All stored data of a deployment as text, the rows of its tables or the files of its folder, and a search for secrets in it. */
import { readdir, readFile } from "node:fs/promises"
import { join } from "node:path"
import type { ServerDatabase } from "./ServerDatabase.ts"

/** Every row of every table, except system tables. */
export const dump = async ({ pool }: Pick<ServerDatabase, "pool">): Promise<string> => {
  const tables = await pool.query<{ readonly name: string }>(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables
     where schemaname not in ('pg_catalog', 'information_schema')`,
  )
  const rows = await Promise.all(
    tables.rows.map(({ name }) => pool.query<{ readonly row: string }>(`select t::text as row from ${name} t`)),
  )
  return rows.flatMap((found) => found.rows.map(({ row }) => row)).join("\n")
}

/** Every file below a folder, byte for byte. */
export const contents = async (folder: string): Promise<string> => {
  const found = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = found.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  return (await Promise.all(files.map((file) => readFile(file, "latin1")))).join("\n")
}

/** Returns the names of the secrets that a text contains. */
export const clear = (
  text: string,
  secrets: Iterable<readonly [name: string, secret: string]>,
): ReadonlyArray<string> => [...secrets].flatMap(([name, secret]) => (text.includes(secret) ? [name] : []))
