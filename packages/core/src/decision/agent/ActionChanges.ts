/**
 * The changes of an agent's action after its decision: the platform rejects it, or its transaction fails.
 * Spec: States and transitions, AgentAction; wire contract 1.4 (a failed transaction gives its amount back, never its count).
 */

import type { AgentAction } from "../../model/agent/AgentAction.ts"
import { AgentActionMachine } from "../../model/agent/AgentActionMachine.ts"
import type { Stored } from "../../store/ChangeSet.ts"
import * as Changes from "../../store/Changes.ts"
import { reverseCharges } from "./AgentPolicyEvaluation.ts"

/** The action after the transition, and the change set of the transition. */
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

/** Rejects a held action. */
export const reject = (stored: Stored<"AgentAction">, reason: string | undefined, now: number): ActionTransition => {
  const status = AgentActionMachine.follow(stored.data.status, "Reject").state
  return updateAction(
    stored,
    { ...stored.data, status, ...(reason === undefined ? {} : { rejectionReason: reason }) },
    now,
  )
}

/** Fails an approved action whose transaction failed, and reverses its charges once. */
export const failExecution = (
  stored: Stored<"AgentAction">,
  agent: Stored<"Agent">,
  reason: string,
  now: number,
): ActionTransition => {
  const status = AgentActionMachine.follow(stored.data.status, "ExecutionFails").state
  const data: AgentAction = {
    ...stored.data,
    status,
    charges: [],
    explanation: { rule: "TRANSACTION_FAILED", message: "The transaction failed.", reason },
  }
  // A change of the limits' currency in between would reverse other amounts, so the agent is guarded.
  const counters = reverseCharges(stored.data.charges, agent)
  return updateAction(stored, data, now, Changes.combine({ counters }, Changes.guard(agent)))
}
