/** Races of stablecoin operations on PostgreSQL end as they do in memory. Source: wire contract areas 1.6. */
import { afterAll, beforeAll, describe } from "vitest"
import { proveStablecoinRaces } from "../stablecoin/Races.ts"
import { stablecoinWorld } from "../stablecoin/StablecoinWorld.ts"
import * as TestDatabase from "./TestDatabase.ts"

let database: TestDatabase.TestDatabase
beforeAll(async () => {
  database = await TestDatabase.create(8)
}, 60_000)
afterAll(() => database.close())

// Each test has its own store, because worlds of one seed generate the same identifiers.
describe("stablecoins on PostgreSQL", { timeout: 120_000 }, () => {
  proveStablecoinRaces(async () => stablecoinWorld({ store: await TestDatabase.emptiedWorld(database) }))
})
