/**
 * Two rule lists by precedence: whether an agent may act at all, and whether its policy covers an amount.
 * Source: wire contract 1.4 (steps 2, 3, 5, 6) and 11 (30).
 */
import type { Refusal } from "../../foundation/errors/ServiceError.ts"
import type { Json } from "../../foundation/kit/CanonicalJson.ts"
import * as Rules from "../../foundation/kit/Rules.ts"
import { amountMax, inRange } from "../../foundation/money/Amount.ts"
import type { CurrencyCode } from "../../foundation/money/Currencies.ts"
import { convert, type Rate } from "../../foundation/money/Rate.ts"
import type { ApprovalRow } from "../approval/ApprovalPolicy.ts"
import type { Agent } from "./Agent.ts"
import type { AgentAccountRule, AgentPermission } from "./Policy.ts"
import type { Usage } from "./Usage.ts"

/** An internal account that the action debits or credits. */
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
  /** Current rates from `currency` into the currency of each limit. */
  readonly rates: ReadonlyMap<CurrencyCode, Rate>
  readonly usage: Usage
  /** The row of the deployment's approval policy that covers the action, if any does. */
  readonly approvalRow?: ApprovalRow | undefined
}

const forbidden = (message: string, details: { readonly [key: string]: Json }): Refusal => ({
  code: "FORBIDDEN",
  message,
  details,
})

/** The refusal of a paused agent. The middleware and the decision use the same one. */
export const agentPaused = forbidden("The agent is paused.", { rule: "NOT_PAUSED", reason: "AGENT_PAUSED" })
/** The refusal of an agent without `permission`. The middleware and the decision use the same one. */
export const permissionMissing = (permission: AgentPermission) =>
  forbidden(`The agent's policy does not grant ${permission}.`, {
    rule: "PERMISSION_GRANTED",
    reason: "PERMISSION_MISSING",
    permission,
  })

/** The refusal of a request that names another customer than the agent's own. */
export const customerNotAllowed = forbidden("An agent acts for its own customer only.", {
  reason: "CUSTOMER_NOT_ALLOWED",
})

/** Whether the agent may start this type of action. */
export const AccessRules = Rules.make<AccessFacts, Refusal>("AgentAccess", [
  [
    "NOT_REVOKED",
    ({ agent }) =>
      agent.isDeleted ? forbidden("The agent's access has been revoked.", { reason: "AGENT_REVOKED" }) : undefined,
  ],
  ["NOT_PAUSED", ({ agent }) => (agent.isPaused ? agentPaused : undefined)],
  [
    "PERMISSION_GRANTED",
    ({ agent, permission }) =>
      agent.policy.permissions.includes(permission) ? undefined : permissionMissing(permission),
  ],
])

/** Returns the refusal of the first account that the agent's policy does not allow, or `undefined`. */
export const accountNotAllowed = ({
  accounts,
  agent,
}: Pick<SpendingFacts, "agent" | "accounts">): Refusal | undefined => {
  const allowed = agent.policy.accountRestrictions?.allowedAccountIds
  if (allowed === undefined || allowed === null) return undefined
  const outside = accounts.find((account) => !allowed.includes(account.id))
  return outside === undefined
    ? undefined
    : forbidden("The account is outside the agent's scope.", { reason: "ACCOUNT_NOT_ALLOWED", accountId: outside.id })
}

/** Returns the policy's rule for one account, or `undefined`. */
export const accountRuleOf = (facts: SpendingFacts, accountId: string): AgentAccountRule | undefined =>
  facts.agent.policy.accountRestrictions?.accountRules?.find((rule) => rule.accountId === accountId)

/** Returns the currencies of all limits that the amount is compared with. */
export const comparedCurrencies = (facts: Pick<SpendingFacts, "agent" | "accounts">): ReadonlyArray<CurrencyCode> => {
  const { approvalThresholds, spendingLimits } = facts.agent.policy
  const threshold = approvalThresholds?.currency
  const all = [
    spendingLimits.currency,
    ...(threshold === undefined ? [] : [threshold]),
    ...facts.accounts.map((account) => account.currency),
  ]
  return all.filter((code, index) => all.indexOf(code) === index)
}

/**
 * Converts the amount into `currency`. It rounds up, so that rounding never exceeds a limit. Without a rate it returns an amount
 * above every limit.
 */
export const amountIn = (facts: SpendingFacts, currency: CurrencyCode): number => {
  const rate = facts.rates.get(currency)
  return rate === undefined ? amountMax + 1 : convert(facts.amount, rate, "up")
}

/** The limits' names in messages. */
const limitNames = {
  perTransactionLimit: "limit of one action",
  dailyLimit: "daily limit",
  monthlyLimit: "monthly limit",
  dailyTransactionLimit: "daily number of actions",
} as const

const limitExceeded = (
  limit: keyof typeof limitNames,
  numbers: {
    readonly currency?: CurrencyCode
    readonly accountId?: string
    readonly value: number
    readonly used?: number
    readonly amount: number
  },
): Refusal => {
  const { accountId, amount, currency, used, value } = numbers
  return forbidden(`The action would pass the agent's ${limitNames[limit]}.`, {
    reason: "LIMIT_EXCEEDED",
    limit,
    value,
    amount,
    ...(currency === undefined ? {} : { currency }),
    ...(accountId === undefined ? {} : { accountId }),
    ...(used === undefined ? {} : { used }),
  })
}

/** A limit of one action in its own currency, and the action's amount in that currency. */
interface ActionLimit {
  readonly currency: CurrencyCode
  readonly accountId?: string
  readonly value: number
  readonly amount: number
}

/** Returns the limits of one action: each account's own limit, and the general limit unless every account has its own. */
export const perTransactionLimits = (facts: SpendingFacts): ReadonlyArray<ActionLimit> => {
  const { currency, perTransactionLimit } = facts.agent.policy.spendingLimits
  const own = facts.accounts.flatMap((account): ReadonlyArray<ActionLimit> => {
    const value = accountRuleOf(facts, account.id)?.perTransactionLimit ?? null
    const amount = amountIn(facts, account.currency)
    return value === null ? [] : [{ currency: account.currency, accountId: account.id, value, amount }]
  })
  const isReplaced = own.length > 0 && own.length === facts.accounts.length
  return isReplaced ? own : [...own, { currency, value: perTransactionLimit, amount: amountIn(facts, currency) }]
}

const perTransactionLimitExceeded = (facts: SpendingFacts): Refusal | undefined => {
  const exceeded = perTransactionLimits(facts).find(({ amount, value }) => amount > value)
  return exceeded && limitExceeded("perTransactionLimit", exceeded)
}

const spendLimitExceeded = (
  facts: SpendingFacts,
  limit: "dailyLimit" | "monthlyLimit",
  used: number,
): Refusal | undefined => {
  const { spendingLimits } = facts.agent.policy
  const value = spendingLimits[limit]
  if (value === undefined || value === null) return undefined
  const amount = amountIn(facts, spendingLimits.currency)
  return used + amount > value
    ? limitExceeded(limit, { currency: spendingLimits.currency, value, used, amount })
    : undefined
}

/** Whether the policy covers this amount on these accounts. An amount equal to a limit is allowed. */
export const SpendingRules = Rules.make<SpendingFacts, Refusal>("AgentSpending", [
  ["ACCOUNTS_IN_SCOPE", accountNotAllowed],
  [
    "RATES_KNOWN",
    (facts) => {
      const missing = comparedCurrencies(facts).find((currency) => !facts.rates.has(currency))
      return missing === undefined
        ? undefined
        : forbidden("The amount cannot be compared with the agent's limits: no exchange rate.", {
            reason: "RATE_UNAVAILABLE",
            currency: missing,
          })
    },
  ],
  ["PER_TRANSACTION_LIMIT", perTransactionLimitExceeded],
  ["DAILY_LIMIT", (facts) => spendLimitExceeded(facts, "dailyLimit", facts.usage.dailySpend)],
  ["MONTHLY_LIMIT", (facts) => spendLimitExceeded(facts, "monthlyLimit", facts.usage.monthlySpend)],
  [
    "DAILY_TRANSACTION_LIMIT",
    (facts) => {
      const value = facts.agent.policy.spendingLimits.dailyTransactionLimit
      if (value === undefined) return undefined
      const used = facts.usage.dailyCount
      return used + 1 > value ? limitExceeded("dailyTransactionLimit", { value, used, amount: 1 }) : undefined
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
