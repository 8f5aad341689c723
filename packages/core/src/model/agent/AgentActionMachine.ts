/**
 * The state machine of an agent's action.
 * Spec: States and transitions, AgentAction.
 */
import * as Machine from "../../foundation/kit/Machine.ts"

export const AgentActionMachine = Machine.make({
  name: "AgentAction",
  arrows: [
    [null, "SubmitHeld", "PENDING_APPROVAL", ["AGENT_ACTION.PENDING_APPROVAL"]],
    [null, "SubmitAutomatic", "APPROVED"],
    ["PENDING_APPROVAL", "Approve", "APPROVED"],
    ["PENDING_APPROVAL", "Reject", "REJECTED"],
    ["APPROVED", "ExecutionFails", "FAILED"],
  ],
})
