/** The functions of the document vault, as plain calls: chunks are kept as bytes, and a file is erased alone, complete or not. Source: D-375. */
import assert from "node:assert/strict"
import type pg from "pg"
import { functions } from "../../../packages/adapter-postgres/src/functions/Functions.ts"
import type { FunctionCheck, FunctionParts } from "./FunctionParts.ts"

const { vaultAddChunk, vaultComplete, vaultErase } = functions

/** Two complete files of two chunks each, and one without an end. */
const arrange = async (pool: pg.Pool) => {
  await pool.query("delete from countersign.vault_chunk")
  await pool.query("delete from countersign.vault_file")
  for (const key of ["a", "b", "open"]) {
    for (const number of [0, 1])
      await pool.query(`select ${vaultAddChunk}($1, $2, $3)`, [
        key,
        number,
        Buffer.from(`${key}${number}`).toString("base64"),
      ])
    if (key !== "open") await pool.query(`select ${vaultComplete}($1, $2, $3)`, [key, 4, `sha of ${key}`])
  }
}

const rowsOf = async (pool: pg.Pool) => {
  const files = await pool.query("select key, size::int, sha256 from countersign.vault_file order by key")
  const chunks = await pool.query(
    "select key, convert_from(bytes, 'UTF8') as text from countersign.vault_chunk order by key, number",
  )
  return { files: files.rows, chunks: chunks.rows.map(({ key, text }) => `${key}: ${text}`) }
}

const fileOf = (key: string) => ({ key, size: 4, sha256: `sha of ${key}` })

type Erasure = readonly [what: string, key: string, files: ReadonlyArray<string>, chunks: ReadonlyArray<string>]

const erasures: ReadonlyArray<Erasure> = [
  ["a complete one", "a", ["b"], ["b: b0", "b: b1", "open: open0", "open: open1"]],
  ["one without an end", "open", ["a", "b"], ["a: a0", "a: a1", "b: b0", "b: b1"]],
  ["none that is not there", "c", ["a", "b"], ["a: a0", "a: a1", "b: b0", "b: b1", "open: open0", "open: open1"]],
]

/** Each call, on a vault that is empty at first. */
export const vaultRows = ({ pool }: Pick<FunctionParts, "pool">): ReadonlyArray<FunctionCheck> =>
  erasures.map(([what, erased, files, chunks]) => ({
    title: `of the files of the vault an erasure deletes ${what}`,
    run: async (): Promise<void> => {
      await arrange(pool)
      await pool.query(`select ${vaultErase}($1)`, [erased])
      assert.deepEqual(await rowsOf(pool), { files: files.map(fileOf), chunks })
    },
  }))
