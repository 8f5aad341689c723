/** Packs the published packages of a checkout with their own build, and compares what two checkouts made. */
import { mkdir, mkdtemp, readdir, readFile, rm, stat } from "node:fs/promises"
import { tmpdir } from "node:os"
import { basename, join } from "node:path"
import { execute } from "../packages/Packed.ts"
import { digestOf } from "./Checksums.ts"

/**
 * Files that each build makes anew: the system identifier of a database cluster is random, and the compiler writes the inferred unions of the
 * contract's groups in an order of its own at each run.
 */
export const unlike: ReadonlyMap<string, RegExp> = new Map([
  ["countersign-adapter-postgres", /^assets\/cluster\.zst$/u],
  ["countersign-client", /^dist\/api\/\w+\.d\.ts(?:\.map)?$/u],
])

/** Whether a file of a tarball is one of those. */
const isUnlike = (tarball: string, path: string) =>
  unlike.get(basename(tarball).replace(/-\d[^-]*\.tgz$/u, ""))?.test(path) === true

/** Packs every workspace of `packages` into `into`; each runs its `prepack`. Returns the paths in order. */
export const packInto = async (checkout: string, into: string): Promise<ReadonlyArray<string>> => {
  await mkdir(into, { recursive: true })
  // A pack beside others builds beside them: once before is enough.
  await execute("tsc", ["-b"], { cwd: checkout })
  const words = ["pack", "--silent", "--workspace", "packages", "--pack-destination", into]
  await execute("npm", words, { cwd: checkout })
  const names = (await readdir(into)).filter((name) => name.endsWith(".tgz"))
  return names.toSorted().map((name) => join(into, name))
}

/** Returns the digest of each file in a tarball, by its path in the package. */
export const filesOf = async (tarball: string): Promise<ReadonlyMap<string, string>> => {
  const folder = await mkdtemp(join(tmpdir(), "countersign-tarball-"))
  try {
    await execute("tar", ["-xzf", tarball, "-C", folder], { cwd: folder })
    const files = new Map<string, string>()
    for (const entry of (await readdir(folder, { recursive: true })).toSorted()) {
      const path = join(folder, entry)
      if ((await stat(path)).isFile()) files.set(entry.slice("package/".length), digestOf(await readFile(path)))
    }
    return files
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Names the files in which two tarballs differ, without those that each build makes anew. */
export const differencesOf = async (one: string, other: string): Promise<ReadonlyArray<string>> => {
  if (digestOf(await readFile(one)) === digestOf(await readFile(other))) return []
  const [left, right] = [await filesOf(one), await filesOf(other)]
  const paths = [...new Set([...left.keys(), ...right.keys()])]
  const found = paths.filter((path) => left.get(path) !== right.get(path))
  const reported = found.length === 0 ? ["the archive, though its files are the same"] : found
  return reported.filter((path) => !isUnlike(one, path)).map((path) => `${basename(one)}: ${path}`)
}
