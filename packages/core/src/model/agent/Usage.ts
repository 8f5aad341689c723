/**
 * An agent's usage: counters by UTC day and month, in the currency of its spending limits.
 * Source: wire contract 1.3 (AgentUsage) and 1.4; architecture, "Counters".
 */
import { DateTime } from "effect"
import type { CurrencyCode } from "../../foundation/money/Currencies.ts"
import type { Agent } from "./Agent.ts"

/** The counters of one moment. */
export interface UsageKeys {
  readonly dailyCount: string
  readonly dailySpend: string
  readonly monthlySpend: string
}

/** What the counters say. */
export interface Usage {
  readonly dailyCount: number
  readonly dailySpend: number
  readonly monthlySpend: number
}

const dayMillis = 24 * 60 * 60 * 1000

/** The last day that was named: every decision names the same one several times. */
let named = { day: Number.NaN, date: "" }

const isoDate = (millis: number): string => {
  const day = Math.floor(millis / dayMillis)
  if (day !== named.day) named = { day, date: DateTime.formatIsoDateUtc(DateTime.makeUnsafe(millis)) }
  return named.date
}

/** When the UTC day of a moment ends: a decision on its counters holds until then. */
export const dayEnd = (millis: number): number => millis - (millis % dayMillis) + dayMillis

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

/** The name of a budget: the currency of the limits, and how often they have been recast. */
export const budget = (currency: CurrencyCode, recasts: number): string => `${currency}.${recasts}`

/** How many recasts came before a budget was opened. */
export const recastsBefore = (budgetName: string): number => Number(budgetName.split(".")[1])

/** The budget that an agent's executions are charged to. */
export const budgetOf = ({ policy, recastCount }: Agent): string => budget(policy.spendingLimits.currency, recastCount)

/** The counter of what was spent in a period (a UTC day or month). */
export const spendKey = (agentId: string, period: string, budgetName: string): string =>
  `${agentId}/spend/${period}/${budgetName}`

export const keysAt = (agentId: string, budgetName: string, millis: number): UsageKeys => ({
  dailyCount: `${agentId}/count/${dayOf(millis)}`,
  dailySpend: spendKey(agentId, dayOf(millis), budgetName),
  monthlySpend: spendKey(agentId, monthOf(millis), budgetName),
})

export const keyList = (keys: UsageKeys): ReadonlyArray<string> => [keys.dailyCount, keys.dailySpend, keys.monthlySpend]

export const usageFrom = (keys: UsageKeys, counter: (key: string) => number): Usage => ({
  dailyCount: counter(keys.dailyCount),
  dailySpend: counter(keys.dailySpend),
  monthlySpend: counter(keys.monthlySpend),
})
