/**
 * The state machine of a platform's account at a provider of stablecoins.
 * Source: wire contract areas 1.6.2; D-391.
 */
import * as Machine from "../../foundation/kit/Machine.ts"

export const ProviderAccountMachine = Machine.make({
  name: "StablecoinProviderAccount",
  arrows: [
    [null, "Link", "ACTIVE"],
    ["ACTIVE", "Refuse", "INVALID"],
    ["ACTIVE", "Withdraw", "REVOKED"],
    ["INVALID", "Link", "ACTIVE"],
    ["INVALID", "Withdraw", "REVOKED"],
  ],
})
