/**
 * Packs an empty database cluster of PGlite into `assets/cluster.zst`, from which new folders are made. `npm ci` and `npm pack` run it.
 * Source: D-433.
 */
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs"
import { tmpdir } from "node:os"
import { join, relative } from "node:path"
import { fileURLToPath } from "node:url"
import { deserialize, serialize } from "node:v8"
import { constants, zstdCompressSync, zstdDecompressSync } from "node:zlib"

const target = fileURLToPath(new URL("../assets/cluster.zst", import.meta.url))

const installed = async () => {
  try {
    return await import("@electric-sql/pglite")
  } catch {
    return undefined
  }
}

const versionOf = () => {
  const entry = fileURLToPath(import.meta.resolve("@electric-sql/pglite"))
  return JSON.parse(readFileSync(join(entry, "../../package.json"), "utf8")).version
}

/** Whether the cluster is of this version, and whole. */
const isCurrent = (version) => {
  try {
    return deserialize(zstdDecompressSync(readFileSync(target))).version === version
  } catch {
    return false
  }
}

const pack = (folder, version) => {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true })
  const pathOf = (entry) => relative(folder, join(entry.parentPath, entry.name))
  const folders = entries.filter((entry) => entry.isDirectory()).map(pathOf)
  const files = entries
    .filter((entry) => entry.isFile() && entry.name !== "postmaster.pid")
    .map((entry) => [pathOf(entry), readFileSync(join(entry.parentPath, entry.name))])
  return zstdCompressSync(serialize({ version, folders, files: new Map(files) }), {
    params: { [constants.ZSTD_c_compressionLevel]: 12 },
  })
}

const pglite = await installed()
if (pglite === undefined) {
  console.log("@electric-sql/pglite is not installed: a new folder initializes its own database")
} else if (!existsSync(target) || !isCurrent(versionOf())) {
  const folder = mkdtempSync(join(tmpdir(), "countersign-cluster-"))
  try {
    const database = await pglite.PGlite.create(join(folder, "data"))
    await database.exec("CHECKPOINT")
    await database.close()
    mkdirSync(join(target, ".."), { recursive: true })
    writeFileSync(`${target}.new`, pack(join(folder, "data"), versionOf()))
    renameSync(`${target}.new`, target)
  } finally {
    rmSync(folder, { recursive: true })
  }
}
