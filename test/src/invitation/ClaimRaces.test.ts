/** Races on invitations in memory. Source: wire contract areas 1.4.4. */
import { describe } from "vitest"
import { proveClaimRaces } from "./Claims.ts"
import { invitationWorld } from "./InvitationWorld.ts"

describe("an invitation in memory", () => {
  proveClaimRaces(invitationWorld)
})
