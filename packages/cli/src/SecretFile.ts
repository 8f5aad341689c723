/** A secret in a file beside the database of a folder: the first start generates it, later starts read it. */
import { readFile, rename, writeFile } from "node:fs/promises"

/** Returns the secret of the file, and generates it if the file does not exist. The caller holds the folder's lock. */
export const readOrCreateSecret = async (path: string, generate: () => string): Promise<string> => {
  try {
    return await readFile(path, "utf8")
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ENOENT")) throw error
  }
  const secret = generate()
  // The rename writes the file atomically; only its owner may read it.
  await writeFile(`${path}.new`, secret, { mode: 0o600 })
  await rename(`${path}.new`, path)
  return secret
}
