/**
 * State machine of a platform's webhook endpoint. A pending endpoint has not proven yet that it is the platform's.
 * Source: wire contract 6.2 (disabled endpoint); D-332.
 */
import * as Machine from "../../foundation/kit/Machine.ts"

export const WebhookEndpointMachine = Machine.make({
  name: "WebhookEndpoint",
  arrows: [
    [null, "Create", "UNSET"],
    ["UNSET", "RequireProof", "PENDING"],
    ["UNSET", "Trust", "ACTIVE"],
    ["PENDING", "RequireProof", "PENDING"],
    ["PENDING", "Trust", "ACTIVE"],
    ["PENDING", "Prove", "ACTIVE"],
    ["PENDING", "Disable", "DISABLED"],
    ["PENDING", "Unset", "UNSET"],
    ["ACTIVE", "RequireProof", "PENDING"],
    ["ACTIVE", "Trust", "ACTIVE"],
    ["ACTIVE", "Disable", "DISABLED"],
    ["ACTIVE", "Unset", "UNSET"],
    ["DISABLED", "RequireProof", "PENDING"],
    ["DISABLED", "Trust", "ACTIVE"],
    ["DISABLED", "Unset", "UNSET"],
  ],
})
