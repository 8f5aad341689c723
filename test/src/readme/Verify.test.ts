/** The README's example of the door Verify, which a test compares with it. */
import { agentHistories } from "@countersign/test/model"
import { expect, it } from "vitest"

it("no history of an agent exceeds the budgets of this policy", { timeout: 120_000 }, async () => {
  const spendingLimits = { currency: "USD", perTransactionLimit: 900, dailyLimit: 1500 } as const
  // Each problem is in the list, with the smallest history that shows it and the seed that replays it.
  expect(await agentHistories({ policy: { spendingLimits }, runs: 20 })).toEqual([])
})
