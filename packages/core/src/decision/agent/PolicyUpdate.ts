/**
 * A policy with an update applied: omitted members keep their value, limits are recast into a new currency.
 * Source: wire contract 1.3 (policy update) and 11 (14).
 */
import { amountMax } from "../../foundation/money/Amount.ts"
import type { CurrencyCode } from "../../foundation/money/Currencies.ts"
import { convert, type Rate } from "../../foundation/money/Rate.ts"
import type { Agent } from "../../model/agent/Agent.ts"
import type { AgentPolicyUpdateRequest } from "../../model/agent/AgentResource.ts"
import type { AgentPolicy, AgentSpendingLimits } from "../../model/agent/Policy.ts"
import { monthOf, type Usage, type UsageKeys } from "../../model/agent/Usage.ts"
import type { CounterChange } from "../../store/ChangeSet.ts"

/** The currency into which an update recasts the limits, where it does. */
export const newLimitCurrency = (policy: AgentPolicy, update: AgentPolicyUpdateRequest): CurrencyCode | undefined => {
  const currency = update.spendingLimits?.currency
  return currency === policy.spendingLimits.currency ? undefined : currency
}

/** Recast down, but never to nothing, and never beyond what is counted exactly. */
const convertLimit = (limit: number, rate: Rate | undefined): number =>
  rate === undefined ? limit : Math.min(amountMax, Math.max(1, convert(limit, rate, "down")))

const updatedLimits = (
  { currency, dailyLimit, dailyTransactionLimit, monthlyLimit, perTransactionLimit }: AgentSpendingLimits,
  update: NonNullable<AgentPolicyUpdateRequest["spendingLimits"]>,
  rate: Rate | undefined,
): AgentSpendingLimits => {
  const money = (given: number | null | undefined, present: number | null | undefined) =>
    given !== undefined ? given : present === undefined || present === null ? present : convertLimit(present, rate)
  const daily = money(update.dailyLimit, dailyLimit)
  const monthly = money(update.monthlyLimit, monthlyLimit)
  const count = update.dailyTransactionLimit ?? dailyTransactionLimit
  return {
    currency: update.currency ?? currency,
    perTransactionLimit: update.perTransactionLimit ?? convertLimit(perTransactionLimit, rate),
    // `null` removes a limit.
    ...(daily === undefined || daily === null ? {} : { dailyLimit: daily }),
    ...(count === undefined ? {} : { dailyTransactionLimit: count }),
    ...(monthly === undefined || monthly === null ? {} : { monthlyLimit: monthly }),
  }
}

/** The updated policy; `rate` from the present limits' currency where the update recasts. */
export const applyPolicyUpdate = (
  policy: AgentPolicy,
  update: AgentPolicyUpdateRequest,
  rate: Rate | undefined,
): AgentPolicy => ({
  ...policy,
  ...(update.permissions === undefined ? {} : { permissions: update.permissions }),
  ...(update.defaultExecutionMode === undefined ? {} : { defaultExecutionMode: update.defaultExecutionMode }),
  ...(update.accountRestrictions === undefined ? {} : { accountRestrictions: update.accountRestrictions }),
  ...(update.approvalThresholds === undefined ? {} : { approvalThresholds: update.approvalThresholds }),
  ...(update.spendingLimits === undefined
    ? {}
    : { spendingLimits: updatedLimits(policy.spendingLimits, update.spendingLimits, rate) }),
})

/** The agent's record after a recast at this moment; recasts of earlier months are forgotten, as no budget rests on them. */
export const withCurrencyChange = (agent: Agent, { denominator, from, numerator, to }: Rate, at: number): Agent => ({
  ...agent,
  recastCount: agent.recastCount + 1,
  recasts: [
    ...agent.recasts.filter((earlier) => monthOf(earlier.at) === monthOf(at)),
    { index: agent.recastCount, at, from, to, numerator: String(numerator), denominator: String(denominator) },
  ],
})

/** The usage so far in the new currency, converted up, so that a change of currency frees nothing. */
export const convertUsage = (usage: Usage, rate: Rate): Usage => ({
  dailyCount: usage.dailyCount,
  dailySpend: convert(usage.dailySpend, rate, "up"),
  monthlySpend: convert(usage.monthlySpend, rate, "up"),
})

/** Opens the new budget with the usage so far. The old one is asserted: a charge in between makes the update decide again. */
export const openBudget = (
  before: { readonly keys: UsageKeys; readonly usage: Usage },
  after: { readonly keys: UsageKeys; readonly usage: Usage },
  customerId: string | null,
): ReadonlyArray<CounterChange> =>
  (["dailySpend", "monthlySpend"] as const).flatMap((name) => [
    { key: before.keys[name], customerId, delta: 0, expected: before.usage[name] },
    { key: after.keys[name], customerId, delta: after.usage[name] },
  ])
