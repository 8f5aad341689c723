/**
 * Every machine of the core, proven; the arrows are copied by hand from where they are decided.
 * Spec: States and transitions; D-009, D-050.
 */
import { machines } from "@countersign/core"
import { expect, it } from "vitest"
import { proveMachine } from "./MachineProof.ts"

const { AgentActionMachine, ExternalAccountMachine, IncomingMachine, ...others } = machines
const statusUpdated = ["EXTERNAL_ACCOUNT.STATUS_UPDATED"] as const

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

proveMachine(ExternalAccountMachine, {
  specified: [
    [null, "AddVerified", "ACTIVE"],
    [null, "AddAwaiting", "PENDING"],
    [null, "AddForReview", "UNDER_REVIEW"],
    [null, "AddUnproven", "PENDING_OWNERSHIP_VERIFICATION"],
    ["PENDING", "Activate", "ACTIVE", statusUpdated],
    ["PENDING", "Review", "UNDER_REVIEW", statusUpdated],
    ["PENDING", "Deactivate", "INACTIVE", statusUpdated],
    ["UNDER_REVIEW", "Activate", "ACTIVE", statusUpdated],
    ["UNDER_REVIEW", "Deactivate", "INACTIVE", statusUpdated],
    ["ACTIVE", "Review", "UNDER_REVIEW", statusUpdated],
    ["ACTIVE", "Deactivate", "INACTIVE", statusUpdated],
    ["INACTIVE", "Activate", "ACTIVE", statusUpdated],
    ["PENDING_OWNERSHIP_VERIFICATION", "Prove", "ACTIVE", statusUpdated],
    ["PENDING_OWNERSHIP_VERIFICATION", "FailProof", "UNVERIFIED", statusUpdated],
    ["UNVERIFIED", "Challenge", "PENDING_OWNERSHIP_VERIFICATION", statusUpdated],
  ],
})

it("leaves no machine out", () => {
  expect(Object.keys(others)).toEqual([])
})
