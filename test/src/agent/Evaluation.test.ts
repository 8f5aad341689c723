/** The verdict of a policy: allow, hold or deny, and what an execution charges. */
import { AgentPolicyEvaluation, type Rate } from "@countersign/core"
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
      held({ rule: "DEFAULT_EXECUTION_MODE" }),
    ],
    [
      "an account's mode replaces the default: held",
      agentWith({ accountRestrictions: rule("APPROVAL_REQUIRED") }),
      held({ rule: "ACCOUNT_EXECUTION_MODE", accountId }),
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
      held({ rule: "APPROVAL_THRESHOLD", currency: "USD", threshold: 99, amount: 100 }),
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
      held({ rule: "DEFAULT_EXECUTION_MODE" }),
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

  it("are the amount in the limits' currency, rounded up, to the day and the month, and one to the count", () => {
    expect(chargesOf(facts).counters).toEqual([
      { key: facts.keys.dailyCount, delta: 1, max: 7 },
      { key: facts.keys.dailySpend, delta: 134, max: 900 },
      { key: facts.keys.monthlySpend, delta: 134 },
    ])
  })

  it("give back the amounts and never the count", () => {
    expect(giveBack(chargesOf(facts).charges)).toEqual([
      { key: facts.keys.dailySpend, delta: -134 },
      { key: facts.keys.monthlySpend, delta: -134 },
    ])
  })
})
