/**
 * The record of an agent's action, its execution, and the records that its response embeds; the same at submission and approval.
 * Spec: AgentAction; wire contract 1.4 and 1.6.
 */
import type { Refusal } from "../../foundation/errors/ServiceError.ts"
import {
  type AgentAction,
  type AgentActionStatus,
  type AgentActionType,
  AgentActionTypes,
  type WalletSignature,
} from "../../model/agent/AgentAction.ts"
import type { ExpandedRecords } from "../../model/agent/AgentActionResource.ts"
import { type AccessFacts, amountIn, type SpendingFacts } from "../../model/agent/PolicyRules.ts"
import { coveringRow } from "../../model/approval/ApprovalRowRules.ts"
import { toQuote } from "../../model/quote/QuoteResource.ts"
import { asOf } from "../../store/AsOf.ts"
import * as Changes from "../../store/Changes.ts"
import { chargesOf } from "../agent/AgentPolicyEvaluation.ts"
import type { DecisionContext } from "../Decision.ts"
import { destinationOf } from "./ActionDestination.ts"
import type { ActionLoaded, AgentRecords } from "./ActionLoaded.ts"
import { type ActionPlan, type BegunExecution, beginPlan, isPlan, quoteOf } from "./ActionPlan.ts"

/** Returns what the access rules need to know. */
export const accessFactsOf = ({ agent, requested }: ActionLoaded): AccessFacts => ({
  agent: agent.data,
  permission: AgentActionTypes.get(requested.type),
})

/** Returns what the policy's rules need to know about a planned action. */
export const spendingFactsOf = (loaded: ActionLoaded, { accounts, amount, currency }: ActionPlan): SpendingFacts => {
  const facts = { ...accessFactsOf(loaded), accounts, amount, currency, rates: loaded.rates, usage: loaded.usage }
  const { at: now, policy } = loaded.approvals
  if (policy === undefined) return facts
  const destination = destinationOf(loaded)
  return { ...facts, approvalRow: coveringRow(policy, { destination, amountIn: (to) => amountIn(facts, to), now }) }
}

/** Returns the data of a new action. */
export const newAction = (
  { agent, customer, usage }: Pick<AgentRecords, "agent" | "customer" | "usage">,
  type: AgentActionType,
  status: AgentActionStatus,
  more: Partial<AgentAction>,
): AgentAction => ({
  agentId: agent.id,
  platformCustomerId: customer.data.platformCustomerId,
  status,
  type,
  charges: [],
  usageBefore: { currency: agent.data.policy.spendingLimits.currency, ...usage },
  ...more,
})

/** The execution of an action, with its charges. */
export interface ChargedExecution extends BegunExecution {
  readonly charges: AgentAction["charges"]
}

/** Executes a plan: begins its transaction and charges the agent's budget. */
export const execute = (
  loaded: ActionLoaded,
  plan: ActionPlan,
  actionId: string,
  walletSignature: WalletSignature | undefined,
  context: DecisionContext,
): ChargedExecution => {
  const { agent, customer, dayEndsAt } = loaded
  const { charges, counters } = chargesOf(spendingFactsOf(loaded, plan), agent, dayEndsAt - 1)
  const by = { agentId: agent.id, actionId }
  const started = beginPlan(plan, customer, context, by, walletSignature?.sessionId)
  return { ...started, charges, changes: Changes.combine(started.changes, { counters }) }
}

/** Returns the records that the action's response embeds, after its execution if it has begun. */
export const expandedRecordsOf = (
  plan: ActionPlan | Refusal,
  { now }: DecisionContext,
  executed?: Omit<BegunExecution, "changes">,
): ExpandedRecords => {
  const quote = executed?.quote ?? (isPlan(plan) ? quoteOf(plan) : undefined)
  return { transaction: executed?.transaction, quote: quote && toQuote(asOf(quote, now)) }
}
