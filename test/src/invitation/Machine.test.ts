/** The proof of the state machine of invitations. The expected arrows are copied by hand. Source: wire contract areas 1.4.4. */
import { machines } from "@countersign/core/verify"
import { proveMachine } from "../../../packages/test/src/proof/MachineProof.ts"

proveMachine(machines.InvitationMachine, {
  specified: [
    [null, "Create", "PENDING"],
    ["PENDING", "Claim", "CLAIMED", ["INVITATION.CLAIMED"]],
    ["PENDING", "Expire", "EXPIRED"],
    ["PENDING", "Cancel", "CANCELLED"],
    ["PENDING", "DeleteInviter", "CANCELLED"],
  ],
})
