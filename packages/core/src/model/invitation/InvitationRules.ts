/**
 * The rules of invitations: who may invite, and when an invitation can be claimed or cancelled.
 * Source: wire contract areas 1.4.5; D-405.
 */
import { invalidInput, type Refusal } from "../../foundation/errors/ServiceError.ts"
import { iso } from "../../foundation/kit/Instant.ts"
import * as Rules from "../../foundation/kit/Rules.ts"
import { isSameUmaAddress, isUmaAddress } from "../customer/UmaAddress.ts"
import { invalidUmaAddress } from "../receiver/UmaRefusals.ts"
import { endOfInvitation, type Invitation } from "./Invitation.ts"

export interface InvitationCreationFacts {
  readonly inviterUma: string
  readonly now: number
  readonly expiresAt: number | undefined
  /** Whether the deployment has a base for links. */
  readonly isConfigured: boolean
  /** Whether the address is one of the platform's customers. */
  readonly hasInviter: boolean
  /** Whether an amount is announced in no currency, because neither the customer nor the platform has one. */
  readonly lacksCurrency: boolean
}

const unknownAddress = (reason: "INVITER_UNKNOWN" | "INVITEE_UNKNOWN", message: string): Refusal => ({
  code: "INVALID_UMA_ADDRESS",
  message,
  details: { reason },
})

export const InvitationCreationRules = Rules.make<InvitationCreationFacts, Refusal>("InvitationCreation", [
  ["ADDRESS", ({ inviterUma }) => (isUmaAddress(inviterUma) ? undefined : invalidUmaAddress("inviterUma"))],
  [
    "EXPIRES_LATER",
    ({ expiresAt, now }) =>
      expiresAt === undefined || expiresAt > now
        ? undefined
        : invalidInput([{ field: "expiresAt", message: "must be later than now" }]),
  ],
  [
    "CONFIGURED",
    ({ isConfigured }) =>
      isConfigured
        ? undefined
        : { code: "INVITATIONS_NOT_CONFIGURED", message: "This deployment has no base address for invitations." },
  ],
  [
    "INVITER",
    ({ hasInviter }) =>
      hasInviter ? undefined : unknownAddress("INVITER_UNKNOWN", "inviterUma: must be the address of a customer."),
  ],
  [
    "CURRENCY",
    ({ lacksCurrency }) =>
      lacksCurrency
        ? invalidInput([{ field: "amountToSend", message: "needs a currency of the customer or of the platform" }])
        : undefined,
  ],
])

export interface OpenInvitationFacts {
  /** As of now. */
  readonly invitation: Invitation
  /** Whether the caller is the inviter's platform. */
  readonly isOwner: boolean
}

const expiryOf = (invitation: Invitation) => {
  const endsAt = endOfInvitation(invitation)
  return endsAt === undefined ? {} : { expirationTime: iso(endsAt) }
}

/** Why an invitation that has ended can be neither claimed nor cancelled. */
const endedRules = [
  [
    "NOT_CLAIMED",
    ({ invitation: { inviteeUma, status }, isOwner }: OpenInvitationFacts): Refusal | undefined =>
      status === "CLAIMED"
        ? {
            code: "INVITATION_ALREADY_CLAIMED",
            message: "The invitation has been claimed already.",
            details: { status, ...(isOwner && inviteeUma !== undefined ? { inviteeUma } : {}) },
          }
        : undefined,
  ],
  [
    "NOT_CANCELLED",
    ({ invitation: { status } }: OpenInvitationFacts): Refusal | undefined =>
      status === "CANCELLED"
        ? { code: "INVITATION_CANCELLED", message: "The invitation has been cancelled.", details: { status } }
        : undefined,
  ],
  [
    "NOT_EXPIRED",
    ({ invitation }: OpenInvitationFacts): Refusal | undefined =>
      invitation.status === "EXPIRED"
        ? {
            code: "INVALID_INPUT",
            message: "The invitation has expired.",
            details: { reason: "INVITATION_EXPIRED", ...expiryOf(invitation) },
          }
        : undefined,
  ],
] as const

export interface InvitationClaimFacts extends OpenInvitationFacts {
  readonly inviteeUma: string
  /** False for an address under the domain of a platform of this deployment that is no customer's. */
  readonly isInviteeKnown: boolean
}

export const InvitationClaimRules = Rules.make<InvitationClaimFacts, Refusal>("InvitationClaim", [
  ...endedRules,
  [
    "OTHER_ADDRESS",
    ({ invitation, inviteeUma }) =>
      isSameUmaAddress(inviteeUma, invitation.inviterUma)
        ? {
            ...invalidInput([{ field: "inviteeUma", message: "must not be the inviter's address" }]),
            details: { reason: "SELF_INVITATION" },
          }
        : undefined,
  ],
  [
    "INVITEE",
    ({ isInviteeKnown }) =>
      isInviteeKnown ? undefined : unknownAddress("INVITEE_UNKNOWN", "inviteeUma: must be the address of a customer."),
  ],
])

export const InvitationCancellationRules = Rules.make<OpenInvitationFacts, Refusal>("InvitationCancellation", [
  [
    "OWNER",
    ({ isOwner }) =>
      isOwner ? undefined : { code: "FORBIDDEN", message: "Only the inviter's platform may cancel the invitation." },
  ],
  ...endedRules,
])
