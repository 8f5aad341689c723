/** The files of `countersign init`: all of them or none, and none is replaced. Source: D-458, D-534. */
import { mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect } from "effect"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { type NewFile, writeNewFiles } from "../../../packages/cli/src/init/NewFiles.ts"

let parent = ""
beforeEach(async () => {
  parent = await mkdtemp(join(tmpdir(), "countersign-init-"))
})
afterEach(() => rm(parent, { recursive: true }))

const files: ReadonlyArray<NewFile> = [
  { name: "secret.env", content: "A=1\n", mode: 0o600 },
  { name: "a/b/deep.txt", content: "Łukasz" },
  { name: "last.txt", content: "" },
]
const write = (folder: string, more = files) => Effect.runPromise(writeNewFiles(folder, more))
const refused = (folder: string, more = files) => Effect.runPromise(Effect.flip(writeNewFiles(folder, more)))
/** All files below a folder, by their paths. */
const all = async (folder: string) => {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return entries.flatMap((each) =>
    each.isDirectory() ? [] : [join(each.parentPath, each.name).slice(folder.length + 1)],
  )
}
const modeOf = async (path: string) => (await stat(path)).mode & 0o777

const checkWritten = async (folder: string) => {
  for (const { content, name } of files) expect(await readFile(join(folder, name), "utf8")).toBe(content)
  expect(await modeOf(join(folder, "secret.env"))).toBe(0o600)
  expect(await modeOf(join(folder, "last.txt"))).toBe(0o644 & ~process.umask())
}
const names = files.map(({ name }) => name).toSorted()

describe("a new folder", () => {
  it.each(["made", "some/where/made"])("%s has all files, and nothing is left beside it", async (name) => {
    const folder = join(parent, name)
    await write(folder)
    await checkWritten(folder)
    expect((await all(folder)).toSorted()).toEqual(names)
    expect(await readdir(join(folder, ".."))).toEqual(["made"])
  })

  it("does not appear if a file cannot be written", async () => {
    const twice: ReadonlyArray<NewFile> = [...files, { name: "last.txt", content: "twice" }]
    const error = await refused(join(parent, "made"), twice)
    expect(error).toMatchObject({ reason: "usage", message: expect.stringContaining("cannot be written: EEXIST") })
    expect(await readdir(parent)).toEqual([])
  })
})

describe("a folder that exists", () => {
  it("keeps its files beside the new ones", async () => {
    await mkdir(join(parent, "a"))
    await writeFile(join(parent, "a/own.txt"), "own")
    await write(parent)
    await checkWritten(parent)
    expect((await all(parent)).toSorted()).toEqual([...names, "a/own.txt"].toSorted())
    expect(await readFile(join(parent, "a/own.txt"), "utf8")).toBe("own")
    expect((await readdir(parent)).toSorted()).toEqual(["a", "last.txt", "secret.env"])
  })

  it("with some of the files gets none, and they are named", async () => {
    await writeFile(join(parent, "last.txt"), "own")
    expect(await refused(parent)).toMatchObject({
      reason: "negative",
      message: `${parent} has last.txt already: name another folder, or remove them`,
    })
    await mkdir(join(parent, "a/b/deep.txt"), { recursive: true })
    expect((await refused(parent)).message).toContain("has a/b/deep.txt, last.txt already")
    expect(await all(parent)).toEqual(["last.txt"])
    expect(await readFile(join(parent, "last.txt"), "utf8")).toBe("own")
  })

  it("has none of the files if one of them cannot be placed", async () => {
    await writeFile(join(parent, "a"), "a file, and no folder")
    const error = await refused(parent)
    expect(error).toMatchObject({ reason: "usage", message: expect.stringContaining(`${parent} cannot be written: `) })
    expect(await all(parent)).toEqual(["a"])
    expect(await readdir(parent)).toEqual(["a"])
  })

  it("does not follow a link of the name of a file", async () => {
    const outside = join(parent, "outside.txt")
    await mkdir(join(parent, "made"))
    await symlink(outside, join(parent, "made/last.txt"))
    expect((await refused(join(parent, "made"))).message).toContain("EEXIST")
    expect((await readdir(parent)).toSorted()).toEqual(["made"])
    // Neither files nor the folders that were made for them are left.
    expect(await readdir(join(parent, "made"))).toEqual(["last.txt"])
  })

  it("takes away the folders of all files, also one within another", async () => {
    await mkdir(join(parent, "made"))
    await symlink(join(parent, "outside.txt"), join(parent, "made/last.txt"))
    const deeper: ReadonlyArray<NewFile> = ["a/one.txt", "a/b/two.txt", "last.txt"].map((name) => ({
      name,
      content: "",
    }))
    await refused(join(parent, "made"), deeper)
    expect(await readdir(join(parent, "made"))).toEqual(["last.txt"])
  })

  it("leaves the folders that were there before it", async () => {
    await mkdir(join(parent, "made/a"), { recursive: true })
    await symlink(join(parent, "outside.txt"), join(parent, "made/last.txt"))
    await refused(join(parent, "made"))
    expect((await readdir(join(parent, "made"))).toSorted()).toEqual(["a", "last.txt"])
    expect(await readdir(join(parent, "made/a"))).toEqual([])
  })
})
