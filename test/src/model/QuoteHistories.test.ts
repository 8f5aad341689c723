/**
 * Random histories of quotes: made at once, executed twice, expired, funded by their payers with the right or a wrong amount,
 * pulled, cancelled, failing, returned and refunded. Every answer, balance and state is predicted by `QuoteModel`; the books are
 * checked after every step, and the end against the records and the webhooks. A failing run prints the seed that replays it.
 */
import fc from "fast-check"
import { afterAll, describe, it } from "vitest"
import * as TestDatabase from "../adapter-postgres/TestDatabase.ts"
import { booksOf } from "../faults/Books.ts"
import { quoteHarness } from "../harness/QuoteHarness.ts"
import type { WorldStore } from "../harness/World.ts"
import { QuoteAuditor } from "./QuoteAuditor.ts"
import { command, run } from "./QuoteCommands.ts"

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
      fc.array(command, { minLength: 5, maxLength: 18, size: "max" }),
      fc.integer(),
      async (commands, seed) => {
        await using pay = await quoteHarness({ seed, interleave: seed, ...(store && { store }) })
        const auditor = await QuoteAuditor.make(pay)
        for (const step of commands) {
          await run(step, pay, auditor)
          await auditor.check()
        }
        await pay.clock.advance("20 minutes")
        auditor.advanced(1_200_000)
        await auditor.checkEnd()
      },
    ),
    { numRuns },
  )

describe("any history of quotes", () => {
  it("keeps money, states and events in order, in memory", async () => {
    await histories(Number(process.env["RUNS"] ?? 15))
  }, 120_000)

  it("keeps money, states and events in order, on PostgreSQL", async () => {
    await histories(Number(process.env["RUNS"] ?? 3), onPostgres)
  }, 120_000)
})
