/** An agent's counters: by UTC day and month, in the budget of its limits. Wire contract 1.3 (AgentUsage) and 1.4. */

import { expect, it } from "vitest"
import * as Usage from "../../../packages/core/src/model/agent/Usage.ts"
import { agentWith } from "./SpendingFacts.ts"

const lastMilli = Date.UTC(2026, 11, 31, 23, 59, 59, 999)
const midnight = Date.UTC(2027, 0, 1)

it("uses days and months of the UTC calendar", () => {
  expect([Usage.dayOf(lastMilli), Usage.monthOf(lastMilli)]).toEqual(["2026-12-31", "2026-12"])
  expect([Usage.dayOf(midnight), Usage.monthOf(midnight)]).toEqual(["2027-01-01", "2027-01"])
})

it("ends a day with its last millisecond", () => {
  expect([lastMilli, midnight, midnight + 1].map(Usage.endOfDay)).toEqual([
    midnight,
    Date.UTC(2027, 0, 2),
    Date.UTC(2027, 0, 2),
  ])
})

it("continues the next day and month across ends of months and years", () => {
  expect([lastMilli, midnight, Date.UTC(2028, 1, 28)].map(Usage.nextDay)).toEqual([
    "2027-01-01",
    "2027-01-02",
    "2028-02-29",
  ])
  expect([lastMilli, midnight, Date.UTC(2027, 8, 30), Date.UTC(2027, 10, 30)].map(Usage.nextMonth)).toEqual([
    "2027-01",
    "2027-02",
    "2027-10",
    "2027-12",
  ])
})

it("names a budget by its currency and the currency changes before it", () => {
  expect(Usage.budgetName("USD", 0)).toBe("USD.0")
  expect([Usage.currencyChangesBefore("USD.0"), Usage.currencyChangesBefore("BTC.12")]).toEqual([0, 12])
  expect(Usage.budgetOf({ ...agentWith(), recastCount: 3 })).toBe("USD.3")
})

it("returns the counter keys of a moment and their values", () => {
  const keys = Usage.keysAt("Agent:1", "USD.0", lastMilli)
  expect(keys).toEqual({
    dailyCount: "Agent:1/count/2026-12-31",
    dailySpend: "Agent:1/spend/2026-12-31/USD.0",
    monthlySpend: "Agent:1/spend/2026-12/USD.0",
  })
  expect(Usage.keyList(keys)).toEqual([keys.dailyCount, keys.dailySpend, keys.monthlySpend])
  expect(Usage.usageFrom(keys, (key) => key.length)).toEqual({ dailyCount: 24, dailySpend: 30, monthlySpend: 27 })
})
