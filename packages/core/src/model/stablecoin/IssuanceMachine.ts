/**
 * The state machine of a stablecoin's issuance at its provider.
 * Source: wire contract areas 1.6.3.
 */
import * as Machine from "../../foundation/kit/Machine.ts"

export const IssuanceMachine = Machine.make({
  name: "StablecoinIssuance",
  arrows: [
    [null, "Review", "PENDING_REVIEW"],
    [null, "Provision", "PROVISIONING"],
    [null, "Complete", "PROVISIONED"],
    ["PENDING_REVIEW", "Approve", "PROVISIONING"],
    ["PENDING_REVIEW", "Reject", "REJECTED"],
    ["PROVISIONING", "Complete", "PROVISIONED"],
    ["PROVISIONING", "Fail", "FAILED"],
  ],
})
