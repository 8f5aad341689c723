/** What an operator sees of the cells and does with them, and what is refused. Source: `CellOperations.ts`; D-517. */
import { Effect, Exit, Fiber } from "effect"
import { describe, expect, it } from "vitest"
import * as CellOperations from "../../../packages/adapter-postgres/src/cells/CellOperations.ts"
import { asks, fakeCluster, fakeServer } from "./FakeCluster.ts"

const run = <A, E>(effect: Effect.Effect<A, E>) => Effect.runPromise(effect)
const refusal = (effect: Effect.Effect<unknown, CellOperations.NotPossible | CellOperations.OperationFailed>) =>
  Effect.runPromise(Effect.map(Effect.flip(effect), ({ _tag, message }) => [_tag, message]))
const gone = Object.assign(new Error("gone"), { code: "ECONNREFUSED" })
const cellName = (cell: number) => `countersign_cell_${cell}_of_3`
const sizeOf = (schema: string, bytes: number) => JSON.stringify([schema, bytes])

describe("the list of cells", () => {
  it("of a store on one server has no nodes", async () => {
    const server = fakeServer({
      [asks.schemas]: ["countersign"],
      [asks.sizes]: [sizeOf("countersign", 7), null],
      [asks.customers]: ["12"],
    })
    expect(await run(CellOperations.list(server))).toEqual({
      cells: [{ cell: 0, node: undefined, bytes: 7, customers: 12 }],
      nodes: [],
    })
    expect(server.log.at(-1)).toBe("select count(*)::text from countersign.customer")
    expect(server.log.some((text) => text.includes(asks.extension))).toBe(false)
  })

  it("of several cells on one server has each with its size and customers", async () => {
    const server = fakeServer({
      [asks.schemas]: ["countersign_cell_1_of_2", "countersign_cell_0_of_2"],
      [asks.sizes]: [sizeOf("countersign_cell_1_of_2", 9)],
      "countersign_cell_1_of_2.customer": ["3"],
    })
    expect(await run(CellOperations.list(server))).toEqual({
      cells: [
        { cell: 0, node: undefined, bytes: 0, customers: 0 },
        { cell: 1, node: undefined, bytes: 9, customers: 3 },
      ],
      nodes: [],
    })
  })

  it("of a database without a store is empty", async () => {
    expect(await run(CellOperations.list(fakeServer({})))).toEqual({ cells: [], nodes: [] })
  })

  it("of a cluster has the node of each cell, and which nodes take cells", async () => {
    const { entry } = fakeCluster(
      { [asks.takesCells]: ["b:2", null], [asks.shardSizes]: [sizeOf(cellName(0), 100)], [asks.customers]: ["1"] },
      { [asks.shardSizes]: [sizeOf(cellName(1), 200)], [asks.customers]: ["2"] },
    )
    expect(await run(CellOperations.list(entry))).toEqual({
      cells: [
        { cell: 0, node: "a:1", bytes: 100, customers: 1 },
        { cell: 1, node: "b:2", bytes: 200, customers: 2 },
        { cell: 2, node: undefined, bytes: 0, customers: 0, isLost: true },
      ],
      nodes: [
        { host: "a", port: 1, name: "a:1", isCoordinator: true, takesCells: false },
        { host: "b", port: 2, name: "b:2", isCoordinator: false, takesCells: true },
      ],
    })
  })

  it("of a cluster has the cells of a node that does not answer as lost, and asks for no customers of them", async () => {
    const { entry, node } = fakeCluster(
      { [asks.shardSizes]: [sizeOf(cellName(0), 100)], [asks.customers]: ["1"] },
      { [asks.shardSizes]: gone },
    )
    const { cells } = await run(CellOperations.list(entry))
    expect(cells[1]).toEqual({ cell: 1, node: "b:2", bytes: 0, customers: 0, isLost: true })
    expect(node.log).toHaveLength(1)
  })

  it("fails with the reason of the database", async () => {
    expect(await refusal(CellOperations.list(fakeServer({ [asks.schemas]: gone })))).toEqual([
      "OperationFailed",
      "connection refused: no server listens there",
    ])
  })
})

describe("a move", () => {
  const session = { [asks.session]: ['[42,"30s"]'] }

  it.each([
    [
      "on one server",
      fakeServer({}),
      0,
      "b:2",
      "the database is no node of a cluster: its cells are schemas of one server",
    ],
    [
      "on a server with the extension and no other node",
      fakeServer({ [asks.extension]: ["yes"] }),
      0,
      "b:2",
      "the database is no node of a cluster: its cells are schemas of one server",
    ],
    ["of a cell after the last", fakeCluster().entry, 3, "b:2", "the store has the cells 0 to 2, not 3"],
    ["of a cell before the first", fakeCluster().entry, -1, "b:2", "the store has the cells 0 to 2, not -1"],
    ["to an unknown node", fakeCluster().entry, 0, "c:3", "the cluster has no node c:3: it has a:1, b:2"],
  ])("%s is refused", async (_, connection, cell, node, message) => {
    expect(await refusal(CellOperations.move(connection, cell, node))).toEqual(["NotPossible", message])
  })

  it("to the node that holds the cell does nothing", async () => {
    const { coordinator, entry } = fakeCluster(session)
    await run(CellOperations.move(entry, 0, "a:1"))
    expect(coordinator.log.some((text) => text.includes("citus_schema_move"))).toBe(false)
  })

  it("runs on the coordinator without a time limit, and restores the limit of the session", async () => {
    const { coordinator, entry, node } = fakeCluster(session)
    await run(CellOperations.move(entry, 0, "b:2"))
    const at = coordinator.log.indexOf("script set statement_timeout = 0")
    expect(coordinator.log.slice(at - 1, at)).toEqual([expect.stringContaining(asks.session)])
    expect(coordinator.log.slice(at + 1)).toEqual([
      "select citus_schema_move($1::regnamespace, $2, $3::int)::text",
      "call citus_cleanup_orphaned_resources()",
      "select 'left' from pg_dist_cleanup limit 1",
      "select set_config('statement_timeout', $1, false)",
    ])
    const moved = coordinator.statements.find(({ text }) => text.includes("citus_schema_move"))
    expect([moved?.values, moved?.answerMillisMax]).toEqual([[cellName(0), "b", 2], Number.MAX_SAFE_INTEGER])
    expect(coordinator.statements.at(-1)?.values).toEqual(["30s"])
    expect(node.log).toEqual([])
  })

  it("of a cell that no active node holds is made", async () => {
    const { coordinator, entry } = fakeCluster(session)
    await run(CellOperations.move(entry, 2, "a:1"))
    expect(coordinator.statements.find(({ text }) => text.includes("citus_schema_move"))?.values).toEqual([
      cellName(2),
      "a",
      1,
    ])
  })

  it("cleans up until nothing is left, at most twenty times", async () => {
    let left = 3
    const some = fakeCluster({ ...session, [asks.cleanup]: () => (left-- > 0 ? ["left"] : []) })
    await run(CellOperations.move(some.entry, 0, "b:2"))
    const count = (log: ReadonlyArray<string>, part: string) => log.filter((text) => text.includes(part)).length
    expect([count(some.coordinator.log, "citus_cleanup"), count(some.coordinator.log, "pg_sleep(0.5)")]).toEqual([4, 3])
    const always = fakeCluster({ ...session, [asks.cleanup]: ["left"] })
    await run(CellOperations.move(always.entry, 0, "b:2"))
    expect([count(always.coordinator.log, "citus_cleanup"), count(always.coordinator.log, "pg_sleep(0.5)")]).toEqual([
      20, 20,
    ])
  })

  it("that fails restores the limit of the session", async () => {
    const { coordinator, entry } = fakeCluster({ ...session, citus_schema_move: new Error("no replica identity") })
    expect(await refusal(CellOperations.move(entry, 0, "b:2"))).toEqual(["OperationFailed", "no replica identity"])
    expect(coordinator.statements.at(-1)?.values).toEqual(["30s"])
  })

  it("that is interrupted is cancelled at the server, and cleans up no longer", async () => {
    const begun = Promise.withResolvers<void>()
    const { coordinator, entry } = fakeCluster({
      ...session,
      [asks.cleanup]: () => {
        begun.resolve()
        return ["left"]
      },
      "pg_sleep(0.5)": ["slept"],
    })
    const exit = await run(
      Effect.gen(function* () {
        const fiber = yield* Effect.forkChild(CellOperations.move(entry, 0, "b:2"))
        yield* Effect.promise(() => begun.promise)
        yield* Fiber.interrupt(fiber)
        return yield* Fiber.await(fiber)
      }),
    )
    expect(Exit.isFailure(exit)).toBe(true)
    await new Promise((resolve) => setImmediate(resolve))
    const cancels = coordinator.statements.filter(({ text }) => text.includes("pg_cancel_backend"))
    expect(cancels.map(({ values }) => values)).toEqual([[42]])
    expect(coordinator.log.filter((text) => text.includes("citus_cleanup")).length).toBeLessThan(20)
  })
})

describe("a node that is added", () => {
  const session = { [asks.session]: ['[42,"30s"]'] }

  it("has the extension, and joins at the coordinator", async () => {
    const { coordinator, entry, others } = fakeCluster(session)
    await run(CellOperations.addNode(entry, { host: "c", port: 3 }))
    expect(others.map(({ log }) => log)).toEqual([["create extension if not exists citus"]])
    const added = coordinator.statements.find(({ text }) => text.includes("citus_add_node"))
    expect(added?.values).toEqual(["c", 3])
  })

  it.each([
    ["b", 2, false],
    ["b", 3, true],
    ["c", 2, true],
  ])("is added once: %s:%i", async (host, port, isAdded) => {
    const { coordinator, entry } = fakeCluster(session)
    await run(CellOperations.addNode(entry, { host, port }))
    expect(coordinator.log.some((text) => text.includes("citus_add_node"))).toBe(isAdded)
  })

  it("is refused on one server", async () => {
    expect(await refusal(CellOperations.addNode(fakeServer({}), { host: "c", port: 3 }))).toEqual([
      "NotPossible",
      "the database is no node of a cluster: its cells are schemas of one server",
    ])
  })
})
