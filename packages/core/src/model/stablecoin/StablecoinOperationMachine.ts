/**
 * The state machine of a mint or burn. `CREATED` never leaves the service: the operation is stored in it before the provider is asked.
 * Source: wire contract areas 1.6.6; D-390.
 */
import * as Machine from "../../foundation/kit/Machine.ts"

export const StablecoinOperationMachine = Machine.make({
  name: "StablecoinOperation",
  arrows: [
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
