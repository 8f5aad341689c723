/** The folder on our side: what it cannot be used for is named, and notes are kept. */
import { mkdir, readdir, rm, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import { type LocalFiles, localFiles } from "../../../packages/adapter-sftp/src/folder/LocalFiles.ts"
import { carried, sftpWorld } from "./SftpWorld.ts"

const note = { temporary: ".a.part", size: 1, sha256: "one" }

describe("our folder", () => {
  it("of which a place is a file cannot be used, which is a problem of this call", async () => {
    await using world = await sftpWorld()
    const carrier = world.carrier()
    await writeFile(join(world.folder, "sftp"), "no folder")
    expect(await carried(carrier)).toEqual({ bank: "euro", problem: "prepare: the folder cannot be used (ENOTDIR)" })
    await rm(join(world.folder, "sftp"))
    await world.put("out", "pay-1.xml", "one")
    await mkdir(join(world.folder, "sftp", "sent", "pay-1.xml"), { recursive: true })
    const problem = "keep sent: the folder cannot be used (EISDIR)"
    expect(await carried(carrier)).toEqual({ bank: "euro", problem })
  })

  it.each([
    ["list out", (files: LocalFiles) => files.listOut],
    ["read out", (files: LocalFiles) => files.readOut("a", 9)],
    ["keep sent", (files: LocalFiles) => files.keepSent("a")],
    ["read note", (files: LocalFiles) => files.note("sending", "a")],
    ["write note", (files: LocalFiles) => files.choose("sending", "a", note)],
    ["write note", (files: LocalFiles) => files.putNote("receiving", "a", note)],
    ["write in", (files: LocalFiles) => files.stage("a", Buffer.from("a"))],
    ["publish", (files: LocalFiles) => files.publish("a", "a")],
  ])("names what it could not do: %s", async (operation, act) => {
    await using world = await sftpWorld()
    const file = join(world.folder, "no-folder")
    await writeFile(file, "")
    const failed = await Effect.runPromise(Effect.flip(act(localFiles(file))))
    expect(failed.message).toBe(`${operation}: the folder cannot be used (ENOTDIR)`)
  })

  it("keeps the first note of a file, and replaces those of a received one", async () => {
    await using world = await sftpWorld()
    const files = localFiles(world.folder)
    await Effect.runPromise(files.prepare)
    const other = { ...note, temporary: ".b.part", sha256: "other" }
    for (const [chosen, put] of [
      [note, note],
      [other, other],
    ] as const) {
      expect(await Effect.runPromise(files.choose("sending", "a", chosen))).toEqual(note)
      await Effect.runPromise(files.putNote("receiving", "a", put))
      expect(await Effect.runPromise(files.note("receiving", "a"))).toEqual(put)
    }
    expect(await readdir(join(world.folder, "sftp", "staging"))).toEqual([])
    expect(await Effect.runPromise(files.note("sending", "b"))).toBeUndefined()
    expect(await Effect.runPromise(files.readOut("b", 9))).toBeUndefined()
    expect(await Effect.runPromise(files.publish("b", "b"))).toBe(false)
  })
})
