/**
 * A folder's database after a loss of power: what the disk had by then is a database that has every acknowledged commit.
 * Source: D-505.
 */
import { copyFileSync, cpSync, mkdirSync, statSync } from "node:fs"
import { dirname, join, relative } from "node:path"
import { PgliteFolder } from "@countersign/adapter-postgres"
import { PGlite } from "@electric-sql/pglite"
import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import * as NewCluster from "../../../packages/adapter-postgres/src/folder/NewCluster.ts"
import * as SyncedFiles from "../../../packages/adapter-postgres/src/folder/SyncedFiles.ts"
import { newFolder } from "../e2e/Folder.ts"

const opened = async (path: string, write?: SyncedFiles.Sync) => {
  const { fs, startParams } = await SyncedFiles.options(path, write)
  return PGlite.create({ fs, startParams: [...PGlite.defaultStartParams, ...startParams] })
}

const rows = async (database: PGlite) =>
  (await database.query<{ n: number }>("select n from paid order by n")).rows.map(({ n }) => n)

describe("the files of a folder's database", () => {
  it("have each acknowledged commit on the disk", async () => {
    await using folder = await newFolder()
    const path = join(folder.path, "data")
    const disk = join(folder.path, "disk")
    await NewCluster.make(path)
    cpSync(path, disk, { recursive: true })
    // The disk has of each file what it had when it was last synced.
    const written = new Set<string>()
    const database = await opened(path, (file) => {
      if (!statSync(file).isFile()) return
      const copy = join(disk, relative(path, file))
      mkdirSync(dirname(copy), { recursive: true })
      copyFileSync(file, copy)
      written.add(file)
    })
    await database.exec("create table paid (n int primary key)")
    for (const n of [1, 2, 3]) await database.query("insert into paid values ($1)", [n])
    await database.exec("begin; insert into paid values (4)")

    const afterLoss = await opened(disk)
    expect(await rows(afterLoss)).toEqual([1, 2, 3])
    expect([...written].some((file) => file.includes("pg_wal"))).toBe(true)
    await afterLoss.close()
    await database.close()
  })

  it("are those of the store in a folder", async () => {
    await using folder = await newFolder()
    const settings = PgliteFolder.open(folder.path).pipe(
      Effect.flatMap(({ query }) =>
        Effect.promise(() =>
          query({
            text: "select concat_ws(' ', current_setting('fsync'), current_setting('wal_sync_method'))",
            values: [],
          }),
        ),
      ),
      Effect.scoped,
    )
    expect(await Effect.runPromise(settings)).toEqual(["on fsync"])
  })

  it("end the database when the disk fails, because nobody knows what it has", async () => {
    await using folder = await newFolder()
    const path = join(folder.path, "data")
    await NewCluster.make(path)
    let isBroken = false
    const database = await opened(path, () => {
      if (isBroken) throw new Error("the disk fails")
    })
    await database.exec("create table paid (n int primary key)")
    isBroken = true
    await expect(database.query("insert into paid values (1)")).rejects.toThrow()
    isBroken = false

    const reopened = await opened(path)
    expect((await rows(reopened)).every((n) => n === 1)).toBe(true)
    await reopened.close()
  })
})
