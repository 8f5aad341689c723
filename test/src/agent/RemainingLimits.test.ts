/** What an action uses of each limit and what it leaves. Wire contract 1.3 and 1.4 (step 6); D-212. */

import { RemainingLimit } from "@countersign/core/models"
import { Result, Schema } from "effect"
import { expect, it } from "vitest"
import * as Rate from "../../../packages/core/src/foundation/money/Rate.ts"
import { remainingLimits } from "../../../packages/core/src/model/agent/RemainingLimits.ts"
import { accountId, agentWith, spending } from "./SpendingFacts.ts"

const usage = { dailyCount: 2, dailySpend: 30, monthlySpend: 400 }
const spendingLimits = {
  currency: "USD",
  perTransactionLimit: 1000,
  dailyLimit: 120,
  monthlyLimit: 600,
  dailyTransactionLimit: 3,
} as const
const action = { limit: "perTransactionLimit", currency: "USD", value: 1000, used: 0, amount: 100, remaining: 900 }

it("returns a row for each limit, below 0 if the action would exceed it", () => {
  expect(remainingLimits(spending({ agent: agentWith({ spendingLimits }), usage }))).toEqual([
    action,
    { limit: "dailyLimit", currency: "USD", value: 120, used: 30, amount: 100, remaining: -10 },
    { limit: "monthlyLimit", currency: "USD", value: 600, used: 400, amount: 100, remaining: 100 },
    { limit: "dailyTransactionLimit", value: 3, used: 2, amount: 1, remaining: 0 },
  ])
})

it("returns no row for an absent limit", () => {
  expect(remainingLimits(spending({ usage }))).toEqual([action])
  const none = { ...spendingLimits, dailyLimit: null, monthlyLimit: null }
  expect(remainingLimits(spending({ agent: agentWith({ spendingLimits: none }), usage }))).toEqual([
    action,
    { limit: "dailyTransactionLimit", value: 3, used: 2, amount: 1, remaining: 0 },
  ])
})

it("names the account that a limit belongs to", () => {
  const agent = agentWith({ accountRestrictions: { accountRules: [{ accountId, perTransactionLimit: 150 }] } })
  expect(remainingLimits(spending({ agent }))).toEqual([{ ...action, accountId, value: 150, remaining: 50 }])
})

it("returns no rows if a rate is missing", () => {
  const agent = agentWith({ approvalThresholds: { currency: "EUR", amount: 5 } })
  expect(remainingLimits(spending({ agent }))).toEqual([])
  const rates = new Map([
    ["USD" as const, Rate.identity("USD")],
    ["EUR" as const, Rate.identity("EUR")],
  ])
  expect(remainingLimits(spending({ agent, rates }))).toEqual([action])
})

it("encodes the documented fields and rejects others", () => {
  const isRead = (row: unknown) => Result.isSuccess(Schema.decodeUnknownResult(RemainingLimit)(row))
  for (const limit of ["perTransactionLimit", "dailyLimit", "monthlyLimit", "dailyTransactionLimit"]) {
    expect(isRead({ ...action, limit })).toBe(true)
  }
  for (const wrong of [{ limit: "" }, { limit: "yearlyLimit" }, { value: undefined }, { used: 0.5 }]) {
    expect(isRead({ ...action, ...wrong })).toBe(false)
  }
})
