/**
 * The answer to a policy evaluation: the decision of a submission or an approval, which is not committed, as a resource.
 * Source: wire contract 1.4; D-212.
 */
import { bodyOf, type Refusal } from "../../foundation/errors/ServiceError.ts"
import type { AgentActionResource } from "../../model/agent/AgentActionResource.ts"
import type { AgentPolicyEvaluation } from "../../model/agent/PolicyEvaluationResource.ts"
import type { SpendingFacts } from "../../model/agent/PolicyRules.ts"
import { remainingLimits } from "../../model/agent/RemainingLimits.ts"
import { toQuote } from "../../model/quote/QuoteResource.ts"
import { asOf } from "../../store/AsOf.ts"
import { evaluateSubmission, withRule } from "../agent/AgentPolicyEvaluation.ts"
import type { Decision } from "../Decision.ts"
import type { ActionLoaded } from "./ActionLoaded.ts"
import { isPlan, planOf, quoteOf } from "./ActionPlan.ts"
import { spendingFactsOf } from "./ActionRecord.ts"
import { actionRows, policyRows } from "./EvaluationRows.ts"

/** Returns what the action would move, and what it would leave of each limit. */
const numbersOf = (loaded: ActionLoaded, now: number) => {
  const plan = planOf(loaded)
  if (!isPlan(plan)) return { limits: [] }
  const { transferDetails } = plan.recorded
  const quote = quoteOf(plan)
  return {
    ...(transferDetails === undefined ? {} : { transferDetails }),
    ...(quote === undefined ? {} : { quote: toQuote(asOf(quote, now)) }),
    limits: remainingLimits(spendingFactsOf(loaded, plan)),
  }
}

const refused = (refusal: Refusal): Pick<AgentPolicyEvaluation, "outcome" | "details" | "error"> => ({
  outcome: "REFUSED",
  ...(refusal.details === undefined ? {} : { details: refusal.details }),
  error: bodyOf(refusal),
})

/** Returns what the policy's own rules decide, for an action that was possible otherwise. */
export const toPolicyEvaluation = (facts: SpendingFacts): AgentPolicyEvaluation => {
  const numbers = { limits: remainingLimits(facts), rows: policyRows(facts) }
  const outcome = evaluateSubmission(facts)
  switch (outcome._tag) {
    case "Refused":
      return { ...refused(withRule(outcome)), ...numbers }
    case "ApprovalRequired":
      return { outcome: "PENDING_APPROVAL", details: outcome.explanation, ...numbers }
    case "Allowed":
      return { outcome: "APPROVED", ...numbers }
  }
}

/** Returns a decision as an evaluation. `isApproval`: it is the decision of an approval, not of a submission. */
export const toEvaluation = (
  loaded: ActionLoaded,
  decision: Decision<AgentActionResource>,
  now: number,
  isApproval = false,
): AgentPolicyEvaluation => {
  const numbers = { ...numbersOf(loaded, now), rows: actionRows(loaded, now, isApproval) }
  if (decision._tag === "Refuse") return { ...refused(decision.refusal), ...numbers }
  const { details, status } = decision.body
  // An approved action keeps the explanation of its hold, which is no reason for the approval.
  const isReason = details !== undefined && status !== "APPROVED"
  return { outcome: status === "REJECTED" ? "REFUSED" : status, ...(isReason ? { details } : {}), ...numbers }
}
