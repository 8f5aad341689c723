/** Random histories of cards, in memory and on PostgreSQL. */
import { afterAll, describe, expect, it } from "vitest"
import * as TestDatabase from "../adapter-postgres/TestDatabase.ts"
import { cardHistories } from "./CardHistories.ts"

const database = TestDatabase.create(4)
afterAll(async () => (await database).close())

const onPostgres = TestDatabase.emptyWorld(database)

describe("any history of cards", () => {
  it("keeps money, states and events in order, in memory", async () => {
    const runs = Number(process.env["RUNS"] ?? 20)
    expect(await cardHistories({ runs })).toEqual([])
  }, 120_000)

  it("keeps money, states and events in order, on PostgreSQL", async () => {
    const runs = Number(process.env["RUNS"] ?? 2)
    expect(await cardHistories({ runs, world: { store: onPostgres } })).toEqual([])
  }, 120_000)
})
