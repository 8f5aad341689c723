/** The update of a policy: omitted members stay, a new currency rounds limits down and usage up and opens a budget. Wire contract 1.3, 11 (14). */
import { type AgentPolicy, amountMax } from "@countersign/core/models"
import { describe, expect, it } from "vitest"
import * as PolicyUpdate from "../../../packages/core/src/decision/agent/PolicyUpdate.ts"
import type * as Rate from "../../../packages/core/src/foundation/money/Rate.ts"
import { accountId, agentWith, policy } from "./SpendingFacts.ts"

const { openBudget, withCurrencyChange, newLimitCurrency, convertUsage, applyPolicyUpdate } = PolicyUpdate
type Update = Parameters<typeof applyPolicyUpdate>[1]

const present = policy({
  accountRestrictions: { allowedAccountIds: [accountId] },
  approvalThresholds: { currency: "USD", amount: 10 },
  spendingLimits: {
    currency: "USD",
    perTransactionLimit: 100,
    dailyLimit: 501,
    dailyTransactionLimit: 3,
    monthlyLimit: 1000,
  },
})
/** Three dollars for two euros: a limit of 100 dollars is one of 66 euros. */
const rate: Rate.Rate = { from: "USD", to: "EUR", numerator: 3n, denominator: 2n }
const limits = (spendingLimits: NonNullable<Update["spendingLimits"]>): Update => ({ spendingLimits })
const bare: AgentPolicy["spendingLimits"] = { currency: "USD", perTransactionLimit: 100 }

it.each<[string, Update, Partial<AgentPolicy>]>([
  ["nothing", {}, {}],
  ["permissions", { permissions: [] }, { permissions: [] }],
  ["the mode", { defaultExecutionMode: "APPROVAL_REQUIRED" }, { defaultExecutionMode: "APPROVAL_REQUIRED" }],
  [
    "the accounts",
    { accountRestrictions: { allowedAccountIds: null } },
    { accountRestrictions: { allowedAccountIds: null } },
  ],
  ["the threshold", { approvalThresholds: { amount: null } }, { approvalThresholds: { amount: null } }],
  ["no limit", limits({}), {}],
  [
    "the limit of one action",
    limits({ perTransactionLimit: 5 }),
    { spendingLimits: { ...present.spendingLimits, perTransactionLimit: 5 } },
  ],
  ["the daily limit", limits({ dailyLimit: 5 }), { spendingLimits: { ...present.spendingLimits, dailyLimit: 5 } }],
  [
    "the monthly limit",
    limits({ monthlyLimit: 5 }),
    { spendingLimits: { ...present.spendingLimits, monthlyLimit: 5 } },
  ],
  [
    "the number of actions",
    limits({ dailyTransactionLimit: 5 }),
    { spendingLimits: { ...present.spendingLimits, dailyTransactionLimit: 5 } },
  ],
  [
    "the daily and the monthly limit away",
    limits({ dailyLimit: null, monthlyLimit: null }),
    { spendingLimits: { ...bare, dailyTransactionLimit: 3 } },
  ],
])("changes %s and keeps the rest", (_what, update, changed) => {
  expect(applyPolicyUpdate(present, update, undefined)).toStrictEqual({ ...present, ...changed })
})

it("adds no absent limit and removes limits that are null", () => {
  expect(
    applyPolicyUpdate(policy({ spendingLimits: bare }), limits({ perTransactionLimit: 7 }), undefined).spendingLimits,
  ).toStrictEqual({
    currency: "USD",
    perTransactionLimit: 7,
  })
  expect(applyPolicyUpdate(policy({ spendingLimits: bare }), limits({}), rate).spendingLimits).toStrictEqual({
    currency: "USD",
    perTransactionLimit: 66,
  })
  const none = policy({ spendingLimits: { ...bare, dailyLimit: null, monthlyLimit: null } })
  expect(applyPolicyUpdate(none, limits({}), rate).spendingLimits).toStrictEqual({
    currency: "USD",
    perTransactionLimit: 66,
  })
})

describe("a change of the limits' currency", () => {
  it("happens only if the update names another currency", () => {
    expect(newLimitCurrency(present, {})).toBeUndefined()
    expect(newLimitCurrency(present, limits({ dailyLimit: 5 }))).toBeUndefined()
    expect(newLimitCurrency(present, limits({ currency: "USD" }))).toBeUndefined()
    expect(newLimitCurrency(present, limits({ currency: "EUR" }))).toBe("EUR")
  })

  it("rounds limits down and keeps requested limits as they are", () => {
    expect(applyPolicyUpdate(present, limits({ currency: "EUR" }), rate).spendingLimits).toStrictEqual({
      currency: "EUR",
      perTransactionLimit: 66,
      dailyLimit: 334,
      dailyTransactionLimit: 3,
      monthlyLimit: 666,
    })
    expect(
      applyPolicyUpdate(present, limits({ currency: "EUR", perTransactionLimit: 9, dailyLimit: 8 }), rate)
        .spendingLimits,
    ).toStrictEqual({
      currency: "EUR",
      perTransactionLimit: 9,
      dailyLimit: 8,
      dailyTransactionLimit: 3,
      monthlyLimit: 666,
    })
  })

  it("keeps limits between 1 and the largest exact amount", () => {
    const tiny: Rate.Rate = { from: "USD", to: "EUR", numerator: 1000n, denominator: 1n }
    const huge: Rate.Rate = { from: "USD", to: "EUR", numerator: 1n, denominator: BigInt(amountMax) }
    const convertedLimits = (by: Rate.Rate) =>
      applyPolicyUpdate(present, limits({ currency: "EUR" }), by).spendingLimits
    expect(convertedLimits(tiny)).toMatchObject({ perTransactionLimit: 1, dailyLimit: 1, monthlyLimit: 1 })
    expect(convertedLimits(huge)).toMatchObject({ perTransactionLimit: amountMax, dailyLimit: amountMax })
  })

  it("rounds usage up and keeps the count", () => {
    expect(convertUsage({ dailyCount: 2, dailySpend: 100, monthlySpend: 500 }, rate)).toStrictEqual({
      dailyCount: 2,
      dailySpend: 67,
      monthlySpend: 334,
    })
  })

  it("stores the currency changes of the month", () => {
    const at = Date.UTC(2026, 10, 21)
    const made = (index: number, of: number) =>
      ({ index, at: of, from: "USD", to: "EUR", numerator: "3", denominator: "2" }) as const
    const october = made(0, Date.UTC(2026, 9, 31, 23, 59, 59, 999))
    const november = made(1, Date.UTC(2026, 10, 1))
    const agent = { ...agentWith(), recastCount: 2, recasts: [october, november] }
    expect(withCurrencyChange(agent, rate, at)).toStrictEqual({
      ...agent,
      recastCount: 3,
      recasts: [november, made(2, at)],
    })
  })

  it("opens the new budget with the usage so far and asserts the old one", () => {
    const keys = (budget: string) => ({
      dailyCount: "count",
      dailySpend: `day/${budget}`,
      monthlySpend: `month/${budget}`,
    })
    const before = { keys: keys("USD.0"), usage: { dailyCount: 2, dailySpend: 100, monthlySpend: 500 } }
    const after = { keys: keys("EUR.1"), usage: { dailyCount: 2, dailySpend: 67, monthlySpend: 334 } }
    const customerId = "Customer:1"
    expect(openBudget(before, after, customerId)).toStrictEqual([
      { key: "day/USD.0", customerId, delta: 0, expected: 100 },
      { key: "day/EUR.1", customerId, delta: 67 },
      { key: "month/USD.0", customerId, delta: 0, expected: 500 },
      { key: "month/EUR.1", customerId, delta: 334 },
    ])
  })
})
