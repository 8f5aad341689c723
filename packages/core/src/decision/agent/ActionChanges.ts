/**
 * The record of an action, and what becomes of it after its decision: rejected by the platform, or failed with its transaction.
 * Spec: States and transitions, AgentAction; wire contract 1.4 (a failed transaction gives its amount back, never its count).
 */

import type { AgentAction } from "../../model/agent/AgentAction.ts"
import { AgentActionMachine } from "../../model/agent/AgentActionMachine.ts"
import type { Stored } from "../../store/ChangeSet.ts"
import * as Changes from "../../store/Changes.ts"
import { reverseCharges } from "./AgentPolicyEvaluation.ts"

/** The action after the change, and the change. */
export interface ActionTransition {
  readonly action: Stored<"AgentAction">
  readonly changes: Changes.Changes
}

const updateAction = (
  stored: Stored<"AgentAction">,
  data: AgentAction,
  now: number,
  more: Changes.Changes = {},
): ActionTransition => ({
  action: Changes.after(stored, data, now),
  changes: Changes.combine(Changes.update(stored, data), more),
})

/** The platform rejects a held action. */
export const reject = (stored: Stored<"AgentAction">, reason: string | undefined, now: number): ActionTransition => {
  const status = AgentActionMachine.follow(stored.data.status, "Reject")
  return updateAction(
    stored,
    { ...stored.data, status, ...(reason === undefined ? {} : { rejectionReason: reason }) },
    now,
  )
}

/** The transaction of an approved action failed: so has the action, and its charges go back once. */
export const failExecution = (
  stored: Stored<"AgentAction">,
  agent: Stored<"Agent">,
  reason: string,
  now: number,
): ActionTransition => {
  const status = AgentActionMachine.follow(stored.data.status, "ExecutionFails")
  const data: AgentAction = {
    ...stored.data,
    status,
    charges: [],
    explanation: { rule: "TRANSACTION_FAILED", message: "The transaction failed.", reason },
  }
  // A recast in between would carry other amounts: the agent is guarded.
  const counters = reverseCharges(stored.data.charges, agent)
  return updateAction(stored, data, now, Changes.combine({ counters }, Changes.guard(agent)))
}
