/** The outcome of a policy (allowed, held or refused) and the charges of an execution. */

import type { CurrencyCode } from "@countersign/core/models"
import { describe, expect, it } from "vitest"
import * as AgentPolicyEvaluation from "../../../packages/core/src/decision/agent/AgentPolicyEvaluation.ts"
import type * as Rate from "../../../packages/core/src/foundation/money/Rate.ts"
import { accountId, agentWith, spending } from "./SpendingFacts.ts"

const { chargesOf, evaluateSubmission, explanationOf, reverseCharges, evaluateExecution, withRule } =
  AgentPolicyEvaluation

describe("the execution mode", () => {
  const held = (explanation: object) => ({ _tag: "ApprovalRequired", explanation })
  const rule = (executionMode: "AUTO" | "APPROVAL_REQUIRED") => ({ accountRules: [{ accountId, executionMode }] })
  const threshold = (amount: number | null) => ({ approvalThresholds: { currency: "USD" as const, amount } })
  it.each([
    ["AUTO executes the action", agentWith(), { _tag: "Allowed" }],
    [
      "APPROVAL_REQUIRED holds the action",
      agentWith({ defaultExecutionMode: "APPROVAL_REQUIRED" }),
      held({ rule: "DEFAULT_EXECUTION_MODE", message: "The agent's policy holds every action." }),
    ],
    [
      "an account's mode holds although the default executes",
      agentWith({ accountRestrictions: rule("APPROVAL_REQUIRED") }),
      held({
        rule: "ACCOUNT_EXECUTION_MODE",
        message: "The agent's policy holds every action on this account.",
        accountId,
      }),
    ],
    [
      "an account's mode executes although the default holds",
      agentWith({ defaultExecutionMode: "APPROVAL_REQUIRED", accountRestrictions: rule("AUTO") }),
      { _tag: "Allowed" },
    ],
    ["an amount at the threshold executes", agentWith(threshold(100)), { _tag: "Allowed" }],
    [
      "an amount above the threshold holds",
      agentWith(threshold(99)),
      held({
        rule: "APPROVAL_THRESHOLD",
        message: "The amount is above the approval threshold.",
        currency: "USD",
        threshold: 99,
        amount: 100,
      }),
    ],
    [
      "a threshold of 0 holds everything",
      agentWith(threshold(0)),
      expect.objectContaining({ _tag: "ApprovalRequired" }),
    ],
    ["a threshold without an amount has no effect", agentWith({ approvalThresholds: {} }), { _tag: "Allowed" }],
    [
      "a threshold without a currency uses the currency of the limits",
      agentWith({ approvalThresholds: { amount: 99 } }),
      expect.objectContaining({ explanation: expect.objectContaining({ currency: "USD", amount: 100 }) }),
    ],
    [
      "the mode of another account does not apply to an account with its own rule",
      agentWith({
        accountRestrictions: {
          accountRules: [{ accountId: "other", executionMode: "APPROVAL_REQUIRED" }, { accountId }],
        },
      }),
      { _tag: "Allowed" },
    ],
    [
      "the mode of another account does not apply",
      agentWith({
        accountRestrictions: { accountRules: [{ accountId: "other", executionMode: "APPROVAL_REQUIRED" }] },
      }),
      { _tag: "Allowed" },
    ],
    [
      "restrictions without rules have no effect",
      agentWith({ accountRestrictions: { allowedAccountIds: null } }),
      { _tag: "Allowed" },
    ],
    ["a threshold of null has no effect", agentWith(threshold(null)), { _tag: "Allowed" }],
    [
      "a threshold tightens an account's AUTO",
      agentWith({ ...threshold(99), accountRestrictions: rule("AUTO") }),
      expect.objectContaining({ _tag: "ApprovalRequired" }),
    ],
    [
      "a threshold does not loosen APPROVAL_REQUIRED",
      agentWith({ ...threshold(1000), defaultExecutionMode: "APPROVAL_REQUIRED" }),
      held({ rule: "DEFAULT_EXECUTION_MODE", message: "The agent's policy holds every action." }),
    ],
  ])("follows the policy: %s", (_label, agent, verdict) => {
    expect(evaluateSubmission(spending({ agent }))).toEqual(verdict)
  })

  it("compares a threshold in its own currency", () => {
    const rates = new Map([
      ["USD" as const, { from: "USD", to: "USD", numerator: 1n, denominator: 1n } as Rate.Rate],
      ["EUR" as const, { from: "USD", to: "EUR", numerator: 2n, denominator: 1n } as Rate.Rate],
    ])
    const above = (amount: number) => agentWith({ approvalThresholds: { currency: "EUR", amount } })
    expect(evaluateSubmission(spending({ rates, agent: above(50) }))).toEqual({ _tag: "Allowed" })
    expect(evaluateSubmission(spending({ rates, agent: above(49) }))).toMatchObject({
      explanation: { currency: "EUR", threshold: 49, amount: 50 },
    })
  })

  it("applies the default mode to an action that touches no internal account", () => {
    const agent = agentWith({ defaultExecutionMode: "APPROVAL_REQUIRED" })
    expect(evaluateSubmission(spending({ agent, accounts: [] }))).toMatchObject({
      _tag: "ApprovalRequired",
      explanation: { rule: "DEFAULT_EXECUTION_MODE" },
    })
    expect(evaluateSubmission(spending({ accounts: [] }))).toEqual({ _tag: "Allowed" })
  })

  it("names the rule in the refusal and in the explanation", () => {
    const refusal = { code: "FORBIDDEN", message: "No.", details: { reason: "AGENT_PAUSED" } } as const
    const denied = { rule: "NOT_PAUSED", refusal }
    expect(withRule(denied)).toEqual({ ...refusal, details: { rule: "NOT_PAUSED", reason: "AGENT_PAUSED" } })
    expect(explanationOf(denied)).toEqual({ rule: "NOT_PAUSED", message: "No.", reason: "AGENT_PAUSED" })
  })

  it("refuses an exceeded limit before it requires an approval", () => {
    const agent = agentWith({ defaultExecutionMode: "APPROVAL_REQUIRED" })
    expect(evaluateSubmission(spending({ agent, amount: 1001 }))).toMatchObject({
      _tag: "Refused",
      rule: "PER_TRANSACTION_LIMIT",
    })
  })

  it("checks access and limits again at approval, but not the mode", () => {
    const agent = agentWith({ defaultExecutionMode: "APPROVAL_REQUIRED" })
    expect(evaluateExecution(spending({ agent }))).toEqual({ _tag: "Allowed" })
    expect(evaluateExecution(spending({ agent: { ...agent, isPaused: true } }))).toMatchObject({ rule: "NOT_PAUSED" })
  })
})

describe("the charges of an execution", () => {
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
  const reversalFor = (agent: ReturnType<typeof agentWith>) => reverseCharges(charges, { ...owner, data: agent })
  const noon = Date.UTC(2026, 10, 21, 12)
  const day = (budget: string) => `Agent:a/spend/2026-11-21/${budget}`
  const month = (budget: string) => `Agent:a/spend/2026-11/${budget}`
  const { charges, counters } = chargesOf(facts, owner, noon)

  it("charge the amount in the limits' currency, rounded up, to day and month, and one to the count", () => {
    expect(counters).toStrictEqual([
      { key: "Agent:a/count/2026-11-21", customerId, delta: 1, max: 7 },
      { key: day("USD.0"), customerId, delta: 134, max: 900 },
      { key: month("USD.0"), customerId, delta: 134 },
    ])
  })

  it("are unbounded if the policy has no limits", () => {
    const { customerId: _, ...agent } = owner
    expect(chargesOf(spending(), { ...agent, customerId: null }, noon).counters).toStrictEqual([
      { key: "Agent:a/count/2026-11-21", customerId: null, delta: 1 },
      { key: day("USD.0"), customerId: null, delta: 100 },
      { key: month("USD.0"), customerId: null, delta: 100 },
    ])
  })

  it("are reversed by amount, never by count", () => {
    expect(reversalFor(agentWith())).toEqual([
      { key: day("USD.0"), customerId, delta: -134 },
      { key: month("USD.0"), customerId, delta: -134 },
    ])
  })

  const afterChanges = (...made: ReadonlyArray<readonly [at: number, from: CurrencyCode, to: CurrencyCode]>) => ({
    ...agentWith(),
    recastCount: made.length,
    recasts: made.map(([at, from, to], index) => ({ index, at, from, to, numerator: "2", denominator: "1" })),
  })

  it("are reversed, rounded down, in the budget that a currency change of the same day opened", () => {
    expect(reversalFor(afterChanges([noon, "USD", "EUR"]))).toEqual([
      { key: day("EUR.1"), customerId, delta: -67 },
      { key: month("EUR.1"), customerId, delta: -67 },
    ])
    expect(reversalFor(afterChanges([noon, "USD", "EUR"], [noon, "EUR", "GBP"]))).toEqual([
      { key: day("GBP.2"), customerId, delta: -33 },
      { key: month("GBP.2"), customerId, delta: -33 },
    ])
  })

  it("are not reversed if a currency change of an earlier month was removed", () => {
    expect(reversalFor({ ...agentWith(), recastCount: 1 })).toEqual([])
  })

  it("are reversed for the month only after a currency change on a later day, and not at all after a later month", () => {
    const nextDay = noon + 24 * 60 * 60 * 1000
    expect(reversalFor(afterChanges([nextDay, "USD", "EUR"]))).toEqual([
      { key: month("EUR.1"), customerId, delta: -67 },
    ])
    expect(reversalFor(afterChanges([Date.UTC(2026, 11, 1), "USD", "EUR"]))).toEqual([])
  })
})
