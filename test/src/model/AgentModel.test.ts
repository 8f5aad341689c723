/** The model of an agent predicts the service on each store, and a service that deviates is found. */

import { afterAll, describe, expect, it } from "vitest"
import { agentPredictions } from "../../../packages/test/src/model/AgentPredictions.ts"
import * as TestDatabase from "../adapter-postgres/TestDatabase.ts"
import * as SuccessfulRails from "../transaction/SuccessfulRails.ts"

const database = TestDatabase.create(4)
afterAll(async () => (await database).close())
const onPostgres = TestDatabase.emptyWorld(database)

describe("the model of an agent", { timeout: 240_000 }, () => {
  it("predicts the service, in memory", async () => {
    expect(await agentPredictions({ runs: Number(process.env["RUNS"] ?? 50) })).toEqual([])
  })

  it("predicts the service, on PostgreSQL", async () => {
    const runs = Number(process.env["RUNS"] ?? 3)
    expect(await agentPredictions({ runs, world: { store: onPostgres } })).toEqual([])
  })

  it("predicts the service under another policy", async () => {
    const policy = {
      permissions: ["CREATE_TRANSFERS"],
      defaultExecutionMode: "APPROVAL_REQUIRED",
      perTransactionLimit: 1500,
      dailyLimit: null,
      monthlyLimit: 4000,
      dailyTransactionLimit: 3,
      threshold: null,
    } as const
    expect(await agentPredictions({ runs: 10, policy })).toEqual([])
  })

  it("reports rails that succeed for a magic suffix that must fail", async () => {
    const [problem] = await agentPredictions({ seed: 4, isShrunk: false, world: { ports: SuccessfulRails.layer() } })
    expect(problem).toMatch(/"_tag":"Submit".*"suffix":"00[2-5]"/su)
    expect(problem).toContain("curl -s -g")
    expect(problem).toContain("seed: 4")
  })
})
