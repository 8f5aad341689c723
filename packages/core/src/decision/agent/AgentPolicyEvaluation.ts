/**
 * Allow, hold or deny: the policy applied to one action, with the reason, and the charges of an execution.
 * Source: wire contract 1.4.
 */
import type { Refusal } from "../../foundation/errors/ServiceError.ts"
import type { Json } from "../../foundation/kit/CanonicalJson.ts"
import { convert } from "../../foundation/money/Rate.ts"
import type { Charge } from "../../model/agent/AgentAction.ts"
import type { ExecutionMode } from "../../model/agent/Policy.ts"
import { AccessRules, amountIn, type SpendingFacts, SpendingRules } from "../../model/agent/PolicyRules.ts"
import * as Usage from "../../model/agent/Usage.ts"
import type { CounterChange, Stored } from "../../store/ChangeSet.ts"

export type Explanation = { readonly [key: string]: Json }

/** A rule that was not kept, and what it answered. */
export interface RuleRefusal {
  readonly rule: string
  readonly refusal: Refusal
}

/** A refusal that names its rule, for the agent. */
export const withRule = ({ refusal, rule }: RuleRefusal): Refusal => ({
  ...refusal,
  details: { rule, ...refusal.details },
})

/** The same as an explanation that the action keeps. */
export const explanationOf = ({ refusal, rule }: RuleRefusal): Explanation => ({
  rule,
  message: refusal.message,
  ...refusal.details,
})

export type PolicyOutcome =
  | { readonly _tag: "Allow" }
  | { readonly _tag: "Hold"; readonly explanation: Explanation }
  | { readonly _tag: "Deny"; readonly rule: string; readonly refusal: Refusal }

interface Mode {
  readonly mode: ExecutionMode
  readonly explanation: Explanation
}

/** Why the action needs an approval, or `undefined`. A threshold can only tighten. */
const approvalReason = (facts: SpendingFacts): Explanation | undefined => {
  const { accountRestrictions, approvalThresholds, defaultExecutionMode, spendingLimits } = facts.agent.policy
  const usual: Mode = {
    mode: defaultExecutionMode,
    explanation: { rule: "DEFAULT_EXECUTION_MODE", message: "The agent's policy holds every action." },
  }
  const modes = facts.accounts.map(({ id }): Mode => {
    const own = accountRestrictions?.accountRules?.find((rule) => rule.accountId === id)?.executionMode
    const message = "The agent's policy holds every action on this account."
    return own === undefined
      ? usual
      : { mode: own, explanation: { rule: "ACCOUNT_EXECUTION_MODE", message, accountId: id } }
  })
  // Money that goes from one account outside to another touches none here.
  if (modes.length === 0) modes.push(usual)
  const held = modes.find(({ mode }) => mode === "APPROVAL_REQUIRED")
  if (held !== undefined) return held.explanation
  const threshold = approvalThresholds?.amount
  if (threshold === undefined || threshold === null) return undefined
  const currency = approvalThresholds?.currency ?? spendingLimits.currency
  const amount = amountIn(facts, currency)
  return amount > threshold
    ? {
        rule: "APPROVAL_THRESHOLD",
        message: "The amount is above the approval threshold.",
        currency,
        threshold,
        amount,
      }
    : undefined
}

/** May it be executed at all, now? Run at submission, and again when a held action is approved. */
export const evaluateExecution = (facts: SpendingFacts): PolicyOutcome => {
  const denied = AccessRules.first(facts) ?? SpendingRules.first(facts)
  return denied === undefined ? { _tag: "Allow" } : { _tag: "Deny", ...denied }
}

/** The verdict on a submission. */
export const evaluateSubmission = (facts: SpendingFacts): PolicyOutcome => {
  const verdict = evaluateExecution(facts)
  if (verdict._tag === "Deny") return verdict
  const explanation = approvalReason(facts)
  return explanation === undefined ? verdict : { _tag: "Hold", explanation }
}

/** What an execution at this moment charges: its amount to the day and the month, and one to the day's count. */
export const chargesOf = (
  facts: SpendingFacts,
  { customerId, id }: Pick<Stored<"Agent">, "id" | "customerId">,
  now: number,
): { readonly counters: ReadonlyArray<CounterChange>; readonly charges: ReadonlyArray<Charge> } => {
  const { currency, dailyLimit, dailyTransactionLimit, monthlyLimit } = facts.agent.policy.spendingLimits
  const amount = amountIn(facts, currency)
  const budget = Usage.budgetOf(facts.agent)
  const keys = Usage.keysAt(id, budget, now)
  const bound = (max: number | null | undefined) => (max === undefined || max === null ? {} : { max })
  return {
    counters: [
      { key: keys.dailyCount, customerId, delta: 1, ...bound(dailyTransactionLimit) },
      { key: keys.dailySpend, customerId, delta: amount, ...bound(dailyLimit) },
      { key: keys.monthlySpend, customerId, delta: amount, ...bound(monthlyLimit) },
    ],
    charges: [
      { period: Usage.dayOf(now), budget, amount },
      { period: Usage.monthOf(now), budget, amount },
    ],
  }
}

type ChargedAgent = Pick<Stored<"Agent">, "id" | "customerId" | "data">

/**
 * What of a charge stands in the agent's present budget, and where: a recast carried the usage of its own day and month
 * only, so a charge of an earlier period stands in none that came after, and recasts of earlier months need not be known.
 */
const reversalOf = (charge: Charge, { customerId, data: agent, id }: ChargedAgent): ReadonlyArray<CounterChange> => {
  let { amount, budget } = charge
  for (let index = Usage.currencyChangesBefore(budget); index < agent.recastCount; index++) {
    const recast = agent.recasts.find((made) => made.index === index)
    if (recast === undefined || !Usage.dayOf(recast.at).startsWith(charge.period)) return []
    const { denominator, from, numerator, to } = recast
    amount = convert(amount, { from, to, numerator: BigInt(numerator), denominator: BigInt(denominator) }, "down")
    budget = Usage.budgetName(to, index + 1)
  }
  return [{ key: Usage.spendKey(id, charge.period, budget), customerId, delta: -amount }]
}

/** Gives the charged amounts back, never the count. */
export const reverseCharges = (charges: ReadonlyArray<Charge>, agent: ChargedAgent): ReadonlyArray<CounterChange> =>
  charges.flatMap((charge) => reversalOf(charge, agent))
