/**
 * The answer to a comparison of policies: the decisions of both on the same actions, none of which is committed.
 * Source: D-475, D-476.
 */

import { iso } from "../../foundation/kit/Instant.ts"
import type { CurrencyCode } from "../../foundation/money/Currencies.ts"
import type { Rate } from "../../foundation/money/Rate.ts"
import { toAgent } from "../../model/agent/AgentResource.ts"
import type { AgentPolicyComparison } from "../../model/agent/PolicyComparisonResource.ts"
import type { AgentPolicyEvaluateRequest, AgentPolicyEvaluation } from "../../model/agent/PolicyEvaluationResource.ts"
import type { Stored } from "../../store/ChangeSet.ts"
import type { DecisionContext } from "../Decision.ts"
import type { ActionLoaded } from "./ActionLoaded.ts"
import { submitAction } from "./ActionSubmissionDecision.ts"
import { toEvaluation, toPolicyEvaluation } from "./PolicyEvaluationDecision.ts"
import { type DecidingAgent, type RecordedMoney, recordedFacts } from "./RecordedFacts.ts"

/** The agent as it is, and as the update of its policy would leave it. */
export interface ComparedAgents {
  readonly agent: Stored<"Agent">
  readonly present: DecidingAgent
  /** Absent: the request has no update. */
  readonly proposed: DecidingAgent | undefined
}

/** An action that the agent could submit now, with what its submission would be decided on. */
export interface RequestedComparison {
  readonly action: AgentPolicyEvaluateRequest
  readonly loaded: ActionLoaded
}

/** An action that the agent has submitted. */
export interface RecentComparison {
  readonly action: Stored<"AgentAction">
  readonly money: RecordedMoney
}

interface Outcomes {
  readonly present: AgentPolicyEvaluation
  readonly proposed?: AgentPolicyEvaluation
}

const both = (agents: ComparedAgents, decide: (agent: DecidingAgent) => AgentPolicyEvaluation): Outcomes => ({
  present: decide(agents.present),
  ...(agents.proposed === undefined ? {} : { proposed: decide(agents.proposed) }),
})

/** Returns what both policies decide on a submission now. `context` makes the context of one decision. */
export const compareRequested = (
  agents: ComparedAgents,
  { action, loaded }: RequestedComparison,
  context: () => DecisionContext,
): AgentPolicyComparison["actions"][number] => ({
  action,
  ...both(agents, ({ data, usage }) => {
    const as: ActionLoaded = { ...loaded, agent: { ...agents.agent, data }, usage }
    const own = context()
    return toEvaluation(as, submitAction(201)(as, own), own.now)
  }),
})

/** Returns what both policies decide on an action that was submitted. */
export const compareRecent = (
  agents: ComparedAgents,
  { action, money }: RecentComparison,
  rates: (from: CurrencyCode) => ReadonlyMap<CurrencyCode, Rate>,
  now: number,
): AgentPolicyComparison["recent"][number] => ({
  actionId: action.id,
  type: action.data.type,
  status: action.data.status,
  amount: money.amount,
  currency: money.currency,
  createdAt: iso(action.createdAt),
  asOf: iso(action.data.usageBefore === undefined ? now : action.createdAt),
  ...both(agents, (agent) => toPolicyEvaluation(recordedFacts(action.data, money, agent, rates))),
})

/** Returns the policies and usages that are compared. */
export const comparedPolicies = (
  agents: ComparedAgents,
  now: number,
): Pick<AgentPolicyComparison, "asOf" | "present" | "proposed"> => {
  const resourceOf = ({ data, usage }: DecidingAgent) => {
    const { policy, usage: shown } = toAgent({ ...agents.agent, data }, usage, now)
    return { policy, usage: shown }
  }
  const { present, proposed } = agents
  return {
    asOf: iso(now),
    present: resourceOf(present),
    ...(proposed === undefined ? {} : { proposed: resourceOf(proposed) }),
  }
}
