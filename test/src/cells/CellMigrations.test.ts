/** Which stores a database may have, and which of its cells must answer. Source: `CellMigrations.ts`; D-514, D-517. */
import { Effect, Logger } from "effect"
import { describe, expect, it } from "vitest"
import * as CellMigrations from "../../../packages/adapter-postgres/src/cells/CellMigrations.ts"
import { complete } from "../adapter-postgres/CompleteSchema.ts"
import { type Answers, asks, fakeCluster, fakeServer } from "./FakeCluster.ts"

type Failing = Effect.Effect<unknown, { readonly _tag: string; readonly message: string }>
const refusal = (work: Failing) =>
  Effect.runPromise(Effect.map(Effect.flip(work), ({ _tag, message }) => `${_tag}: ${message}`))
const schemasOf = (...schemas: ReadonlyArray<string>): Answers => ({ [asks.schemas]: schemas })
const cellsOf = (count: number, ...cells: ReadonlyArray<number>) =>
  cells.map((cell) => `countersign_cell_${cell}_of_${count}`)

describe("the number of cells", () => {
  it.each<readonly [ReadonlyArray<string>, number | undefined, number]>([
    [[], undefined, 1],
    [[], 1, 1],
    [[], 256, 256],
    [["countersign"], undefined, 1],
    [["countersign"], 1, 1],
    [cellsOf(3, 0), undefined, 3],
    [cellsOf(3, 2, 1, 0), 3, 3],
  ])("of a database with the schemas %j is, where %s are asked for, %i", async (schemas, wanted, count) => {
    const server = fakeServer(schemasOf(...schemas))
    expect(await Effect.runPromise(CellMigrations.connections(server, wanted))).toHaveLength(count)
    const places = await Effect.runPromise(CellMigrations.places(server, wanted))
    expect([places.cells.length, places.any]).toEqual([count, server])
  })

  const never = "the number never changes"
  it.each<readonly [ReadonlyArray<string>, number | undefined, string]>([
    [["countersign"], 2, `the database has a store of 1 cell, not of 2: ${never}`],
    [cellsOf(3, 0), 1, `the database has a store of 3 cells, not of 1: ${never}`],
    [cellsOf(3, 0), 4, `the database has a store of 3 cells, not of 4: ${never}`],
    [["countersign", ...cellsOf(3, 0)], undefined, `the database has a store of 3 cells, not of 1: ${never}`],
    [[], 0, "a store has 1 to 256 cells, not 0"],
    [[], 257, "a store has 1 to 256 cells, not 257"],
    [[], 1.5, "a store has 1 to 256 cells, not 1.5"],
    [[], -1, "a store has 1 to 256 cells, not -1"],
  ])("of a database with the schemas %j cannot be %s", async (schemas, wanted, message) => {
    const server = fakeServer(schemasOf(...schemas))
    for (const work of [CellMigrations.places, CellMigrations.run, CellMigrations.check, CellMigrations.contract]) {
      expect(await refusal(work(server, wanted))).toBe(`SchemaMismatch: ${message}`)
    }
  })

  it("is one for a database of one process", async () => {
    const alone = fakeServer({}, { isSingleProcess: true })
    expect(await Effect.runPromise(CellMigrations.connections(alone, 1))).toEqual([alone])
    expect(await refusal(CellMigrations.places(alone, 2))).toBe("SchemaMismatch: cells need a PostgreSQL server")
    const several = fakeServer({}, { isSingleProcess: false })
    expect(await Effect.runPromise(CellMigrations.connections(several, 2))).toHaveLength(2)
  })

  it("cannot be read of a database that does not answer", async () => {
    const server = fakeServer({ [asks.schemas]: Object.assign(new Error("x"), { code: "ECONNREFUSED" }) })
    expect(await refusal(CellMigrations.places(server))).toBe(
      "MigrationFailed: the database cannot be used: connection refused: no server listens there",
    )
  })
})

describe("the places of cells", () => {
  it("are one server for a store of one cell, which is not asked about a cluster", async () => {
    const server = fakeServer({ ...schemasOf("countersign"), [asks.extension]: ["yes"], [asks.otherNodes]: ["yes"] })
    const places = await Effect.runPromise(CellMigrations.places(server))
    expect([places.isFixed, server.log.length]).toEqual([true, 1])
  })

  it("are one server for a store of several cells that is not made yet, or has no other node", async () => {
    const cluster = { [asks.extension]: ["yes"], [asks.otherNodes]: ["yes"] }
    expect((await Effect.runPromise(CellMigrations.places(fakeServer(cluster), 3))).isFixed).toBe(true)
    const alone = fakeServer({ ...schemasOf(...cellsOf(3, 0)), [asks.extension]: ["yes"] })
    expect((await Effect.runPromise(CellMigrations.places(alone))).isFixed).toBe(true)
  })

  it("are the nodes of a cluster for a store of several cells", async () => {
    const places = await Effect.runPromise(CellMigrations.places(fakeCluster().entry))
    expect([places.isFixed, places.cells.length, places.servers().map(({ name }) => name)]).toEqual([
      false,
      3,
      ["a:1", "b:2"],
    ])
  })
})

describe("a new store of several cells", () => {
  it("is refused if another process has made one of another number meanwhile", async () => {
    let looks = 0
    const server = fakeServer({
      [asks.schemas]: () => (looks++ === 0 ? [] : cellsOf(2, 0)),
      pg_try_advisory_lock: ["1"],
    })
    expect(await refusal(CellMigrations.run(server, 3))).toBe(
      "SchemaMismatch: the database has a store of 2 cells, not of 3: the number never changes",
    )
    expect(server.log.some((text) => text.startsWith("script"))).toBe(false)
  })

  it.each<readonly [string, ReadonlyArray<string>, boolean]>([
    ["is begun in its first cell under the lock of migrations", [], true],
    ["is not begun again if another process has made it meanwhile", cellsOf(3, 0), false],
  ])("%s", async (_, found, isBegun) => {
    let looks = 0
    const server = fakeServer({
      [asks.schemas]: () => (looks++ === 0 ? [] : found),
      pg_try_advisory_lock: ["1"],
      "schema_version')::text": Object.assign(new Error("x"), { code: "42501" }),
    })
    expect(await refusal(CellMigrations.run(server, 3))).toBe(
      "MigrationFailed: the database cannot be used: the user may not create or use the schema",
    )
    const begun = server.log.filter((text) => text.includes("create schema if not exists"))
    expect(begun).toHaveLength(isBegun ? 1 : 0)
    for (const text of begun) expect(text).toContain("countersign_cell_0_of_3")
    const at = server.log.findIndex((text) => text.includes("pg_try_advisory_lock"))
    expect(at).toBeGreaterThan(-1)
  })
})

describe("the check of several cells", () => {
  const gone = Object.assign(new Error("gone"), { code: "ECONNREFUSED" })
  const wrong = Object.assign(new Error("wrong"), { code: "42601", severity: "ERROR" })
  const broken = Object.assign(new Error("broken"), { code: "XX000", severity: "ERROR" })
  type Version = Error | ReadonlyArray<string | null>
  const made = ["schema_version"]
  /** A store of two cells, which answer so when it is asked whether they have a schema. */
  const checked = async (first: Version, second: Version) => {
    const warnings: Array<string> = []
    const server = fakeServer(
      complete({
        ...schemasOf(...cellsOf(2, 0, 1)),
        "countersign_cell_0_of_2.schema_version')": first,
        "countersign_cell_1_of_2.schema_version')": second,
      }),
    )
    const logger = Logger.make(({ message }) => void warnings.push(String(message)))
    const found = await Effect.runPromise(
      CellMigrations.check(server).pipe(
        Effect.map(({ cells }) => `${cells.length} cells`),
        Effect.catch(({ _tag, message }) => Effect.succeed(`${_tag}: ${message}`)),
        Effect.provide(Logger.layer([logger])),
      ),
    )
    return [found, warnings]
  }
  const failed = (reason: string) => `MigrationFailed: the database cannot be used: ${reason}`
  const refused = "connection refused: no server listens there"
  const unmade = "SchemaMismatch: the database has schema none, and this release needs 2: migrate it"

  it.each<readonly [string, Parameters<typeof checked>, string]>([
    ["which both do not answer", [gone, gone], failed(refused)],
    ["of which the first is wrong", [wrong, gone], failed("wrong")],
    ["of which the second is wrong", [gone, wrong], failed("wrong")],
    ["of which one has no schema", [gone, [null]], unmade],
    ["whose coordinator reaches no node", [broken, broken], failed("broken")],
    ["of which one is out of reach, and the other wrong", [broken, wrong], failed("wrong")],
  ])("%s fails with the reason", async (_, answers, message) => {
    expect(await checked(...answers)).toEqual([message, []])
  })

  it("succeeds if all answer, and warns of those that do not while others do", async () => {
    expect(await checked(made, made)).toEqual(["2 cells", []])
    const warning = (reason: string) => `1 of 2 cells cannot be reached: the database cannot be used: ${reason}`
    expect(await checked(gone, made)).toEqual(["2 cells", [warning(refused)]])
    expect(await checked(made, broken)).toEqual(["2 cells", [warning("broken")]])
    expect(await checked(made, wrong)).toEqual([failed("wrong"), []])
  })

  it("precedes the end of a roll-out, which counts the functions of all cells", async () => {
    const dropped = ["a_0()", "b_0()"]
    const cells = { ...schemasOf(...cellsOf(2, 0, 1)), ".schema_version')": made }
    const server = fakeServer(complete({ ...cells, "f.oid::regprocedure": dropped }))
    expect(await Effect.runPromise(CellMigrations.contract(server))).toBe(4)
  })
})
