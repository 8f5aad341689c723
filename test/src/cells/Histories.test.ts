/** The model histories on a store in four cells. Source: D-514. */

import { afterAll, describe, expect, it } from "vitest"
import { agentPredictions } from "../../../packages/test/src/model/AgentPredictions.ts"
import { cardHistories } from "../../../packages/test/src/model/CardHistories.ts"
import { quoteHistories } from "../../../packages/test/src/model/QuoteHistories.ts"
import { transferHistories } from "../../../packages/test/src/model/TransferHistories.ts"
import * as TestDatabase from "../adapter-postgres/TestDatabase.ts"

const database = TestDatabase.create(8)
afterAll(async () => (await database).close())

const world = { store: TestDatabase.emptyWorld(database, 4) }
const runs = Number(process.env["RUNS"] ?? 2)

describe("in four cells", { timeout: 240_000 }, () => {
  it("transfers keep money, states and events in order", async () => {
    expect(await transferHistories({ runs, withinMillis: 200_000, world })).toEqual([])
  })

  it("quotes keep money, states and events in order", async () => {
    expect(await quoteHistories({ runs, world })).toEqual([])
  })

  it("cards keep money, states and events in order", async () => {
    expect(await cardHistories({ runs, world })).toEqual([])
  })

  it("the model of an agent predicts the service", async () => {
    expect(await agentPredictions({ runs, world })).toEqual([])
  })
})
