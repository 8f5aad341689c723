/** The rooms of mutation testing name existing files, and cover every machine, rule list and ledger file. */
import { existsSync, globSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { describe, expect, it } from "vitest"
import { areas, roomNamed, roomsOf, filesOf as sourcesOf } from "./Areas.ts"
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

describe("the rooms and areas together", () => {
  const named = [...Object.keys(rooms), ...Object.keys(areas)].map((name) => ({ name, room: roomNamed(name) }))
  const ofPackage = (owner: string) =>
    named.flatMap(({ room }) => ((room.package ?? "core") === owner ? sourcesOf(room) : []))

  /** What only a database can judge, which mutants in memory have not; and what is generated. */
  const elsewhere = [
    "adapter-bank-files/store/PostgresRows.ts",
    "adapter-bank-files/store/Schema.ts",
    "adapter-postgres/sql/SqlFiles.ts",
  ]

  it.each([...new Set(named.map(({ room }) => room.package ?? "core"))])("have each source of %s once", (owner) => {
    const cwd = fileURLToPath(new URL(`../../../packages/${owner}/src`, import.meta.url))
    const sources = globSync("**/*.ts", { cwd }).filter((path) => !elsewhere.includes(`${owner}/${path}`))
    expect(ofPackage(owner).toSorted()).toEqual(sources.toSorted())
  })

  it.each(Object.keys(areas))("test the area %s with files that exist", (name) => {
    const { tests: found } = roomNamed(name)
    expect(found.length).toBeGreaterThan(0)
    expect(found.filter((test) => !existsSync(`${tests}/${test}.test.ts`))).toEqual([])
    expect(found.length).toBe(new Set(found).size)
  })

  it("are found by what has changed of their sources", () => {
    expect(roomsOf(["docs/x.md"])).toEqual([])
    expect(roomsOf(["packages/core/src/model/card/CardRules.ts"])).toEqual(["card"])
    expect(roomsOf(["packages/core/src/service/card/Cards.ts"])).toEqual(["cards"])
    expect(roomsOf(["packages/core/src/service/card/Cards.ts:3-9"])).toEqual(["cards"])
  })

  it("are refused under a name that none has", () => {
    expect(() => roomNamed("crad")).toThrow("there is no room crad: machines, ")
  })
})
