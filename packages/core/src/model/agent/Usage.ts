/**
 * An agent's usage: counters by UTC day and month, in the currency of its spending limits.
 * Source: wire contract 1.3 (AgentUsage) and 1.4; architecture, "The Store port".
 */
import { DateTime } from "effect"
import type { CurrencyCode } from "../../foundation/money/Currencies.ts"
import type { Agent } from "./Agent.ts"

/** The counter keys of one moment. */
export interface UsageKeys {
  readonly dailyCount: string
  readonly dailySpend: string
  readonly monthlySpend: string
}

/** The values of the counters. */
export interface Usage {
  readonly dailyCount: number
  readonly dailySpend: number
  readonly monthlySpend: number
}

const dayMillis = 24 * 60 * 60 * 1000

/** Cache of the last formatted day, because every decision formats the same day several times. */
let lastDate = { day: Number.NaN, date: "" }

const isoDate = (millis: number): string => {
  const day = Math.floor(millis / dayMillis)
  if (day !== lastDate.day) lastDate = { day, date: DateTime.formatIsoDateUtc(DateTime.makeUnsafe(millis)) }
  return lastDate.date
}

/** Returns when the UTC day ends (ms). A decision on the day's counters is valid until then. */
export const endOfDay = (millis: number): number => millis - (millis % dayMillis) + dayMillis

/** The UTC calendar day, `YYYY-MM-DD`. */
export const dayOf = (millis: number): string => isoDate(millis)
/** The UTC calendar month, `YYYY-MM`. */
export const monthOf = (millis: number): string => isoDate(millis).slice(0, 7)
/** The day on which the daily counters next become 0. */
export const nextDay = (millis: number): string => isoDate(millis + dayMillis)

/** The month in which the monthly counter next becomes 0. */
export const nextMonth = (millis: number): string => {
  const [year = 0, month = 0] = monthOf(millis).split("-").map(Number)
  return month === 12 ? `${year + 1}-01` : `${year}-${String(month + 1).padStart(2, "0")}`
}

/** Returns the name of a budget: the currency of the limits and the number of currency changes before it. */
export const budgetName = (currency: CurrencyCode, currencyChanges: number): string => `${currency}.${currencyChanges}`

/** Returns the number of currency changes before a budget was opened. */
export const currencyChangesBefore = (budget: string): number => Number(budget.split(".")[1])

/** Returns the budget that an agent's executions are charged to now. */
export const budgetOf = ({ policy, recastCount }: Agent): string =>
  budgetName(policy.spendingLimits.currency, recastCount)

/** Returns the key of the counter of what was spent in a period (a UTC day or month). */
export const spendKey = (agentId: string, period: string, budget: string): string =>
  `${agentId}/spend/${period}/${budget}`

export const keysAt = (agentId: string, budget: string, millis: number): UsageKeys => ({
  dailyCount: `${agentId}/count/${dayOf(millis)}`,
  dailySpend: spendKey(agentId, dayOf(millis), budget),
  monthlySpend: spendKey(agentId, monthOf(millis), budget),
})

export const keyList = (keys: UsageKeys): ReadonlyArray<string> => [keys.dailyCount, keys.dailySpend, keys.monthlySpend]

export const usageFrom = (keys: UsageKeys, counter: (key: string) => number): Usage => ({
  dailyCount: counter(keys.dailyCount),
  dailySpend: counter(keys.dailySpend),
  monthlySpend: counter(keys.monthlySpend),
})
