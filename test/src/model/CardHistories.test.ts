/** Random histories of cards, in memory and on PostgreSQL. */

import { Layer } from "effect"
import { SecureRandom } from "effect/crypto"
import { afterAll, describe, expect, it } from "vitest"
import { cardModelWorld } from "../../../packages/test/src/model/CardCommands.ts"
import { cardHistories } from "../../../packages/test/src/model/CardHistories.ts"
import * as TestDatabase from "../adapter-postgres/TestDatabase.ts"

const database = TestDatabase.create(4)
afterAll(async () => (await database).close())

const onPostgres = TestDatabase.emptyWorld(database)

/** Identifiers take 8 random bytes each and end in the last of them: here in the magic suffix 001, with which a card is never provisioned. */
const endingIn001 = Layer.sync(SecureRandom.SecureRandom, () => {
  let drawn = 0
  return SecureRandom.make((size) => {
    drawn += 1
    return Uint8Array.from(
      { length: size },
      (_, index) => [drawn >> 8, drawn, index, 1, 2, 3, 0x10, 0x01][index % 8] ?? 0,
    )
  })
})

describe("any history of cards", () => {
  it("starts with active cards, whatever identifiers are generated", async () => {
    await using pay = await cardModelWorld({ ports: endingIn001 })
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
