/**
 * Every machine of the core, proven; the arrows are copied by hand from where they are decided.
 * Spec: States and transitions; D-009.
 */
import { machines } from "@countersign/core"
import { expect, it } from "vitest"
import { proveMachine } from "./MachineProof.ts"

const { AgentActionMachine, IncomingMachine, ...others } = machines

proveMachine(AgentActionMachine, {
  specified: [
    [null, "SubmitHeld", "PENDING_APPROVAL", ["AGENT_ACTION.PENDING_APPROVAL"]],
    [null, "SubmitAutomatic", "APPROVED"],
    ["PENDING_APPROVAL", "Approve", "APPROVED"],
    ["PENDING_APPROVAL", "Reject", "REJECTED"],
    ["APPROVED", "ExecutionFails", "FAILED"],
  ],
})

proveMachine(IncomingMachine, {
  specified: [
    [null, "Pull", "PENDING", ["INCOMING_PAYMENT.PENDING"]],
    [null, "Fund", "COMPLETED", ["INCOMING_PAYMENT.COMPLETED"]],
    ["PENDING", "Settle", "COMPLETED", ["INCOMING_PAYMENT.COMPLETED"]],
    ["PENDING", "Fail", "FAILED", ["INCOMING_PAYMENT.FAILED"]],
  ],
})

it("leaves no machine out", () => {
  expect(Object.keys(others)).toEqual([])
})
