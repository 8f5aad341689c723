/**
 * The answer to a policy evaluation: the decision of a submission or an approval, which is not committed, as a resource.
 * Source: wire contract 1.4; D-212.
 */
import { bodyOf } from "../../foundation/errors/ServiceError.ts"
import type { AgentActionResource } from "../../model/agent/AgentActionResource.ts"
import type { AgentPolicyEvaluation } from "../../model/agent/PolicyEvaluationResource.ts"
import { remainingLimits } from "../../model/agent/RemainingLimits.ts"
import { toQuote } from "../../model/quote/QuoteResource.ts"
import { asOf } from "../../store/AsOf.ts"
import type { Decision } from "../Decision.ts"
import type { ActionLoaded } from "./ActionLoaded.ts"
import { isPlan, planOf, quoteOf } from "./ActionPlan.ts"
import { spendingFactsOf } from "./ActionRecord.ts"

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

/** Returns a decision as an evaluation. */
export const toEvaluation = (
  loaded: ActionLoaded,
  decision: Decision<AgentActionResource>,
  now: number,
): AgentPolicyEvaluation => {
  const numbers = numbersOf(loaded, now)
  if (decision._tag === "Refuse") {
    const { details } = decision.refusal
    return {
      outcome: "REFUSED",
      ...(details === undefined ? {} : { details }),
      error: bodyOf(decision.refusal),
      ...numbers,
    }
  }
  const { details, status } = decision.body
  // An approved action keeps the explanation of its hold, which is no reason for the approval.
  const isReason = details !== undefined && status !== "APPROVED"
  return { outcome: status === "REJECTED" ? "REFUSED" : status, ...(isReason ? { details } : {}), ...numbers }
}
