/**
 * Random histories of several agents, approvers and policies, at the edges of days and months, in memory and with two processes on
 * PostgreSQL: no budget is passed, no action is executed twice or decided twice, and none is lost. A failing run prints its seed.
 * Source: issue "Agents, complete", Proof.
 */
import { PoolConnection, PostgresStore } from "@countersign/adapter-postgres"
import { WallTime } from "@countersign/core"
import { Effect, Layer } from "effect"
import fc from "fast-check"
import { afterAll, describe, it } from "vitest"
import * as TestDatabase from "../adapter-postgres/TestDatabase.ts"
import { booksOf } from "../faults/Books.ts"
import type { WorldStore } from "../harness/World.ts"
import { ApprovalAuditor } from "./ApprovalAuditor.ts"
import { type Command, command, run } from "./ApprovalCommands.ts"
import { approvalWorld } from "./ApprovalWorld.ts"

const database = TestDatabase.create(4)
afterAll(async () => (await database).close())

const connection = async () => (await database).connection
const books = async () => booksOf(await connection())

/** The second process comes to the first one's database, over connections of its own. */
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

const histories = (numRuns: number, maxLength: number, stores: ReadonlyArray<WorldStore>) =>
  fc.assert(
    fc.asyncProperty(
      fc.array<Command>(command, { minLength: 6, maxLength, size: "max" }),
      fc.nat({ max: 1_000_000 }),
      async (commands, seed) => {
        await using world = await approvalWorld(seed, stores)
        const auditor = new ApprovalAuditor(world)
        for (const step of commands) {
          await auditor.before()
          await run(step, world, auditor)
          await auditor.check()
        }
        await auditor.before()
        await world.advance(5 * 60_000)
        await auditor.checkEnd()
      },
    ),
    { numRuns },
  )

describe("any history of several agents and approvers", () => {
  it("keeps budgets, money and actions in order, in memory", async () => {
    await histories(Number(process.env["RUNS"] ?? 40), 30, [])
  })

  it("keeps budgets, money and actions in order, with two processes on PostgreSQL", async () => {
    await histories(Number(process.env["RUNS"] ?? 6), 25, twoProcesses)
  })
})
