/**
 * Applies an update to a policy: omitted members keep their value, and limits are converted into a new currency.
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

/** Returns the new currency of the limits, or `undefined` if the update keeps it. */
export const newLimitCurrency = (policy: AgentPolicy, update: AgentPolicyUpdateRequest): CurrencyCode | undefined => {
  const currency = update.spendingLimits?.currency
  return currency === policy.spendingLimits.currency ? undefined : currency
}

/** Converts a limit, rounded down, to at least 1 and at most the largest exact amount. */
const convertLimit = (limit: number, rate: Rate | undefined): number =>
  rate === undefined ? limit : Math.min(amountMax, Math.max(1, convert(limit, rate, "down")))

const updatedLimits = (
  { currency, dailyLimit, dailyTransactionLimit, monthlyLimit, perTransactionLimit }: AgentSpendingLimits,
  update: NonNullable<AgentPolicyUpdateRequest["spendingLimits"]>,
  rate: Rate | undefined,
): AgentSpendingLimits => {
  const limitOf = (requested: number | null | undefined, present: number | null | undefined) =>
    requested !== undefined
      ? requested
      : present === undefined || present === null
        ? present
        : convertLimit(present, rate)
  const daily = limitOf(update.dailyLimit, dailyLimit)
  const monthly = limitOf(update.monthlyLimit, monthlyLimit)
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

/** Returns the updated policy. `rate`: from the present limits' currency into a new one; absent: the currency stays. */
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

/** Returns the agent after a change of the limits' currency. Changes of earlier months are removed, because no budget uses them. */
export const withCurrencyChange = (agent: Agent, { denominator, from, numerator, to }: Rate, at: number): Agent => ({
  ...agent,
  recastCount: agent.recastCount + 1,
  recasts: [
    ...agent.recasts.filter((earlier) => monthOf(earlier.at) === monthOf(at)),
    { index: agent.recastCount, at, from, to, numerator: String(numerator), denominator: String(denominator) },
  ],
})

/** Converts the usage so far into the new currency, rounded up, so that the change frees no part of a limit. */
export const convertUsage = (usage: Usage, rate: Rate): Usage => ({
  dailyCount: usage.dailyCount,
  dailySpend: convert(usage.dailySpend, rate, "up"),
  monthlySpend: convert(usage.monthlySpend, rate, "up"),
})

/** Opens the new budget with the usage so far. It asserts the old budget, so that a charge in between is a conflict. */
export const openBudget = (
  before: { readonly keys: UsageKeys; readonly usage: Usage },
  after: { readonly keys: UsageKeys; readonly usage: Usage },
  customerId: string | null,
): ReadonlyArray<CounterChange> =>
  (["dailySpend", "monthlySpend"] as const).flatMap((name) => [
    { key: before.keys[name], customerId, delta: 0, expected: before.usage[name] },
    { key: after.keys[name], customerId, delta: after.usage[name] },
  ])
