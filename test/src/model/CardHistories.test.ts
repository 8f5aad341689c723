/**
 * Random histories of cards: authorizations, clearings, returns, advices, freezes, closes, other funding sources (signed, where
 * the cardholder can sign), debts and what pays them, at once and over
 * weeks; the books are checked after every step, and the end against the records and the webhooks. A failing run prints the seed
 * that replays it.
 */
import fc from "fast-check"
import { afterAll, describe, it } from "vitest"
import * as TestDatabase from "../adapter-postgres/TestDatabase.ts"
import { booksOf } from "../faults/Books.ts"
import type { WorldStore } from "../harness/World.ts"
import { CardAuditor } from "./CardAuditor.ts"
import { cardModelWorld, command, run } from "./CardCommands.ts"

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
      fc.array(command, { minLength: 8, maxLength: 40, size: "max" }),
      fc.integer(),
      fc.boolean(),
      async (commands, seed, signs) => {
        await using pay = await cardModelWorld({ seed, interleave: seed, ...(store && { store }) }, { signs })
        const auditor = new CardAuditor(pay)
        for (const step of commands) {
          await run(step, pay, auditor)
          await auditor.check()
        }
        await pay.clock.advance("8 days")
        await auditor.checkEnd()
      },
    ),
    { numRuns },
  )

describe("any history of cards", () => {
  it("keeps money, states and events in order, in memory", async () => {
    await histories(Number(process.env["RUNS"] ?? 20))
  }, 120_000)

  it("keeps money, states and events in order, on PostgreSQL", async () => {
    await histories(Number(process.env["RUNS"] ?? 2), onPostgres)
  }, 120_000)
})
