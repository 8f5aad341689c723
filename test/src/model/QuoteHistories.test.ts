/** Random histories of quotes, in memory and on PostgreSQL. */

import { afterAll, describe, expect, it } from "vitest"
import { quoteHistories } from "../../../packages/test/src/model/QuoteHistories.ts"
import * as TestDatabase from "../adapter-postgres/TestDatabase.ts"

const database = TestDatabase.create(4)
afterAll(async () => (await database).close())

const onPostgres = TestDatabase.emptyWorld(database)

describe("any history of quotes", () => {
  it("keeps money, states and events in order, in memory", async () => {
    const runs = Number(process.env["RUNS"] ?? 15)
    expect(await quoteHistories({ runs })).toEqual([])
  }, 120_000)

  it("keeps money, states and events in order, on PostgreSQL", async () => {
    const runs = Number(process.env["RUNS"] ?? 3)
    expect(await quoteHistories({ runs, world: { store: onPostgres } })).toEqual([])
  }, 120_000)
})
