/**
 * Decides an update of an agent's policy: refused, or stored, with the usage so far converted into a new currency of the limits.
 * Source: wire contract 1.3 (policy update) and 11 (14).
 */
import { invalidInput, type Refusal } from "../../foundation/errors/ServiceError.ts"
import { inRange } from "../../foundation/money/Amount.ts"
import type { Rate } from "../../foundation/money/Rate.ts"
import type { Agent } from "../../model/agent/Agent.ts"
import { type AgentPolicyUpdateRequest, type AgentResource, toAgent } from "../../model/agent/AgentResource.ts"
import { policyProblems } from "../../model/agent/PolicyShapeRules.ts"
import * as Usage from "../../model/agent/Usage.ts"
import * as Changes from "../../store/Changes.ts"
import { auditRecord } from "../audit/Audit.ts"
import { answer, type Decision, type DecisionContext, refuse } from "../Decision.ts"
import type { AgentWithUsage } from "./AgentDecision.ts"
import { applyPolicyUpdate, convertUsage, newLimitCurrency, openBudget, withCurrencyChange } from "./PolicyUpdate.ts"

/** What an update of a policy is decided on. */
export interface PolicyUpdateLoaded extends AgentWithUsage {
  /** The internal accounts that the updated policy names and that belong to the agent's customer. */
  readonly ownAccountIds: ReadonlySet<string>
  /** The rate into the new currency of the limits. Absent: the currency stays, or no rate exists. */
  readonly rate: Rate | undefined
}

/** An agent as an update of its policy leaves it, with its usage in the currency of the limits. */
export interface UpdatedAgent {
  readonly data: Agent
  readonly usage: Usage.Usage
}

/** Returns the agent after an update of its policy, or the refusal of the update. */
export const applyUpdate = (
  request: AgentPolicyUpdateRequest,
  loaded: PolicyUpdateLoaded,
): UpdatedAgent | { readonly refusal: Refusal } => {
  const { agent, ownAccountIds, rate, readAt } = loaded
  if (newLimitCurrency(agent.data.policy, request) !== undefined && rate === undefined) {
    const message = "The limits cannot be recast: no exchange rate between the two currencies."
    return { refusal: { code: "INVALID_CURRENCY", message } }
  }
  const policy = applyPolicyUpdate(agent.data.policy, request, rate)
  const problems = policyProblems(policy, ownAccountIds)
  if (problems.length > 0) return { refusal: invalidInput(problems) }
  const usage = rate === undefined ? loaded.usage : convertUsage(loaded.usage, rate)
  if (!inRange(Math.max(usage.dailySpend, usage.monthlySpend))) {
    const message = "In that currency the usage so far is beyond what can be counted exactly."
    return { refusal: { code: "AMOUNT_OUT_OF_RANGE", message } }
  }
  return {
    data: { ...(rate === undefined ? agent.data : withCurrencyChange(agent.data, rate, readAt)), policy },
    usage,
  }
}

/** Updates an agent's policy. */
export const updateAgentPolicy =
  (request: AgentPolicyUpdateRequest) =>
  (loaded: PolicyUpdateLoaded, context: DecisionContext): Decision<AgentResource> => {
    const { agent, rate, readAt } = loaded
    const { now } = context
    const updated = applyUpdate(request, loaded)
    if ("refusal" in updated) return refuse(updated.refusal)
    const { data, usage } = updated
    const newBudget = { keys: Usage.keysAt(agent.id, Usage.budgetOf(data), readAt), usage }
    return answer(
      200,
      toAgent(Changes.after(agent, data, now), usage, now),
      Changes.combine(
        Changes.update(agent, data),
        auditRecord(context, "AGENT_POLICY_UPDATE", agent, { details: { changed: Object.keys(request) } }),
        rate === undefined
          ? undefined
          : { counters: openBudget(loaded, newBudget, agent.customerId), validUntil: Usage.endOfDay(readAt) },
      ),
    )
  }
