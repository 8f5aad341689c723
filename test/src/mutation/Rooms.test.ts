/** The rooms of mutation testing name existing files, and cover every machine, rule list and ledger file. */
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
  it("names existing sources", () => {
    expect(sources.filter((source) => filesOf(source).length === 0)).toEqual([])
  })

  it("names existing tests, at least one", () => {
    expect(names.filter((name) => !existsSync(`${tests}/${name}.test.ts`))).toEqual([])
    expect(names.length).toBeGreaterThan(0)
  })
})

it("a source belongs to one room at most", () => {
  expect(mutated.filter((path, at) => mutated.indexOf(path) !== at)).toEqual([])
})

it("every machine, every rule list and the ledger are mutated", () => {
  const must = ["**/*Machine.ts", "**/*Rules.ts", "store/{LedgerAccounts,TrialBalance,Books}.ts"].flatMap(filesOf)
  expect(must.length).toBeGreaterThan(40)
  expect(must.filter((path) => !mutated.includes(path))).toEqual([])
})
