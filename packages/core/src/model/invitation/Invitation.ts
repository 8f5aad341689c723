/**
 * The stored invitation: a customer invites a person to get a UMA address. The store has only the hash of its code, because the code is
 * what lets any platform claim it.
 * Source: wire contract areas 1.4; D-405.
 */
import { Schema } from "effect"
import { CurrencyCode } from "../../foundation/money/Currencies.ts"
import { InvitationMachine } from "./InvitationMachine.ts"

/** The state of an invitation. Only a `PENDING` one can be claimed; deleting its inviter cancels it. */
export const InvitationStatus = Schema.Literals(InvitationMachine.states).annotate({
  identifier: "UmaInvitationStatus",
})
export type InvitationStatus = typeof InvitationStatus.Type

export const Invitation = Schema.Struct({
  status: InvitationStatus,
  codeHash: Schema.String,
  /** The base of its link, as the deployment had it when the link was made. */
  urlBase: Schema.String,
  inviterUma: Schema.String,
  inviteeUma: Schema.optionalKey(Schema.String),
  firstName: Schema.optionalKey(Schema.String),
  amountToSend: Schema.optionalKey(Schema.Struct({ amount: Schema.Int, currency: CurrencyCode })),
  /** When it expires, as requested (ms). Absent: never. */
  expiresAt: Schema.optionalKey(Schema.Int),
  /** When it expires, if that differs from the request (ms). */
  endsAt: Schema.optionalKey(Schema.Int),
  claimedAt: Schema.optionalKey(Schema.Int),
})
export type Invitation = typeof Invitation.Type

/** Returns when it expires (ms); `undefined`: never. */
export const endOfInvitation = ({ endsAt, expiresAt }: Invitation): number | undefined => endsAt ?? expiresAt

/** Returns the invitation with the state that time has given it, even if that is not stored yet. */
export const invitationAsOf = (invitation: Invitation, now: number): Invitation => {
  const endsAt = endOfInvitation(invitation)
  return invitation.status === "PENDING" && endsAt !== undefined && now >= endsAt
    ? { ...invitation, status: InvitationMachine.follow(invitation.status, "Expire").state }
    : invitation
}

/** Returns the invitation after the deletion of the inviting customer; `undefined`: it has ended. */
export const withoutInviter = (invitation: Invitation): Invitation | undefined =>
  InvitationMachine.isTerminal(invitation.status)
    ? undefined
    : { ...invitation, status: InvitationMachine.follow(invitation.status, "DeleteInviter").state }
