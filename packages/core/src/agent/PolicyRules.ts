/**
 * Whether an agent may act at all, and whether its policy covers an amount: two rule lists, by precedence.
 * Source: wire contract 1.4 (steps 2, 3, 5, 6) and 11 (30).
 */
import type { Refusal } from "../errors/ServiceError.ts"
import type { Json } from "../kit/CanonicalJson.ts"
import * as Rules from "../kit/Rules.ts"
import { amountMax, inRange } from "../money/Amount.ts"
import type { CurrencyCode } from "../money/Currencies.ts"
import { convert, type Rate } from "../money/Rate.ts"
import type { Agent } from "./Agent.ts"
import type { AgentAccountRule, AgentPermission } from "./Policy.ts"
import type { Usage } from "./Usage.ts"

/** An internal account that the action touches. */
export interface TouchedAccount {
  readonly id: string
  readonly currency: CurrencyCode
}

export interface AccessFacts {
  readonly agent: Agent
  readonly permission: AgentPermission
}

export interface SpendingFacts extends AccessFacts {
  readonly accounts: ReadonlyArray<TouchedAccount>
  /** Smallest unit of `currency`. */
  readonly amount: number
  readonly currency: CurrencyCode
  /** Rates from `currency` into each currency of a limit, valid now. */
  readonly rates: ReadonlyMap<CurrencyCode, Rate>
  readonly usage: Usage
}

const forbidden = (message: string, details: { readonly [key: string]: Json }): Refusal => ({
  code: "FORBIDDEN",
  message,
  details,
})

/** May the agent start this kind of action? */
export const AccessRules = Rules.make<AccessFacts, Refusal>("AgentAccess", [
  [
    "NOT_REVOKED",
    ({ agent }) =>
      agent.isDeleted ? forbidden("The agent's access has been revoked.", { reason: "AGENT_REVOKED" }) : undefined,
  ],
  [
    "NOT_PAUSED",
    ({ agent }) => (agent.isPaused ? forbidden("The agent is paused.", { reason: "AGENT_PAUSED" }) : undefined),
  ],
  [
    "PERMISSION_GRANTED",
    ({ agent, permission }) =>
      agent.policy.permissions.includes(permission)
        ? undefined
        : forbidden(`The agent's policy does not grant ${permission}.`, { reason: "PERMISSION_MISSING", permission }),
  ],
])

const ruleOf = (facts: SpendingFacts, accountId: string): AgentAccountRule | undefined =>
  facts.agent.policy.accountRestrictions?.accountRules?.find((rule) => rule.accountId === accountId)

/** The currencies into which the amount must be converted to be compared. */
export const currenciesCompared = (facts: Pick<SpendingFacts, "agent" | "accounts">): ReadonlyArray<CurrencyCode> => {
  const { approvalThresholds, spendingLimits } = facts.agent.policy
  const threshold = approvalThresholds?.currency
  const all = [
    spendingLimits.currency,
    ...(threshold === undefined ? [] : [threshold]),
    ...facts.accounts.map((account) => account.currency),
  ]
  return all.filter((code, index) => all.indexOf(code) === index)
}

/** The amount in another currency, rounded up, so that a limit is never passed by rounding; beyond all limits without a rate. */
export const amountIn = (facts: SpendingFacts, currency: CurrencyCode): number => {
  const rate = facts.rates.get(currency)
  return rate === undefined ? amountMax + 1 : convert(facts.amount, rate, "up")
}

const limitPassed = (
  limit: string,
  numbers: {
    readonly currency?: CurrencyCode
    readonly value: number
    readonly used?: number
    readonly amount: number
  },
): Refusal => {
  const { amount, currency, used, value } = numbers
  return forbidden(`The action would pass the agent's ${limit}.`, {
    reason: "LIMIT_EXCEEDED",
    limit,
    value,
    amount,
    ...(currency === undefined ? {} : { currency }),
    ...(used === undefined ? {} : { used }),
  })
}

/** The limit of one action on an account: its own rule first, else the general one. */
const perTransaction = (facts: SpendingFacts): Refusal | undefined => {
  const { currency, perTransactionLimit } = facts.agent.policy.spendingLimits
  const own = facts.accounts.map((account) => ({
    account,
    value: ruleOf(facts, account.id)?.perTransactionLimit ?? null,
  }))
  for (const { account, value } of own) {
    const amount = amountIn(facts, account.currency)
    if (value !== null && amount > value) {
      return limitPassed("perTransactionLimit", { currency: account.currency, value, amount })
    }
  }
  const isReplaced = own.length > 0 && own.every(({ value }) => value !== null)
  const amount = amountIn(facts, currency)
  return !isReplaced && amount > perTransactionLimit
    ? limitPassed("perTransactionLimit", { currency, value: perTransactionLimit, amount })
    : undefined
}

const spend = (facts: SpendingFacts, limit: "dailyLimit" | "monthlyLimit", used: number): Refusal | undefined => {
  const { spendingLimits } = facts.agent.policy
  const value = spendingLimits[limit]
  if (value === undefined || value === null) return undefined
  const amount = amountIn(facts, spendingLimits.currency)
  return used + amount > value
    ? limitPassed(limit, { currency: spendingLimits.currency, value, used, amount })
    : undefined
}

/** Does the policy cover this amount on these accounts? A value equal to a limit passes. */
export const SpendingRules = Rules.make<SpendingFacts, Refusal>("AgentSpending", [
  [
    "ACCOUNTS_IN_SCOPE",
    (facts) => {
      const allowed = facts.agent.policy.accountRestrictions?.allowedAccountIds
      const outside = allowed && facts.accounts.find((account) => !allowed.includes(account.id))
      return outside === undefined || outside === null
        ? undefined
        : forbidden("The account is outside the agent's scope.", {
            reason: "ACCOUNT_NOT_ALLOWED",
            accountId: outside.id,
          })
    },
  ],
  [
    "RATES_KNOWN",
    (facts) => {
      const missing = currenciesCompared(facts).find((currency) => !facts.rates.has(currency))
      return missing === undefined
        ? undefined
        : forbidden("The amount cannot be compared with the agent's limits: no exchange rate.", {
            reason: "RATE_UNAVAILABLE",
            currency: missing,
          })
    },
  ],
  ["PER_TRANSACTION_LIMIT", perTransaction],
  ["DAILY_LIMIT", (facts) => spend(facts, "dailyLimit", facts.usage.dailySpend)],
  ["MONTHLY_LIMIT", (facts) => spend(facts, "monthlyLimit", facts.usage.monthlySpend)],
  [
    "DAILY_TRANSACTION_LIMIT",
    (facts) => {
      const value = facts.agent.policy.spendingLimits.dailyTransactionLimit
      if (value === undefined) return undefined
      const used = facts.usage.dailyCount
      return used + 1 > value ? limitPassed("dailyTransactionLimit", { value, used, amount: 1 }) : undefined
    },
  ],
  [
    "COUNTED_EXACTLY",
    ({ usage, ...facts }) =>
      inRange(
        Math.max(usage.dailySpend, usage.monthlySpend) +
          amountIn({ usage, ...facts }, facts.agent.policy.spendingLimits.currency),
      )
        ? undefined
        : { code: "AMOUNT_OUT_OF_RANGE", message: "The amount is beyond what the agent's budget can count exactly." },
  ],
])
