/**
 * The packed cluster of a new folder: whole, private, usable at once, and left alone where it does not fit.
 * Source: D-433.
 */
import { existsSync } from "node:fs"
import { mkdir, readdir, readFile, stat, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { deserialize, serialize } from "node:v8"
import { zstdCompressSync, zstdDecompressSync } from "node:zlib"
import { PGlite } from "@electric-sql/pglite"
import { describe, expect, it } from "vitest"
import * as NewCluster from "../../../packages/adapter-postgres/src/folder/NewCluster.ts"
import { newFolder } from "../e2e/Folder.ts"
import { repository } from "../e2e/ServerProcess.ts"

const packed = join(repository, "packages/adapter-postgres/assets/cluster.zst")

describe("the packed cluster", () => {
  it("becomes a database that only its owner can read", async () => {
    await using folder = await newFolder()
    const path = join(folder.path, "data")
    await NewCluster.make(path)
    expect(await readdir(folder.path)).toEqual(["data"])
    const entries = await readdir(path, { recursive: true, withFileTypes: true })
    const modes = await Promise.all(
      entries.map(async (entry) => (await stat(join(entry.parentPath, entry.name))).mode & 0o077),
    )
    expect(new Set(modes)).toEqual(new Set([0]))
    const database = await PGlite.create(path)
    expect(
      (await database.query("SELECT count(*)::int AS tables FROM pg_tables WHERE schemaname = 'public'")).rows,
    ).toEqual([{ tables: 0 }])
    await database.close()
  })

  it("replaces what a killed process began, and leaves a database that exists", async () => {
    await using folder = await newFolder()
    const path = join(folder.path, "data")
    await mkdir(`${path}.new`)
    await writeFile(join(`${path}.new`, "half"), "")
    await NewCluster.make(path)
    expect(await readdir(folder.path)).toEqual(["data"])
    expect(existsSync(join(path, "half"))).toBe(false)
    await writeFile(join(path, "mine"), "")
    await NewCluster.make(path)
    expect(existsSync(join(path, "mine"))).toBe(true)
  })

  const whole = async () => deserialize(zstdDecompressSync(await readFile(packed)))
  it.each([
    ["is absent", async () => undefined],
    ["is cut", async () => (await readFile(packed)).subarray(0, 100_000)],
    ["is something else", async () => zstdCompressSync(serialize({ version: 1 }))],
    ["is of another PGlite", async () => zstdCompressSync(serialize({ ...(await whole()), version: "0.0.1" }))],
  ])("is not used when it %s", async (_, contents) => {
    await using folder = await newFolder()
    const file = join(folder.path, "cluster.zst")
    const bytes = await contents()
    if (bytes !== undefined) await writeFile(file, bytes)
    await NewCluster.make(join(folder.path, "data"), pathToFileURL(file))
    expect(existsSync(join(folder.path, "data"))).toBe(false)
  })
})
