/**
 * The empty database cluster of a new folder: unpacked from the package, because initializing one takes several seconds of processor time.
 * Source: D-433.
 */
import { existsSync } from "node:fs"
import { mkdir, open, readFile, rename, rm, writeFile } from "node:fs/promises"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import { deserialize } from "node:v8"
import { zstdDecompressSync } from "node:zlib"

/** A cluster by the paths of its files, and its empty folders; `scripts/cluster.mjs` writes it. */
interface Cluster {
  /** Of the PGlite that initialized it: another one may not read it. */
  readonly version: string
  readonly folders: ReadonlyArray<string>
  readonly files: ReadonlyMap<string, Uint8Array>
}

const packed = new URL("../../assets/cluster.zst", import.meta.url)

const isCluster = (value: unknown): value is Cluster =>
  value !== null && typeof value === "object" && "version" in value && "folders" in value && "files" in value

/** The version of the installed PGlite. */
const installed = async (): Promise<unknown> => {
  const entry = createRequire(import.meta.url).resolve("@electric-sql/pglite")
  return JSON.parse(await readFile(join(dirname(entry), "../package.json"), "utf8")).version
}

/** The packed cluster; `undefined` if the package has none that is whole and of the installed PGlite. */
const read = async (packed: URL): Promise<Cluster | undefined> => {
  try {
    const cluster: unknown = deserialize(zstdDecompressSync(await readFile(packed)))
    return isCluster(cluster) && cluster.version === (await installed()) ? cluster : undefined
  } catch {
    return undefined
  }
}

/** Bounds the open files. */
const syncedAtOnce = 64

/** Writes a file or folder through to the disk. */
const written = async (path: string): Promise<void> => {
  const opened = await open(path, "r")
  try {
    await opened.sync()
  } finally {
    await opened.close()
  }
}

/**
 * Makes the folder `path` of a database that does not exist. It appears as a whole: a process that is killed leaves its beginning, which
 * the next one removes. Without a packed cluster it stays absent, and PGlite initializes it.
 */
export const make = async (path: string, from: URL = packed): Promise<void> => {
  if (existsSync(path)) return
  const cluster = await read(from)
  if (cluster === undefined) return
  const beginning = `${path}.new`
  await rm(beginning, { recursive: true, force: true })
  const folders = ["", ...cluster.folders].map((folder) => join(beginning, folder))
  for (const folder of folders) await mkdir(folder, { recursive: true, mode: 0o700 })
  for (const [file, content] of cluster.files) await writeFile(join(beginning, file), content, { mode: 0o600 })
  const paths = [...[...cluster.files.keys()].map((file) => join(beginning, file)), ...folders]
  for (let at = 0; at < paths.length; at += syncedAtOnce)
    await Promise.all(paths.slice(at, at + syncedAtOnce).map(written))
  await rename(beginning, path)
  await written(dirname(path))
}
