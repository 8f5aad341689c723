/** Random histories of several agents, approvers and policies, in memory and with two processes on PostgreSQL. */
import { PoolConnection, PostgresStore } from "@countersign/adapter-postgres"
import { WallTime } from "@countersign/core/ports"
import { Effect, Layer } from "effect"
import { afterAll, describe, expect, it } from "vitest"
import type { WorldStore } from "../../../packages/test/src/harness/World.ts"
import { approvalHistories } from "../../../packages/test/src/model/ApprovalHistories.ts"
import * as TestDatabase from "../adapter-postgres/TestDatabase.ts"
import { booksOf } from "../faults/Books.ts"

const database = TestDatabase.create(4)
afterAll(async () => (await database).close())

const connection = async () => (await database).connection
const books = async () => booksOf(await connection())

/** The store of the second process: the same database over its own connections. */
const another = Layer.unwrap(
  Effect.promise(async () => {
    const { another: pool } = await database
    return Layer.orDie(PostgresStore.layer({ connection: PoolConnection.make(pool(4)) })).pipe(
      Layer.provide(WallTime.layerClock),
    )
  }),
)
const twoProcesses: ReadonlyArray<WorldStore> = [
  { layer: TestDatabase.emptyStore(connection), books },
  { layer: another, books },
]

describe("any history of several agents and approvers", () => {
  it("keeps budgets, money and actions in order, in memory", async () => {
    expect(await approvalHistories({ runs: Number(process.env["RUNS"] ?? 40) })).toEqual([])
  })

  it("keeps budgets, money and actions in order, with two processes on PostgreSQL", async () => {
    const runs = Number(process.env["RUNS"] ?? 6)
    expect(await approvalHistories({ runs, maxLength: 25, stores: twoProcesses })).toEqual([])
  })
})
