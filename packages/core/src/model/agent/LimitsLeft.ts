/**
 * The limits of an agent's policy against one action: what each allows, what is used, and what an execution leaves.
 * Source: wire contract 1.3 and 1.4 (step 6); D-212.
 */
import { Schema } from "effect"
import { CurrencyCode } from "../../foundation/money/Currencies.ts"
import { amountIn, currenciesCompared, perTransactionLimits, type SpendingFacts } from "./PolicyRules.ts"

export const LimitLeft = Schema.Struct({
  limit: Schema.Literals(["perTransactionLimit", "dailyLimit", "monthlyLimit", "dailyTransactionLimit"]),
  currency: Schema.optionalKey(
    CurrencyCode.pipe(Schema.annotateKey({ description: "Absent: the limit counts actions." })),
  ),
  accountId: Schema.optionalKey(Schema.String.annotate({ description: "Only for the rule of one account." })),
  value: Schema.Int,
  used: Schema.Int.annotate({ description: "Before the action; 0 for the limit of one action." }),
  amount: Schema.Int.annotate({ description: "What the action takes." }),
  remaining: Schema.Int.annotate({ description: "After the action; below 0 where it would pass the limit." }),
}).annotate({ identifier: "AgentLimitLeft" })
export type LimitLeft = typeof LimitLeft.Type

const left = (row: Omit<LimitLeft, "remaining">): LimitLeft => ({
  ...row,
  remaining: row.value - row.used - row.amount,
})

/** A row for each limit that there is; none where the amount cannot be compared with all of them. */
export const limitsLeft = (facts: SpendingFacts): ReadonlyArray<LimitLeft> => {
  if (currenciesCompared(facts).some((currency) => !facts.rates.has(currency))) return []
  const { currency, dailyLimit, dailyTransactionLimit, monthlyLimit } = facts.agent.policy.spendingLimits
  const amount = amountIn(facts, currency)
  const spend = (limit: "dailyLimit" | "monthlyLimit", value: number | null | undefined, used: number) =>
    value === undefined || value === null ? [] : [left({ limit, currency, value, used, amount })]
  return [
    ...perTransactionLimits(facts).map((limit) => left({ limit: "perTransactionLimit", used: 0, ...limit })),
    ...spend("dailyLimit", dailyLimit, facts.usage.dailySpend),
    ...spend("monthlyLimit", monthlyLimit, facts.usage.monthlySpend),
    ...(dailyTransactionLimit === undefined
      ? []
      : [
          left({
            limit: "dailyTransactionLimit",
            value: dailyTransactionLimit,
            used: facts.usage.dailyCount,
            amount: 1,
          }),
        ]),
  ]
}
