/**
 * The policy applied to one action: allowed, held for an approval or refused, with the reason; and the charges of an execution.
 * Source: wire contract 1.4.
 */
import type { Refusal } from "../../foundation/errors/ServiceError.ts"
import type { Json } from "../../foundation/kit/CanonicalJson.ts"
import { convert } from "../../foundation/money/Rate.ts"
import type { Charge } from "../../model/agent/AgentAction.ts"
import { ApprovalRules } from "../../model/agent/ApprovalRules.ts"
import { AccessRules, amountIn, type SpendingFacts, SpendingRules } from "../../model/agent/PolicyRules.ts"
import * as Usage from "../../model/agent/Usage.ts"
import type { CounterChange, Stored } from "../../store/ChangeSet.ts"

export type Explanation = { readonly [key: string]: Json }

/** The rule that refuses, and its refusal. */
export interface RuleRefusal {
  readonly rule: string
  readonly refusal: Refusal
}

/** Returns the refusal with its rule's name in the details, for the agent. */
export const withRule = ({ refusal, rule }: RuleRefusal): Refusal => ({
  ...refusal,
  details: { rule, ...refusal.details },
})

/** Returns the refusal as an explanation that the action stores. */
export const explanationOf = ({ refusal, rule }: RuleRefusal): Explanation => ({
  rule,
  message: refusal.message,
  ...refusal.details,
})

export type PolicyOutcome =
  | { readonly _tag: "Allowed" }
  | { readonly _tag: "ApprovalRequired"; readonly explanation: Explanation }
  | { readonly _tag: "Refused"; readonly rule: string; readonly refusal: Refusal }

/** Returns why the action needs an approval, or `undefined`. */
const approvalReason = (facts: SpendingFacts): Explanation | undefined => {
  const held = ApprovalRules.first(facts)
  return held && { rule: held.rule, ...held.refusal }
}

/** Evaluates whether the policy allows an execution now. It runs at submission and again when a held action is approved. */
export const evaluateExecution = (facts: SpendingFacts): Exclude<PolicyOutcome, { _tag: "ApprovalRequired" }> => {
  const refused = AccessRules.first(facts) ?? SpendingRules.first(facts)
  return refused === undefined ? { _tag: "Allowed" } : { _tag: "Refused", ...refused }
}

/** Evaluates a submission: refused, held for an approval, or executed at once. */
export const evaluateSubmission = (facts: SpendingFacts): PolicyOutcome => {
  const outcome = evaluateExecution(facts)
  if (outcome._tag === "Refused") return outcome
  const explanation = approvalReason(facts)
  return explanation === undefined ? outcome : { _tag: "ApprovalRequired", explanation }
}

/** Returns the charges of an execution at `now`: its amount to the day and the month, and one to the day's count. */
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
 * Returns the reversal of a charge in the agent's present budget. A change of the limits' currency carries over the usage of its
 * own day and month only. A charge of an earlier period is in no later budget, so changes of earlier months are not needed.
 */
const reversalOf = (charge: Charge, { customerId, data: agent, id }: ChargedAgent): ReadonlyArray<CounterChange> => {
  let { amount, budget } = charge
  for (let index = Usage.currencyChangesBefore(budget); index < agent.recastCount; index++) {
    const change = agent.recasts.find((recast) => recast.index === index)
    if (change === undefined || !Usage.dayOf(change.at).startsWith(charge.period)) return []
    const { denominator, from, numerator, to } = change
    amount = convert(amount, { from, to, numerator: BigInt(numerator), denominator: BigInt(denominator) }, "down")
    budget = Usage.budgetName(to, index + 1)
  }
  return [{ key: Usage.spendKey(id, charge.period, budget), customerId, delta: -amount }]
}

/** Reverses the charged amounts, never the count. */
export const reverseCharges = (charges: ReadonlyArray<Charge>, agent: ChargedAgent): ReadonlyArray<CounterChange> =>
  charges.flatMap((charge) => reversalOf(charge, agent))
