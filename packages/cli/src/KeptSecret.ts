/** A secret in a file of its own beside the database of a folder: drawn at the first start, read at every other. */
import { readFile, rename, writeFile } from "node:fs/promises"

/** The file's secret, drawn where there is none yet. Whoever calls holds the folder's lock. */
export const keptSecret = async (path: string, draw: () => string): Promise<string> => {
  try {
    return await readFile(path, "utf8")
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ENOENT")) throw error
  }
  const secret = draw()
  // Whole or not at all, and for nobody else to read.
  await writeFile(`${path}.new`, secret, { mode: 0o600 })
  await rename(`${path}.new`, path)
  return secret
}
