/**
 * State machine of a wallet session. Expiry needs no write: a session read after its end is `EXPIRED`.
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
