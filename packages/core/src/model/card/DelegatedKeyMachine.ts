/**
 * State machine of a delegated key. `REVOKED` is the terminal state.
 * Source: wire contract 4.11.
 */
import * as Machine from "../../foundation/kit/Machine.ts"

export const DelegatedKeyMachine = Machine.make({
  name: "DelegatedKey",
  arrows: [
    [null, "Register", "PENDING"],
    ["PENDING", "Activate", "ACTIVE"],
    // Only the deletion of its customer revokes a key that is not active yet.
    ["PENDING", "Revoke", "REVOKED"],
    ["ACTIVE", "Revoke", "REVOKED"],
  ],
})
