/** Saved worlds in the folder of a store: their files, and what is absent. Source: D-470. */
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { SavedWorlds } from "@countersign/core/ports"
import { Effect } from "effect"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import * as WorldFolder from "../../../packages/cli/src/WorldFolder.ts"

let store = ""
let worlds: SavedWorlds
beforeEach(async () => {
  store = await mkdtemp(join(tmpdir(), "countersign-worlds-"))
  worlds = WorldFolder.make(store)
})
afterEach(() => rm(store, { recursive: true }))

const run = <A>(effect: Effect.Effect<A, unknown>) => Effect.runPromise(effect)
const inFolder = (name: string) => join(store, "worlds", name)
const sorted = (list: ReadonlyArray<{ readonly name: string; readonly header: string }>) =>
  list.toSorted((a, b) => a.name.localeCompare(b.name))

describe("a folder without worlds", () => {
  it("has no world, and no present one", async () => {
    expect(await run(worlds.list)).toEqual([])
    expect(await run(worlds.read("a"))).toBeUndefined()
    expect(await run(worlds.current)).toBeUndefined()
    expect(await readdir(store)).toEqual([])
  })

  it("removes a world that does not exist", async () => {
    await run(worlds.remove("a"))
    expect(await readdir(store)).toEqual([])
  })
})

describe("a world", () => {
  it.each<readonly [header: string, state: string]>([
    ["{}", "state"],
    ['{"a":"Ł"}', "line one\nline two\n"],
    ["", ""],
    ["h", "\n"],
  ])("is read as it was written: %j with %j", async (header, state) => {
    await run(worlds.write("a", { header, state }))
    expect(await run(worlds.read("a"))).toEqual({ header, state })
    expect(await readFile(inFolder("a.world"), "utf8")).toBe(`${header}\n${state}`)
  })

  it("is replaced, without a file beside it, and is readable by its owner alone", async () => {
    await run(worlds.write("a", { header: "1", state: "longer than the next one" }))
    await run(worlds.write("a", { header: "2", state: "s" }))
    expect(await run(worlds.read("a"))).toEqual({ header: "2", state: "s" })
    expect(await readdir(inFolder(""))).toEqual(["a.world"])
    expect((await stat(inFolder("a.world"))).mode & 0o777).toBe(0o600)
  })

  it("replaces what an interrupted process left of itself", async () => {
    await mkdir(inFolder(""))
    await writeFile(inFolder("a.world.new"), "a long beginning of another state")
    await run(worlds.write("a", { header: "h", state: "s" }))
    expect(await run(worlds.list)).toEqual([{ name: "a", header: "h" }])
    expect(await run(worlds.read("a"))).toEqual({ header: "h", state: "s" })
  })

  it("is removed alone", async () => {
    for (const name of ["a", "b"]) await run(worlds.write(name, { header: name, state: "" }))
    await run(worlds.remove("a"))
    expect(await readdir(inFolder(""))).toEqual(["b.world"])
  })
})

describe("the list of worlds", () => {
  it("has the first line of each file, and no other file", async () => {
    await run(worlds.write("a", { header: "first", state: "x\ny" }))
    await run(worlds.write("b.c", { header: "", state: "z" }))
    await run(worlds.setCurrent("a"))
    await writeFile(inFolder("b.world.new"), "half")
    await writeFile(inFolder("worldly"), "other")
    await writeFile(inFolder("empty.world"), "")
    expect(sorted(await run(worlds.list))).toEqual([
      { name: "a", header: "first" },
      { name: "b.c", header: "" },
      { name: "empty", header: "" },
    ])
  })
})

describe("the present world", () => {
  it("is the last one that was set", async () => {
    await run(worlds.setCurrent("a"))
    await run(worlds.setCurrent("b"))
    expect(await run(WorldFolder.make(store).current)).toBe("b")
    await run(worlds.setCurrent(undefined))
    expect(await run(worlds.current)).toBeUndefined()
    expect(await readdir(inFolder(""))).toEqual(["current"])
  })
})

it("a folder that cannot be used is a failure, and not an absent world", async () => {
  await writeFile(join(store, "worlds"), "a file")
  const unavailable = expect.objectContaining({ _tag: "SavedWorldsUnavailable" })
  const state = { header: "", state: "" }
  const attempts: ReadonlyArray<Effect.Effect<unknown, unknown>> = [
    worlds.list,
    worlds.read("a"),
    worlds.current,
    worlds.write("a", state),
    worlds.setCurrent("a"),
  ]
  for (const attempt of attempts) expect(await run(Effect.flip(attempt))).toEqual(unavailable)
})
