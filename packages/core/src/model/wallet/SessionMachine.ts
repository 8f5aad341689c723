/**
 * The states of a wallet's session. Time ends it without a write: whoever reads it past its end reads `EXPIRED`.
 * Spec: States and transitions, Session; wire contract 4.6.
 */
import * as Machine from "../../foundation/kit/Machine.ts"

export const SessionMachine = Machine.make({
  name: "Session",
  arrows: [
    [null, "Issue", "ACTIVE"],
    ["ACTIVE", "Refresh", "ACTIVE"],
    ["ACTIVE", "Revoke", "REVOKED"],
    ["ACTIVE", "Expire", "EXPIRED"],
  ],
})
