/** The rooms that are mutated: every source and test is there, and no machine, rule list or ledger file is forgotten. */
import { existsSync, globSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { describe, expect, it } from "vitest"
import { type Room, rooms } from "./Rooms.ts"

const core = fileURLToPath(new URL("../../../packages/core/src", import.meta.url))
const tests = fileURLToPath(new URL("..", import.meta.url))
const all = Object.entries<Room>(rooms)
const filesOf = (source: string): ReadonlyArray<string> => globSync(source, { cwd: core })
const mutated = all.flatMap(([, { sources }]) => sources.flatMap(filesOf))

describe.each(all)("the room %s", (_name, { sources, tests: names }) => {
  it("has sources that are there", () => {
    expect(sources.filter((source) => filesOf(source).length === 0)).toEqual([])
  })

  it("has tests that are there", () => {
    expect(names.filter((name) => !existsSync(`${tests}/${name}.test.ts`))).toEqual([])
    expect(names.length).toBeGreaterThan(0)
  })
})

it("no source is in two rooms", () => {
  expect(mutated.filter((path, at) => mutated.indexOf(path) !== at)).toEqual([])
})

it("every machine, every rule list and the ledger are mutated", () => {
  const must = ["**/*Machine.ts", "**/*Rules.ts", "store/{LedgerAccounts,TrialBalance,Books}.ts"].flatMap(filesOf)
  expect(must.length).toBeGreaterThan(40)
  expect(must.filter((path) => !mutated.includes(path))).toEqual([])
})
