/** A bank's folder on a file system: what it lists, reads, writes and moves, and why it cannot be used. */
import { mkdir, readdir, readFile, rm, stat, symlink, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import {
  bankFolder,
  FolderUnavailable,
  readWhole,
} from "../../../../packages/adapter-bank-files/src/folder/BankFolder.ts"
import { temporaryFolder } from "../BankWorld.ts"

const run = Effect.runPromise
const prepared = async () => {
  const place = await temporaryFolder()
  const folder = bankFolder(place.path)
  await run(folder.prepare)
  return { ...place, folder, at: (...path: ReadonlyArray<string>) => join(place.path, ...path) }
}
const text = (bytes: Uint8Array | string) => (typeof bytes === "string" ? bytes : new TextDecoder().decode(bytes))

describe("a folder", () => {
  it("has five places, which are made once", async () => {
    await using place = await prepared()
    await run(place.folder.prepare)
    expect((await readdir(place.path)).toSorted()).toEqual(["done", "in", "out", "rejected", "staging"])
  })

  it("has no problem whether or not its places exist", async () => {
    await using empty = await temporaryFolder()
    expect(await run(bankFolder(empty.path).problems)).toEqual([])
    expect(await readdir(empty.path)).toEqual([])
    await using place = await prepared()
    expect(await run(place.folder.problems)).toEqual([])
  })

  it("has a problem for each place that is a file", async () => {
    await using place = await temporaryFolder()
    await writeFile(join(place.path, "in"), "x")
    await writeFile(join(place.path, "done"), "x")
    expect(await run(bankFolder(place.path).problems)).toEqual(["in is not a folder", "done is not a folder"])
  })

  it("has a problem for a place on another file system", async () => {
    await using place = await prepared()
    await rm(place.at("out"), { recursive: true })
    await symlink("/dev/shm", place.at("out"))
    expect(await run(place.folder.problems)).toEqual(["out is on another file system"])
  })

  it("that does not exist cannot be used, with the operation and the code", async () => {
    await using place = await temporaryFolder()
    const folder = bankFolder(join(place.path, "missing"))
    const operations = [
      ["check", folder.problems],
      ["list in", folder.list("in")],
      ["write out", folder.write("out", "a", "x")],
    ] as const
    for (const [operation, effect] of operations) {
      const failure = await run(Effect.flip<unknown, FolderUnavailable, never>(effect))
      expect(failure).toEqual(new FolderUnavailable({ operation, code: "ENOENT" }))
      expect(failure.message).toBe(`the folder of the bank cannot be used: ${operation}, ENOENT`)
    }
    await writeFile(join(place.path, "missing"), "a file")
    expect(await run(Effect.flip(folder.prepare))).toMatchObject({ operation: "prepare" })
    expect(await run(Effect.flip(folder.move("in", "a", "done", "a")))).toMatchObject({
      operation: "move in to done",
      code: "ENOTDIR",
    })
    expect(await run(Effect.flip(folder.read("in", "a", 1)))).toMatchObject({ operation: "read in", code: "ENOTDIR" })
    expect(await run(Effect.flip(folder.remove("in", "a")))).toMatchObject({ operation: "remove in", code: "ENOTDIR" })
  })
})

describe("a list", () => {
  it("has the finished files, sorted", async () => {
    await using place = await prepared()
    const finished = ["b.xml", "a.xml", "c.tmp.xml", "dpart", "e~f", "Z.XML"]
    const unfinished = [".hidden", "a.tmp", "a.part", "a.PARTIAL", "a.filepart", "a.crdownload", "a.swp", "a~"]
    for (const name of [...finished, ...unfinished]) await writeFile(place.at("in", name), name)
    await mkdir(place.at("in", "folder"))
    await symlink(place.at("in", "a.xml"), place.at("in", "link.xml"))
    expect(await run(place.folder.list("in"))).toEqual(["Z.XML", "a.xml", "b.xml", "c.tmp.xml", "dpart", "e~f"])
    expect(await run(place.folder.list("out"))).toEqual([])
  })
})

describe("a file", () => {
  it("is read up to its greatest size", async () => {
    await using place = await prepared()
    await writeFile(place.at("in", "a"), "12345")
    const reads = [5, 6, 4].map((bytesMax) => run(place.folder.read("in", "a", bytesMax)))
    expect((await Promise.all(reads)).map(text)).toEqual(["12345", "12345", "large"])
  })

  it("that is gone, or is a folder, is not read", async () => {
    await using place = await prepared()
    await mkdir(place.at("in", "folder"))
    expect(await run(place.folder.read("in", "a", 9))).toBe("gone")
    expect(await run(place.folder.read("in", "folder", 1_000_000))).toBe("gone")
  })

  it("behind a link is not read", async () => {
    await using place = await prepared()
    await writeFile(place.at("secret"), "x")
    await symlink(place.at("secret"), place.at("in", "link"))
    expect(await run(Effect.flip(place.folder.read("in", "link", 9)))).toMatchObject({
      operation: "read in",
      code: "ELOOP",
    })
  })

  it("is written for its owner and group, and replaces one of its name", async () => {
    await using place = await prepared()
    await run(place.folder.write("out", "a", "first, and longer"))
    await run(place.folder.write("out", "a", "second"))
    expect(await readFile(place.at("out", "a"), "utf8")).toBe("second")
    expect((await stat(place.at("out", "a"))).mode & 0o137).toBe(0)
  })

  it("is moved once, under its new name", async () => {
    await using place = await prepared()
    await writeFile(place.at("in", "a"), "x")
    expect(await run(place.folder.move("in", "a", "done", "b"))).toBe(true)
    expect(await run(place.folder.move("in", "a", "done", "b"))).toBe(false)
    expect([await readdir(place.at("in")), await readdir(place.at("done"))]).toEqual([[], ["b"]])
  })

  it("is removed, however often", async () => {
    await using place = await prepared()
    await writeFile(place.at("staging", "a"), "x")
    for (let n = 0; n < 2; n++) await run(place.folder.remove("staging", "a"))
    expect(await readdir(place.at("staging"))).toEqual([])
  })
})

describe("a file that is read", () => {
  const state = (size: number, mtimeMs: number, isFile = true) => ({ size, mtimeMs, isFile: () => isFile })
  const reading = (before: ReturnType<typeof state>, bytes: number, after: ReturnType<typeof state>) => {
    const states = [before, after]
    return readWhole({ stat: async () => states.shift() ?? after, readFile: async () => new Uint8Array(bytes) }, 100)
  }
  it.each([
    ["grew before it was read", state(5, 1), 6, state(6, 1)],
    ["grew after it was read", state(5, 1), 5, state(6, 1)],
    ["shrank while it was read", state(5, 1), 4, state(5, 1)],
    ["was written again with the same size", state(5, 1), 5, state(5, 2)],
  ])("and %s is changing", async (_, before, bytes, after) => {
    expect(await reading(before, bytes, after)).toBe("changing")
  })

  it("and stays as it is has all its bytes", async () => {
    expect(await reading(state(5, 1), 5, state(5, 1))).toEqual(new Uint8Array(5))
    expect(await reading(state(100, 1), 100, state(100, 1))).toEqual(new Uint8Array(100))
    expect(await reading(state(101, 1), 101, state(101, 1))).toBe("large")
    expect(await reading(state(5, 1, false), 5, state(5, 1))).toBe("gone")
  })
})
