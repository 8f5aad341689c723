/** `countersign cells` on one server, and what it would move in a cluster. Source: D-514, D-517. */
import { CellOperations } from "@countersign/adapter-postgres"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { newDatabase, type ServerDatabase } from "../e2e/ServerDatabase.ts"
import { type CommandName, run } from "../e2e/ServerProcess.ts"

const command = async (name: CommandName, ...options: ReadonlyArray<string>) => {
  await using running = run({ command: name, options })
  const { code } = await running.exited
  return { code, stdout: running.stdout(), stderr: running.stderr() }
}

describe("countersign cells, on one server", { timeout: 60_000 }, () => {
  let database: ServerDatabase
  beforeAll(async () => {
    database = await newDatabase()
  })
  afterAll(() => database[Symbol.asyncDispose]())
  const cells = (...words: ReadonlyArray<string>) => command("cells", ...words, ...database.options)

  it("reports that there is no store yet, and lists none", async () => {
    expect(await cells("check")).toMatchObject({
      code: 1,
      stdout: expect.stringContaining("the database has no store"),
    })
    expect(JSON.parse((await cells("list", "--json")).stdout)).toEqual({ cells: [], nodes: [] })
  })

  it("lists the schemas of the server, and moves none", async () => {
    expect(await command("migrate", "--cells", "3", ...database.options)).toMatchObject({ code: 0 })
    expect(await cells("check")).toMatchObject({ code: 0, stdout: expect.stringContaining("3 cells on one server") })
    const { cells: found, nodes } = JSON.parse((await cells("list", "--json")).stdout)
    expect(found).toEqual([0, 1, 2].map((cell) => ({ cell, bytes: expect.any(Number), customers: 0 })))
    expect(found.every(({ bytes }: { readonly bytes: number }) => bytes > 100_000)).toBe(true)
    expect(nodes).toEqual([])
    expect((await cells("list")).stdout).toMatch(/^cell +node +MB +customers\n0 +this server/u)
    for (const words of [
      ["move", "1", "10.0.0.1:5432"],
      ["add-node", "10.0.0.1:5432"],
      ["restore-point", "nightly"],
    ]) {
      expect(await cells(...words)).toMatchObject({
        code: 1,
        stderr: expect.stringContaining("the database is no node of a cluster: its cells are schemas of one server"),
      })
    }
    expect(await cells("rebalance")).toMatchObject({ code: 0, stdout: "the nodes are balanced\n" })
    expect(JSON.parse((await cells("rebalance", "--json")).stdout)).toEqual({ moves: [] })
  })

  it.each([
    [["add-node", "10.0.0.1"], "a node is HOST:PORT, as its other nodes reach it"],
    [["add-node", ":5432"], "a node is HOST:PORT, as its other nodes reach it"],
    [["move", "one", "10.0.0.1:5432"], "one"],
  ])("refuses %j", async (words, message) => {
    expect(await cells(...words)).toMatchObject({ code: 2, stderr: expect.stringContaining(message) })
  })

  it("needs a server", async () => {
    expect(await command("cells", "list", "--store", "memory")).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("cells need a server: --store postgres://..."),
    })
  })
})

describe("the moves that balance nodes", () => {
  const nodeOf = (name: string, takesCells = true) => ({ name, host: name, port: 1, isCoordinator: false, takesCells })
  const megabytes = 1_000_000
  /** The cells of each node, by their sizes in megabytes. */
  const listOf = (sizes: Readonly<Record<string, ReadonlyArray<number>>>, left: ReadonlyArray<string> = []) => {
    const placed = Object.entries(sizes).flatMap(([node, all]) =>
      all.map((size) => ({ node, bytes: size * megabytes })),
    )
    return {
      nodes: Object.keys(sizes).map((name) => nodeOf(name, !left.includes(name))),
      cells: placed.map((row, cell) => ({ ...row, cell, customers: 0 })),
    }
  }
  /** What each node holds after the moves, in megabytes. */
  const after = (list: ReturnType<typeof listOf>) => {
    const moves = CellOperations.plan(list)
    const held = new Map(list.nodes.map(({ name }) => [name, 0]))
    for (const { bytes, cell, node } of list.cells) {
      const to = moves.findLast((move) => move.cell === cell)?.to ?? node
      held.set(to, (held.get(to) ?? 0) + bytes / megabytes)
    }
    return { count: moves.length, held: Object.fromEntries(held) }
  }

  it("are none where nodes hold the same, and where no move helps", () => {
    expect(after(listOf({ a: [5, 5], b: [10] })).count).toBe(0)
    expect(after(listOf({ a: [100], b: [] })).count).toBe(0)
    expect(after(listOf({ a: [] })).count).toBe(0)
    expect(CellOperations.plan({ cells: [{ cell: 0, node: undefined, bytes: 9, customers: 0 }], nodes: [] })).toEqual(
      [],
    )
  })

  it("give a new node its share, the fewest and largest cells that make it even", () => {
    expect(after(listOf({ a: [10, 10, 10], b: [10, 10, 10], c: [] }))).toEqual({
      count: 2,
      held: { a: 20, b: 20, c: 20 },
    })
    expect(after(listOf({ a: [40, 5, 5, 30], b: [] }))).toEqual({ count: 1, held: { a: 40, b: 40 } })
  })

  it("spread empty cells, too", () => {
    expect(CellOperations.plan(listOf({ a: [0, 0, 0, 0], b: [] }))).toHaveLength(2)
  })

  it("empty a node that takes no cells any more", () => {
    expect(after(listOf({ a: [10, 10], b: [20], c: [0] }, ["a"]))).toMatchObject({ held: { a: 0 } })
    const { held } = after(listOf({ a: [10, 10], b: [20], c: [0] }, ["a"]))
    expect(Math.max(...Object.values(held))).toBeLessThanOrEqual(30)
  })

  it("end, and never make the fullest node fuller", () => {
    let seed = 7
    const random = (below: number) => {
      seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31
      return seed % below
    }
    for (let run = 0; run < 500; run++) {
      const nodes = 1 + random(5)
      const sizes = Object.fromEntries(
        Array.from({ length: nodes }, (_, n) => [`n${n}`, Array.from({ length: random(6) }, () => 1 + random(50))]),
      )
      const list = listOf(sizes)
      const before = Math.max(...Object.values(sizes).map((all) => all.reduce((sum, size) => sum + size, 0)))
      const { held } = after(list)
      expect(Math.max(...Object.values(held))).toBeLessThanOrEqual(before)
      for (const { cell, from, to } of CellOperations.plan(list)) {
        expect(from).not.toBe(to)
        expect(list.cells[cell]).toBeDefined()
      }
    }
  })
})
