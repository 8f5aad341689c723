/** What a release says about a schema, and what it does to one, by what the catalog has. Source: `Migrations.ts`; D-060, D-061. */
import { Migrations } from "@countersign/adapter-postgres"
import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import type { Connection } from "../../../packages/adapter-postgres/src/connection/Connection.ts"
import { kindTables } from "../../../packages/adapter-postgres/src/schema/KindTables.ts"
import { listIndexes } from "../../../packages/adapter-postgres/src/schema/ListIndexes.ts"
import { type Answers, fakeServer } from "../cells/FakeCluster.ts"
import { applied, asks, columns, complete, fieldNames, functionNames } from "./CompleteSchema.ts"

const messageOf = (work: Effect.Effect<unknown, { readonly _tag: string; readonly message: string }>) =>
  Effect.runPromise(Effect.map(Effect.flip(work), ({ _tag, message }) => [_tag, message]))
const check = (more: Answers = {}) => messageOf(Migrations.check(fakeServer(complete(more))))

describe("the schema of this release", () => {
  it("is accepted, and is not migrated again", async () => {
    const server = fakeServer(complete())
    await Effect.runPromise(Effect.andThen(Migrations.check(server), Migrations.run(server)))
    expect(server.log.some((text) => text.startsWith("script") || text.includes("set_config"))).toBe(false)
  })

  it("has the versions 1 and 2", () => {
    expect(Migrations.migrations.map(({ version }) => version)).toEqual([1, 2])
  })
})

describe("another schema", () => {
  const [first, second] = applied
  const rows = (...all: ReadonlyArray<object | undefined>) => ({ [asks.applied]: [JSON.stringify(all)] })
  const [column = ""] = fieldNames
  const [list] = listIndexes
  const last = kindTables.at(-1)?.table ?? ""
  const without = (all: ReadonlyArray<string>, name: string) => all.filter((each) => each !== name)

  it.each<readonly [string, Answers, string]>([
    [
      "that does not exist",
      { [asks.hasSchema]: [null] },
      "the database has schema none, and this release needs 2: migrate it",
    ],
    ["without a row", { [asks.hasSchema]: [] }, "the database has schema none, and this release needs 2: migrate it"],
    ["that was begun", rows(), "the database has schema 0, and this release needs 2: migrate it"],
    ["of the release before", rows(first), "the database has schema 1, and this release needs 2: migrate it"],
    [
      "of a later release",
      rows(first, second, { version: 3, checksum: "x" }),
      "the database has schema 3, and this release knows 2: use a newer release",
    ],
    [
      "of another text",
      rows(first, { version: 2, checksum: "x" }),
      "schema 2 of the database was made by another text of delivery attempts",
    ],
    [
      "without a column",
      { [asks.columns]: without(columns, column) },
      `the database has no ${column}, or is still filling it: migrate it`,
    ],
    [
      "without a table",
      { [asks.columns]: without(columns, `${last}.data`) },
      `the database has no ${last}, or is still filling it: migrate it`,
    ],
    [
      "whose new column is not indexed yet",
      { [asks.unfilled]: [column] },
      `the database has no ${column}, or is still filling it: migrate it`,
    ],
    [
      "without an index of lists",
      { [asks.listIndexes]: listIndexes.slice(1).map(({ name, table }) => `${table} ${name}`) },
      `the database has no ${list?.name}, or is still filling it: migrate it`,
    ],
    [
      "without a function",
      { [asks.functions]: functionNames.slice(1) },
      "the database lacks this release's functions: migrate it",
    ],
  ])("%s is a mismatch", async (_, answers, message) => {
    expect(await check(answers)).toEqual(["SchemaMismatch", message])
    expect(await messageOf(Migrations.contract(fakeServer(complete(answers))))).toEqual(["SchemaMismatch", message])
  })

  it("that cannot be read is a failure with its reason", async () => {
    const refused = Object.assign(new Error("x"), { code: "42501" })
    expect(await check({ [asks.hasSchema]: refused })).toEqual([
      "MigrationFailed",
      "the database cannot be used: the user may not create or use the schema",
    ])
  })

  it("that is newer or altered is not migrated, and the transaction is rolled back", async () => {
    const server = fakeServer(complete(rows(first, { version: 2, checksum: "x" })))
    expect(await messageOf(Migrations.run(server))).toEqual([
      "SchemaMismatch",
      "schema 2 of the database was made by another text of delivery attempts",
    ])
    expect(server.log.filter((text) => text.startsWith("script")).map((text) => text.slice(0, 15))).toEqual([
      "script begin; s",
      "script rollback",
    ])
  })
})

describe("a migration", () => {
  const migrated = async (more: Answers, connection: Partial<Connection> = {}) => {
    const server = fakeServer(complete(more), connection)
    await Effect.runPromise(Migrations.run(server))
    return server
  }
  const inserted = ({ statements }: Awaited<ReturnType<typeof migrated>>) =>
    statements.flatMap(({ text, values }) => (text.includes("insert into schema_version") ? [values] : []))
  const rowsOf = (from: number) =>
    Migrations.migrations.slice(from).map(({ name, version }) => [version, name, applied[version - 1]?.checksum])
  const scripts = ({ log }: Awaited<ReturnType<typeof migrated>>) => log.filter((text) => text.startsWith("script "))

  it("of an empty database applies all versions in one transaction", async () => {
    const server = await migrated({ [asks.hasSchema]: [null] })
    expect(inserted(server)).toEqual(rowsOf(0))
    expect(scripts(server)[1]).toContain("create schema if not exists countersign")
    expect(scripts(server).slice(2, 4)).toEqual(Migrations.migrations.map(({ sql }) => `script ${sql}`))
    expect(scripts(server)[4]).toBe("script commit")
  })

  it("of the release before applies what is missing", async () => {
    const server = await migrated({ [asks.applied]: [JSON.stringify(applied.slice(0, 1))] })
    expect(inserted(server)).toEqual(rowsOf(1))
    expect(scripts(server).some((text) => text.includes("create schema"))).toBe(false)
  })

  it.each<readonly [string, Answers]>([
    ["with unfilled fields", { [asks.unfilled]: ["customer.old"] }],
    ["with primary keys by owner", { [asks.ownerKeys]: ["customer"] }],
  ])("of this release %s is done once more", async (_, more) => {
    const server = await migrated(more)
    expect(inserted(server)).toEqual([])
    expect(server.log.some((text) => text.includes(asks.lock))).toBe(true)
  })

  it.each([
    [[], undefined, true],
    [["1"], undefined, false],
    [["1"], false, false],
    [["1"], true, true],
  ])("with other functions %j in a single process %s ends the roll-out: %s", async (others, isSingleProcess, ends) => {
    const server = await migrated(
      { [asks.ownerKeys]: ["customer"], [asks.otherFunctions]: others },
      isSingleProcess === undefined ? {} : { isSingleProcess },
    )
    expect(server.log.some((text) => text.includes(asks.droppedFunctions))).toBe(ends)
  })

  it("ends a roll-out by the functions that it drops, and returns their number", async () => {
    const server = fakeServer(complete({ [asks.droppedFunctions]: ["countersign.a_0()", "countersign.b_0()"] }))
    expect(await Effect.runPromise(Migrations.contract(server))).toBe(2)
    expect(scripts(server)).toEqual([
      expect.stringMatching(/^script begin;/u),
      "script drop function countersign.a_0()",
      "script drop function countersign.b_0()",
      "script commit",
    ])
  })
})
