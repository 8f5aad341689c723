/**
 * The proofs of the state machines of stablecoins. The expected arrows are copied by hand from their source.
 * Source: wire contract areas 1.6.2, 1.6.3 and 1.6.6.
 */
import { machines } from "@countersign/core/verify"
import { expect, it } from "vitest"
import { proveMachine } from "../../../packages/test/src/proof/MachineProof.ts"

const { IssuanceMachine, ProviderAccountMachine, StablecoinOperationMachine } = machines

proveMachine(ProviderAccountMachine, {
  specified: [
    [null, "Link", "ACTIVE"],
    ["ACTIVE", "Refuse", "INVALID"],
    ["ACTIVE", "Withdraw", "REVOKED"],
    ["INVALID", "Link", "ACTIVE"],
    ["INVALID", "Withdraw", "REVOKED"],
  ],
})

proveMachine(IssuanceMachine, {
  specified: [
    [null, "Review", "PENDING_REVIEW"],
    [null, "Provision", "PROVISIONING"],
    [null, "Complete", "PROVISIONED"],
    ["PENDING_REVIEW", "Approve", "PROVISIONING"],
    ["PENDING_REVIEW", "Reject", "REJECTED"],
    ["PROVISIONING", "Complete", "PROVISIONED"],
    ["PROVISIONING", "Fail", "FAILED"],
  ],
})

proveMachine(StablecoinOperationMachine, {
  specified: [
    [null, "Accept", "CREATED"],
    ["CREATED", "AwaitFunding", "PENDING_FUNDING"],
    ["CREATED", "Submit", "PENDING_PROVIDER"],
    ["PENDING_FUNDING", "Fund", "PROCESSING"],
    ["PENDING_FUNDING", "Expire", "EXPIRED"],
    ["PENDING_PROVIDER", "Begin", "PROCESSING"],
    ["PENDING_PROVIDER", "Refuse", "FAILED"],
    ["PROCESSING", "Deliver", "COMPLETED"],
    ["PROCESSING", "Fail", "FAILED"],
  ],
})

it("a path leads through every state between two states, and to no earlier one", () => {
  expect(IssuanceMachine.pathBetween(null, "REJECTED")).toEqual(["Review", "Reject"])
  expect(IssuanceMachine.pathBetween("PENDING_REVIEW", "PROVISIONED")).toEqual(["Approve", "Complete"])
  expect(IssuanceMachine.pathBetween("PROVISIONED", "PROVISIONED")).toEqual([])
  expect(IssuanceMachine.pathBetween("PROVISIONED", "PENDING_REVIEW")).toBeUndefined()
  expect(StablecoinOperationMachine.pathBetween("PENDING_FUNDING", "FAILED")).toEqual(["Fund", "Fail"])
  expect(StablecoinOperationMachine.pathBetween("PENDING_PROVIDER", "FAILED")).toEqual(["Refuse"])
  expect(StablecoinOperationMachine.pathBetween("COMPLETED", "FAILED")).toBeUndefined()
})
