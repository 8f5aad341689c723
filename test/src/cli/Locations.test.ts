/** The places of records and documents that options name, and how they are shown. Source: D-421. */
import { Effect, Option, Redacted } from "effect"
import { describe, expect, it } from "vitest"
import { type DocumentsLocation, parseDocumentsLocation } from "../../../packages/cli/src/DocumentsLocation.ts"
import { locationName, parseStoreLocation, type StoreLocation } from "../../../packages/cli/src/StoreLocation.ts"
import { lacksCells, ownLocation, parseStore, storeLocation } from "../../../packages/cli/src/StoreOption.ts"

const some = Option.some
const none = Option.none()
const [one, two] = ["postgres://a@db.example/pay", "postgres://b@pooler.example/pay"]

/** A location with its secrets shown. */
const shown = (location: StoreLocation | undefined) => {
  if (location?._tag !== "Server") return location
  const { direct, url, ...rest } = location
  return { ...rest, url: Redacted.value(url), ...(direct === undefined ? {} : { direct: Redacted.value(direct) }) }
}

describe("a store", () => {
  it.each<readonly [option: string, location: object | undefined]>([
    ["memory", { _tag: "Memory" }],
    ["Memory", undefined],
    ["pglite:a", { _tag: "Folder", folder: "a" }],
    ["pglite:", undefined],
    ["pglite", undefined],
    [one, { _tag: "Server", url: one }],
    ["postgresql://a/b", { _tag: "Server", url: "postgresql://a/b" }],
    ["mysql://a/b", undefined],
    ["", undefined],
  ])("%s is at %j", (option, location) => {
    expect(shown(parseStoreLocation(option))).toEqual(location)
  })

  it.each<readonly [given: Parameters<typeof parseStore>[0], location: object | undefined]>([
    [{ store: "memory", storeDirect: none }, { _tag: "Memory" }],
    [{ store: "memory", storeDirect: none, cells: some(2) }, { _tag: "Memory" }],
    [{ store: "x", storeDirect: none }, undefined],
    [
      { store: one, storeDirect: none, cells: none },
      { _tag: "Server", url: one },
    ],
    [
      { store: one, storeDirect: none, cells: some(3) },
      { _tag: "Server", url: one, cells: 3 },
    ],
    [
      { store: two, storeDirect: some(one) },
      { _tag: "Server", url: two, direct: one },
    ],
    [
      { store: two, storeDirect: some(one), cells: some(3) },
      { _tag: "Server", url: two, direct: one, cells: 3 },
    ],
    [{ store: "memory", storeDirect: some(one) }, undefined],
    [{ store: one, storeDirect: some("memory") }, undefined],
    [{ store: one, storeDirect: some("x") }, undefined],
  ])("of the options %j is at %j", (given, location) => {
    expect(shown(parseStore(given))).toEqual(location)
  })

  it.each<readonly [lacks: boolean, store: string, cells: Option.Option<number> | undefined]>([
    [false, "memory", undefined],
    [false, "memory", some(1)],
    [true, "memory", some(2)],
    [true, "pglite:a", some(2)],
    [true, "x", some(2)],
    [false, one, some(2)],
  ])("lacks cells: %s for %s", (lacks, store, cells) => {
    expect(lacksCells({ store, storeDirect: none, ...(cells === undefined ? {} : { cells }) })).toBe(lacks)
  })

  it("is reached directly by a command that ends", async () => {
    const own = async (given: Parameters<typeof ownLocation>[0]) => shown(await Effect.runPromise(ownLocation(given)))
    expect(await own({ store: two, storeDirect: some(one) })).toEqual({ _tag: "Server", url: one })
    expect(await own({ store: two, storeDirect: some(one), cells: some(3) })).toEqual({
      _tag: "Server",
      url: one,
      cells: 3,
    })
    expect(await own({ store: two, storeDirect: none, cells: some(3) })).toEqual({ _tag: "Server", url: two, cells: 3 })
    expect(await own({ store: "memory", storeDirect: none })).toEqual({ _tag: "Memory" })
  })

  it.each([
    ["--store takes memory, pglite:FOLDER or postgres://USER@HOST/DATABASE", "x"],
    ["--store-direct takes postgres://USER@HOST/DATABASE, for a --store that is one", "memory"],
  ])("that is not valid is refused with: %s", async (message, store) => {
    const failed = await Effect.runPromise(Effect.flip(storeLocation({ store, storeDirect: some(one) })))
    expect(failed).toMatchObject({ reason: "usage", message })
  })

  it.each([
    ["memory", "memory"],
    ["pglite:./a", "./a"],
    ["postgres://a:its-password@db.example:5433/pay?password=its-password", "postgres://a@db.example:5433/pay"],
    ["postgres://db.example/pay", "postgres://db.example/pay"],
    ["postgres://a@db.example/pay?host=other.example", "postgres://a@other.example/pay"],
    ["postgres://a@one.example,two.example:5433/pay", "postgres://a@one.example,two.example:5433/pay"],
  ])("at %s is shown as %s", (option, name) => {
    const location = parseStoreLocation(option)
    expect(location && locationName(location)).toBe(name)
  })
})

describe("documents", () => {
  it.each<readonly [option: string | undefined, store: string, location: DocumentsLocation | undefined]>([
    [undefined, "memory", { _tag: "Memory" }],
    [undefined, "pglite:a", { _tag: "Database" }],
    [undefined, one, { _tag: "Database" }],
    [undefined, "x", undefined],
    ["memory", "x", { _tag: "Memory" }],
    ["postgres", "memory", { _tag: "Database" }],
    ["folder:a/b", "memory", { _tag: "Folder", folder: "a/b" }],
    ["folder:", "memory", undefined],
    ["s3:", "memory", { _tag: "Bucket", bucket: "" }],
    ["s3:papers", "memory", { _tag: "Bucket", bucket: "papers" }],
    ["s4:papers", "memory", undefined],
  ])("of %s with the store %s are at %j", (option, store, location) => {
    expect(parseDocumentsLocation(Option.fromNullishOr(option), store)).toEqual(location)
  })
})
