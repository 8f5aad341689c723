/** Digests of files, in the format that `sha256sum --check` reads. */
import { createHash } from "node:crypto"
import { readFile } from "node:fs/promises"
import { basename } from "node:path"

export const digestOf = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex")

/** Returns a line for each file, in the order of their names. */
export const checksumsOf = async (paths: ReadonlyArray<string>): Promise<string> => {
  const sorted = paths.toSorted((a, b) => (basename(a) < basename(b) ? -1 : 1))
  const lines = await Promise.all(sorted.map(async (path) => `${digestOf(await readFile(path))}  ${basename(path)}\n`))
  return lines.join("")
}
