/**
 * State machine of an invitation. A pending invitation of a deleted customer ends, so that nobody can claim it.
 * Source: wire contract areas 1.4.4.
 */
import * as Machine from "../../foundation/kit/Machine.ts"

export const InvitationMachine = Machine.make({
  name: "Invitation",
  arrows: [
    [null, "Create", "PENDING"],
    ["PENDING", "Claim", "CLAIMED", ["INVITATION.CLAIMED"]],
    ["PENDING", "Expire", "EXPIRED"],
    ["PENDING", "Cancel", "CANCELLED"],
    ["PENDING", "DeleteInviter", "CANCELLED"],
  ],
})
