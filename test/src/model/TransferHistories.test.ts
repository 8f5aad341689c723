/** Random histories of transfers, in memory and on PostgreSQL. */

import { afterAll, describe, expect, it } from "vitest"
import { transferHistories } from "../../../packages/test/src/model/TransferHistories.ts"
import * as TestDatabase from "../adapter-postgres/TestDatabase.ts"

const database = TestDatabase.create(4)
afterAll(async () => (await database).close())

const onPostgres = TestDatabase.emptyWorld(database)

describe("any history of transfers", () => {
  it("keeps money, states and events in order, in memory", async () => {
    const runs = Number(process.env["RUNS"] ?? 30)
    expect(await transferHistories({ runs, withinMillis: 200_000 })).toEqual([])
  }, 300_000)

  it("keeps money, states and events in order, on PostgreSQL", async () => {
    const runs = Number(process.env["RUNS"] ?? 3)
    expect(await transferHistories({ runs, withinMillis: 200_000, world: { store: onPostgres } })).toEqual([])
  }, 300_000)
})
