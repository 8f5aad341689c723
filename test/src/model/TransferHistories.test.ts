/**
 * Random histories of transfers: in and out, at once, failing, cancelled, returned, refunded, reported twice, their accounts
 * blocked meanwhile; the books are checked after every step, and the end against the records and the webhooks. A failing run
 * prints the seed that replays it.
 */
import fc from "fast-check"
import { afterAll, describe, it } from "vitest"
import * as TestDatabase from "../adapter-postgres/TestDatabase.ts"
import { booksOf } from "../faults/Books.ts"
import { agentWorld } from "../harness/AgentWorld.ts"
import type { WorldStore } from "../harness/World.ts"
import { TransferAuditor } from "./TransferAuditor.ts"
import { command, run, suffixes } from "./TransferCommands.ts"

const database = TestDatabase.create(4)
afterAll(async () => (await database).close())

const connection = async () => (await database).connection
const onPostgres: WorldStore = {
  layer: TestDatabase.emptyStore(connection),
  books: async () => booksOf(await connection()),
}

const histories = (numRuns: number, store?: WorldStore) =>
  fc.assert(
    fc.asyncProperty(
      fc.array(command, { minLength: 5, maxLength: 40, size: "max" }),
      fc.integer(),
      async (commands, seed) => {
        await using world = await agentWorld({}, { suffixes, seed, interleave: seed, ...(store && { store }) })
        const auditor = new TransferAuditor(world)
        for (const step of commands) {
          await run(step, world, auditor)
          await auditor.check()
        }
        await world.clock.advance("5 minutes")
        await auditor.checkEnd()
      },
    ),
    { numRuns },
  )

describe("any history of transfers", () => {
  it("keeps money, states and events in order, in memory", async () => {
    await histories(Number(process.env["RUNS"] ?? 50))
  }, 120_000)

  it("keeps money, states and events in order, on PostgreSQL", async () => {
    await histories(Number(process.env["RUNS"] ?? 4), onPostgres)
  }, 120_000)
})
