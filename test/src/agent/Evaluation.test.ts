/** The verdict of a policy: allow, hold or deny, and what an execution charges. */

import { AgentPolicyEvaluation, type Rate } from "@countersign/core"
import type { CurrencyCode } from "@countersign/core/models"
import { describe, expect, it } from "vitest"
import { accountId, agentWith, spending } from "./Facts.ts"

const { chargesOf, evaluate, giveBack, permitted } = AgentPolicyEvaluation

describe("the mode", () => {
  const held = (explanation: object) => ({ _tag: "Hold", explanation })
  const rule = (executionMode: "AUTO" | "APPROVAL_REQUIRED") => ({ accountRules: [{ accountId, executionMode }] })
  const threshold = (amount: number | null) => ({ approvalThresholds: { currency: "USD" as const, amount } })
  it.each([
    ["AUTO executes", agentWith(), { _tag: "Allow" }],
    [
      "APPROVAL_REQUIRED holds",
      agentWith({ defaultExecutionMode: "APPROVAL_REQUIRED" }),
      held({ rule: "DEFAULT_EXECUTION_MODE", message: "The agent's policy holds every action." }),
    ],
    [
      "an account's mode replaces the default: held",
      agentWith({ accountRestrictions: rule("APPROVAL_REQUIRED") }),
      held({
        rule: "ACCOUNT_EXECUTION_MODE",
        message: "The agent's policy holds every action on this account.",
        accountId,
      }),
    ],
    [
      "an account's mode replaces the default: executed",
      agentWith({ defaultExecutionMode: "APPROVAL_REQUIRED", accountRestrictions: rule("AUTO") }),
      { _tag: "Allow" },
    ],
    ["exactly the threshold executes", agentWith(threshold(100)), { _tag: "Allow" }],
    [
      "above the threshold holds",
      agentWith(threshold(99)),
      held({
        rule: "APPROVAL_THRESHOLD",
        message: "The amount is above the approval threshold.",
        currency: "USD",
        threshold: 99,
        amount: 100,
      }),
    ],
    ["a threshold of 0 holds everything", agentWith(threshold(0)), expect.objectContaining({ _tag: "Hold" })],
    ["null is no threshold", agentWith(threshold(null)), { _tag: "Allow" }],
    [
      "a threshold tightens an account's AUTO",
      agentWith({ ...threshold(99), accountRestrictions: rule("AUTO") }),
      expect.objectContaining({ _tag: "Hold" }),
    ],
    [
      "a threshold does not loosen APPROVAL_REQUIRED",
      agentWith({ ...threshold(1000), defaultExecutionMode: "APPROVAL_REQUIRED" }),
      held({ rule: "DEFAULT_EXECUTION_MODE", message: "The agent's policy holds every action." }),
    ],
  ])("%s", (_label, agent, verdict) => {
    expect(evaluate(spending({ agent }))).toEqual(verdict)
  })

  it("a limit is denied before anything is held", () => {
    const agent = agentWith({ defaultExecutionMode: "APPROVAL_REQUIRED" })
    expect(evaluate(spending({ agent, amount: 1001 }))).toMatchObject({ _tag: "Deny", rule: "PER_TRANSACTION_LIMIT" })
  })

  it("an approval asks access and limits again, not the mode", () => {
    const agent = agentWith({ defaultExecutionMode: "APPROVAL_REQUIRED" })
    expect(permitted(spending({ agent }))).toEqual({ _tag: "Allow" })
    expect(permitted(spending({ agent: { ...agent, isPaused: true } }))).toMatchObject({ rule: "NOT_PAUSED" })
  })
})

describe("the charges", () => {
  const rates = new Map([["USD" as const, { from: "EUR", to: "USD", numerator: 3n, denominator: 4n } as Rate.Rate]])
  const facts = spending({
    agent: agentWith({
      spendingLimits: {
        currency: "USD",
        perTransactionLimit: 1000,
        dailyLimit: 900,
        dailyTransactionLimit: 7,
        monthlyLimit: null,
      },
    }),
    currency: "EUR",
    accounts: [],
    amount: 100,
    rates,
  })

  const owner = { id: "Agent:a", customerId: "Customer:a" }
  const { customerId } = owner
  const returned = (agent: ReturnType<typeof agentWith>) => giveBack(charges, { ...owner, data: agent })
  const noon = Date.UTC(2026, 10, 21, 12)
  const day = (budget: string) => `Agent:a/spend/2026-11-21/${budget}`
  const month = (budget: string) => `Agent:a/spend/2026-11/${budget}`
  const { charges, counters } = chargesOf(facts, owner, noon)

  it("are the amount in the limits' currency, rounded up, to the day and the month, and one to the count", () => {
    expect(counters).toEqual([
      { key: "Agent:a/count/2026-11-21", customerId, delta: 1, max: 7 },
      { key: day("USD.0"), customerId, delta: 134, max: 900 },
      { key: month("USD.0"), customerId, delta: 134 },
    ])
  })

  it("give back the amounts and never the count", () => {
    expect(returned(agentWith())).toEqual([
      { key: day("USD.0"), customerId, delta: -134 },
      { key: month("USD.0"), customerId, delta: -134 },
    ])
  })

  const recast = (...made: ReadonlyArray<readonly [at: number, from: CurrencyCode, to: CurrencyCode]>) => ({
    ...agentWith(),
    recastCount: made.length,
    recasts: made.map(([at, from, to], index) => ({ index, at, from, to, numerator: "2", denominator: "1" })),
  })

  it("go back into the budget that a recast of the same day opened, rounded down", () => {
    expect(returned(recast([noon, "USD", "EUR"]))).toEqual([
      { key: day("EUR.1"), customerId, delta: -67 },
      { key: month("EUR.1"), customerId, delta: -67 },
    ])
    expect(returned(recast([noon, "USD", "EUR"], [noon, "EUR", "GBP"]))).toEqual([
      { key: day("GBP.2"), customerId, delta: -33 },
      { key: month("GBP.2"), customerId, delta: -33 },
    ])
  })

  it("go nowhere through a recast of an earlier month that is forgotten", () => {
    expect(returned({ ...agentWith(), recastCount: 1 })).toEqual([])
  })

  it("go back to the month alone where the recast came on a later day, and nowhere after a later month", () => {
    const nextDay = noon + 24 * 60 * 60 * 1000
    expect(returned(recast([nextDay, "USD", "EUR"]))).toEqual([{ key: month("EUR.1"), customerId, delta: -67 }])
    expect(returned(recast([Date.UTC(2026, 11, 1), "USD", "EUR"]))).toEqual([])
  })
})
