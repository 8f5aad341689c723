/**
 * Random histories of transfers: customers that join and go, in and out in two currencies, at once, failing, cancelled, returned,
 * refunded, reported twice, their accounts blocked meanwhile. A model predicts every answer and every state; the books are checked
 * after every step, and at the end each webhook. A failing run prints the seed that replays it.
 */
import fc from "fast-check"
import { afterAll, describe, it } from "vitest"
import * as TestDatabase from "../adapter-postgres/TestDatabase.ts"
import { booksOf } from "../faults/Books.ts"
import { type WorldStore, world } from "../harness/World.ts"
import { TransferAuditor } from "./TransferAuditor.ts"
import { command, run } from "./TransferCommands.ts"

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
        await using pay = await world({ seed, interleave: seed, ...(store && { store }) })
        const auditor = await TransferAuditor.make(pay)
        for (const step of commands) {
          await run(step, pay, auditor)
          await auditor.check()
        }
        await run({ _tag: "Advance", millis: 300_000 }, pay, auditor)
        await auditor.checkEnd()
      },
    ),
    // A failure is told before the test's time is over, however far it was shrunk.
    { numRuns, interruptAfterTimeLimit: 200_000 },
  )

describe("any history of transfers", () => {
  it("keeps money, states and events in order, in memory", async () => {
    await histories(Number(process.env["RUNS"] ?? 30))
  }, 300_000)

  it("keeps money, states and events in order, on PostgreSQL", async () => {
    await histories(Number(process.env["RUNS"] ?? 3), onPostgres)
  }, 300_000)
})
