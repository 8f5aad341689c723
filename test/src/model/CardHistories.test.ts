/** Random histories of cards, in memory and on PostgreSQL. */

import { afterAll, describe, expect, it } from "vitest"
import { cardModelWorld } from "../../../packages/test/src/model/CardCommands.ts"
import { cardHistories } from "../../../packages/test/src/model/CardHistories.ts"
import * as TestDatabase from "../adapter-postgres/TestDatabase.ts"

const database = TestDatabase.create(4)
afterAll(async () => (await database).close())

const onPostgres = TestDatabase.emptyWorld(database)

describe("any history of cards", () => {
  // With this seed the cardholder's id ends in the magic suffix 001, with which a card is never provisioned.
  it("starts with active cards, whatever identifiers are generated", async () => {
    await using pay = await cardModelWorld({ seed: 3470 })
    expect(pay.customerId).toMatch(/001$/u)
    const { data } = await pay.client.cards.listCards({ query: {} })
    expect(data.map(({ state }) => state)).toEqual(["ACTIVE", "ACTIVE"])
  })

  it("keeps money, states and events in order, in memory", async () => {
    const runs = Number(process.env["RUNS"] ?? 20)
    expect(await cardHistories({ runs })).toEqual([])
  }, 120_000)

  it("keeps money, states and events in order, on PostgreSQL", async () => {
    const runs = Number(process.env["RUNS"] ?? 2)
    expect(await cardHistories({ runs, world: { store: onPostgres } })).toEqual([])
  }, 120_000)
})
