/** Races of an agent's quotes on PostgreSQL end as they do in memory. Source: wire contract 1.4 and 1.6. */
import { afterAll, beforeAll, describe } from "vitest"
import { proveQuoteRaces } from "../agent/QuoteRaces.ts"
import * as TestDatabase from "./TestDatabase.ts"

let database: TestDatabase.TestDatabase
beforeAll(async () => {
  database = await TestDatabase.create(8)
}, 60_000)
afterAll(() => database.close())

// Each test has its own store, because worlds of one seed generate the same identifiers.
describe("races", { timeout: 120_000 }, () => {
  proveQuoteRaces(async () => ({ store: await TestDatabase.emptiedWorld(database) }))
})
