/** Random histories check a policy, a rule, a port or a store of your own. */
import { agentHistories, agentPredictions } from "@countersign/test/model"
import { expect, it } from "vitest"

it("no history of an agent exceeds the budgets of this policy", { timeout: 120_000 }, async () => {
  const spendingLimits = { currency: "USD", perTransactionLimit: 900, dailyLimit: 1500 } as const
  // Each problem is in the list, with the smallest history that shows it and the seed that replays it.
  expect(await agentHistories({ policy: { spendingLimits }, runs: 20 })).toEqual([])
})

it("every answer under this policy equals the prediction of the model", { timeout: 120_000 }, async () => {
  const policy = {
    permissions: ["CREATE_TRANSFERS"],
    defaultExecutionMode: "AUTO",
    perTransactionLimit: 900,
    dailyLimit: 1500,
    monthlyLimit: null,
    dailyTransactionLimit: 3,
    threshold: 400,
  } as const
  expect(await agentPredictions({ policy, runs: 5 })).toEqual([])
})
