/** What the check of the cells finds, and what an operator does about it. Source: `CellOperations.ts`; D-517. */
import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import * as CellOperations from "../../../packages/adapter-postgres/src/cells/CellOperations.ts"
import { guardName } from "../../../packages/adapter-postgres/src/cluster/PhysicalSql.ts"
import type { Connection } from "../../../packages/adapter-postgres/src/connection/Connection.ts"
import { asks, fakeCluster, fakeServer } from "./FakeCluster.ts"

const check = (connection: Connection) => Effect.runPromise(CellOperations.check(connection))
const stateOf = (more: object = {}) => [
  JSON.stringify({ wal: "logical", prepared: 100, connections: 100, doubtful: 0, ...more }),
]
const well = { [asks.state]: stateOf() }
const fine = (name: string) => ({ isProblem: false, check: `node ${name}`, text: "answers" })
/** No node holds the third cell of the cluster. */
const lost = {
  isProblem: true,
  check: "cells",
  text: "no active node holds countersign_cell_2_of_3",
  fix: "run `countersign migrate`, or activate their node",
}

describe("the check of cells", () => {
  it("of a database without a store is a problem", async () => {
    expect(await check(fakeServer({}))).toEqual([
      { isProblem: true, check: "cells", text: "the database has no store", fix: "run `countersign migrate`" },
    ])
  })

  it.each([
    ["countersign", "1 cell on one server"],
    ["countersign_cell_0_of_2", "2 cells on one server"],
  ])("of %s on one server finds all well", async (schema, text) => {
    expect(await check(fakeServer({ [asks.schemas]: [schema] }))).toEqual([{ isProblem: false, check: "cells", text }])
  })

  it("of one cell does not ask whether there is a cluster", async () => {
    const server = fakeServer({
      [asks.schemas]: ["countersign"],
      [asks.extension]: ["yes"],
      [asks.otherNodes]: ["yes"],
    })
    expect(await check(server)).toHaveLength(1)
    expect(server.log).toHaveLength(1)
  })

  it("of a cluster whose nodes hold all cells counts its nodes", async () => {
    const places = { countersign_cell_0_of_3: 0, countersign_cell_1_of_3: 5, countersign_cell_2_of_3: 5 }
    const nodes = [
      { host: "a", port: 1, group: 0 },
      { host: "b", port: 2, group: 5 },
    ]
    const { entry } = fakeCluster({ ...well, [asks.directory]: [JSON.stringify({ nodes, places })] }, well)
    expect(await check(entry)).toEqual([
      { isProblem: false, check: "cells", text: "3 cells on 2 nodes" },
      fine("a:1"),
      fine("b:2"),
    ])
  })

  it("of a cluster names the cells that no active node holds", async () => {
    const { entry } = fakeCluster(well, well)
    expect(await check(entry)).toEqual([lost, fine("a:1"), fine("b:2")])
  })
})

describe("the check of what moves have left", () => {
  const leftovers = async (rows: ReadonlyArray<string> | Error) => {
    const { coordinator, entry } = fakeCluster({ ...well, [asks.leftovers]: rows }, well)
    const found = (await check(entry)).filter(({ check: name }) => name === "moves")
    return { found, values: coordinator.statements.find(({ text }) => text.includes(asks.leftovers))?.values }
  }

  it.each([["0"], [], new Error("no such table")])("finds nothing in %j", async (...rows) => {
    const [first] = rows
    expect((await leftovers(first instanceof Error ? first : rows.map(String))).found).toEqual([])
  })

  it("finds tables of nodes that have left", async () => {
    expect(await leftovers(["1"])).toEqual({
      found: [
        {
          isProblem: true,
          check: "moves",
          text: "1 tables are to be dropped at a node that has left the cluster, and no cell can be moved",
          fix: "delete the rows of such groups from pg_dist_cleanup",
        },
      ],
      values: [["0", "5"]],
    })
  })
})

describe("the check of a node", () => {
  const nodeB = async (state: ReadonlyArray<string> | Error, more = {}) => {
    const { entry, node } = fakeCluster(well, { [asks.state]: state, ...more })
    const found = (await check(entry)).filter(({ check: name }) => name === "node b:2")
    return { found: found.map(({ fix, isProblem, text }) => [isProblem, text, fix]), node }
  }
  const prepared = (count: number): readonly [boolean, string, string] => [
    true,
    `commits over several cells may fail: max_prepared_transactions is ${count}`,
    "set it to 100 or more, the number of connections, and restart the node",
  ]

  it.each<readonly [object, ReadonlyArray<unknown>]>([
    [{ prepared: 100 }, [false, "answers", undefined]],
    [{ prepared: 101 }, [false, "answers", undefined]],
    [{ prepared: 99 }, prepared(99)],
    [{ prepared: 0 }, prepared(0)],
    [
      { wal: "replica" },
      [true, "cells cannot be moved: wal_level is not logical", "set wal_level = logical, and restart it"],
    ],
    [
      { doubtful: 1 },
      [
        true,
        "1 prepared transactions wait for more than a minute, with their locks",
        "start the node that decided them; the cluster ends them by itself when all nodes answer",
      ],
    ],
  ])("with %j finds %j", async (state, finding) => {
    expect((await nodeB(stateOf(state))).found).toEqual([finding])
  })

  it("has all of its problems, in their order", async () => {
    const { found } = await nodeB(stateOf({ wal: "minimal", prepared: 1, doubtful: 2 }))
    expect(found.map(([, text]) => String(text).slice(0, 12))).toEqual(["cells cannot", "commits over", "2 prepared t"])
  })

  it.each([
    [Object.assign(new Error("x"), { code: "ECONNREFUSED" }), "connection refused: no server listens there"],
    [[], "no answer"],
  ])("that gives %j does not answer", async (state, reason) => {
    expect((await nodeB(state)).found).toEqual([
      [true, `does not answer: ${reason}`, "start it; its cells are not available meanwhile"],
    ])
  })

  it("looks for the functions of this release in each cell, but not at the coordinator", async () => {
    const lacking = ({ values }: { readonly values: ReadonlyArray<unknown> }) =>
      values[1] === "countersign_cell_1_of_3" ? ["commit_group", null, "claim_jobs"] : []
    const { entry, node, coordinator } = fakeCluster(well, { ...well, [asks.lacking]: lacking })
    expect((await check(entry)).filter(({ check: name }) => name === "node b:2")).toEqual([
      {
        isProblem: true,
        check: "node b:2",
        text: "countersign_cell_1_of_3 lacks 2 functions of this release",
        fix: "run `countersign migrate`",
      },
    ])
    const asked = node.statements.filter(({ text }) => text.includes(asks.lacking))
    expect(asked.map(({ values }) => values[1])).toEqual([0, 1, 2].map((cell) => `countersign_cell_${cell}_of_3`))
    const [wanted = []] = asked[0]?.values ?? []
    expect(wanted).toContain(guardName)
    const doubtful = "where prepared < now() - interval '1 minute'"
    expect(node.log.filter((text) => text.includes(doubtful))).toHaveLength(1)
    expect(Array.isArray(wanted) && wanted.length > 5 && wanted.every((name) => !String(name).includes("."))).toBe(true)
    expect(coordinator.log.some((text) => text.includes(asks.lacking))).toBe(false)
  })
})
