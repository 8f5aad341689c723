/**
 * The limits of an agent's policy compared with one action: the value, the usage and what an execution leaves of each.
 * Source: wire contract 1.3 and 1.4 (step 6); D-212.
 */
import { Schema } from "effect"
import { CurrencyCode } from "../../foundation/money/Currencies.ts"
import { amountIn, comparedCurrencies, perTransactionLimits, type SpendingFacts } from "./PolicyRules.ts"

/** A limit compared with one action. Money is in the smallest unit of `currency`. */
export const RemainingLimit = Schema.Struct({
  limit: Schema.Literals(["perTransactionLimit", "dailyLimit", "monthlyLimit", "dailyTransactionLimit"]),
  currency: Schema.optionalKey(
    CurrencyCode.pipe(Schema.annotateKey({ description: "Absent: the limit counts actions." })),
  ),
  accountId: Schema.optionalKey(Schema.String.annotate({ description: "Only for the rule of one account." })),
  value: Schema.Int,
  used: Schema.Int.annotate({ description: "Before the action; 0 for the limit of one action." }),
  amount: Schema.Int.annotate({ description: "What the action uses." }),
  remaining: Schema.Int.annotate({ description: "After the action; below 0 if the action would exceed the limit." }),
}).annotate({ identifier: "AgentLimitLeft" })
export type RemainingLimit = typeof RemainingLimit.Type

const withRemaining = (row: Omit<RemainingLimit, "remaining">): RemainingLimit => ({
  ...row,
  remaining: row.value - row.used - row.amount,
})

/** Returns a row for each limit that the policy sets, or no rows if the amount cannot be compared with every limit. */
export const remainingLimits = (facts: SpendingFacts): ReadonlyArray<RemainingLimit> => {
  if (comparedCurrencies(facts).some((currency) => !facts.rates.has(currency))) return []
  const { currency, dailyLimit, dailyTransactionLimit, monthlyLimit } = facts.agent.policy.spendingLimits
  const amount = amountIn(facts, currency)
  const spend = (limit: "dailyLimit" | "monthlyLimit", value: number | null | undefined, used: number) =>
    value === undefined || value === null ? [] : [withRemaining({ limit, currency, value, used, amount })]
  return [
    ...perTransactionLimits(facts).map((limit) => withRemaining({ limit: "perTransactionLimit", used: 0, ...limit })),
    ...spend("dailyLimit", dailyLimit, facts.usage.dailySpend),
    ...spend("monthlyLimit", monthlyLimit, facts.usage.monthlySpend),
    ...(dailyTransactionLimit === undefined
      ? []
      : [
          withRemaining({
            limit: "dailyTransactionLimit",
            value: dailyTransactionLimit,
            used: facts.usage.dailyCount,
            amount: 1,
          }),
        ]),
  ]
}
