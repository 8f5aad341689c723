/** The rules of invitations: precedence and both sides. Source: wire contract areas 1.4.5. */
import { InvitationStatus } from "@countersign/core/models"
import fc from "fast-check"
import { expect, it } from "vitest"
import {
  type Invitation,
  invitationAsOf,
  withoutInviter,
} from "../../../packages/core/src/model/invitation/Invitation.ts"
import {
  InvitationCancellationRules,
  InvitationClaimRules,
  InvitationCreationRules,
} from "../../../packages/core/src/model/invitation/InvitationRules.ts"
import { provePrecedence, proveRow } from "../../../packages/test/src/proof/RulesProof.ts"

const pending: Invitation = {
  status: "PENDING",
  codeHash: "hash",
  urlBase: "https://invite.example.com",
  inviterUma: "$inviter@first.example.com",
}
const claimed: Invitation = { ...pending, status: "CLAIMED", inviteeUma: "$invitee@second.example.com", claimedAt: 5 }
const cancelled: Invitation = { ...pending, status: "CANCELLED" }
const expired: Invitation = { ...pending, status: "EXPIRED", expiresAt: 0 }

provePrecedence(InvitationCreationRules, {
  broken: {
    inviterUma: "inviter",
    now: 10,
    expiresAt: 10,
    isConfigured: false,
    hasInviter: false,
    lacksCurrency: true,
  },
  steps: [
    ["ADDRESS", { inviterUma: "$a@example.com" }, { code: "INVALID_UMA_ADDRESS" }],
    ["EXPIRES_LATER", { expiresAt: 11 }, { code: "INVALID_INPUT" }],
    ["CONFIGURED", { isConfigured: true }, { code: "INVITATIONS_NOT_CONFIGURED" }],
    ["INVITER", { hasInviter: true }, { code: "INVALID_UMA_ADDRESS", details: { reason: "INVITER_UNKNOWN" } }],
    ["CURRENCY", { lacksCurrency: false }, { code: "INVALID_INPUT" }],
  ],
})
const sound = {
  inviterUma: "$a@example.com",
  now: 10,
  expiresAt: undefined,
  isConfigured: true,
  hasInviter: true,
  lacksCurrency: false,
}
proveRow(InvitationCreationRules, "EXPIRES_LATER", [
  ["never", sound, "holds"],
  ["later", { ...sound, expiresAt: 11 }, "holds"],
  ["now", { ...sound, expiresAt: 10 }, "fails"],
  ["before", { ...sound, expiresAt: 9 }, "fails"],
])

/** An invitation has one state. */
const masked = {
  NOT_CANCELLED: "is another state than that of an earlier row",
  NOT_EXPIRED: "is another state than that of an earlier row",
}

provePrecedence(InvitationClaimRules, {
  masked,
  broken: { invitation: claimed, isOwner: false, inviteeUma: "$Inviter@First.example.com", isInviteeKnown: false },
  steps: [
    ["NOT_CLAIMED", { invitation: cancelled }, { code: "INVITATION_ALREADY_CLAIMED", details: { status: "CLAIMED" } }],
    ["NOT_CANCELLED", { invitation: expired }, { code: "INVITATION_CANCELLED" }],
    [
      "NOT_EXPIRED",
      { invitation: pending },
      { code: "INVALID_INPUT", details: { reason: "INVITATION_EXPIRED", expirationTime: "1970-01-01T00:00:00Z" } },
    ],
    [
      "OTHER_ADDRESS",
      { inviteeUma: "$x@first.example.com" },
      { code: "INVALID_INPUT", details: { reason: "SELF_INVITATION" } },
    ],
    ["INVITEE", { isInviteeKnown: true }, { code: "INVALID_UMA_ADDRESS", details: { reason: "INVITEE_UNKNOWN" } }],
  ],
})

provePrecedence(InvitationCancellationRules, {
  masked,
  broken: { invitation: claimed, isOwner: false },
  steps: [
    ["OWNER", { isOwner: true }, { code: "FORBIDDEN" }],
    ["NOT_CLAIMED", { invitation: cancelled }, { code: "INVITATION_ALREADY_CLAIMED" }],
    ["NOT_CANCELLED", { invitation: expired }, { code: "INVITATION_CANCELLED" }],
    ["NOT_EXPIRED", { invitation: pending }, { code: "INVALID_INPUT" }],
  ],
})

it("only the inviter's platform learns who claimed an invitation", () => {
  const facts = { invitation: claimed, inviteeUma: "$x@y.example", isInviteeKnown: true }
  const detailsFor = (isOwner: boolean) => InvitationClaimRules.first({ ...facts, isOwner })?.refusal.details
  expect(detailsFor(true)).toEqual({ status: "CLAIMED", inviteeUma: "$invitee@second.example.com" })
  expect(detailsFor(false)).toEqual({ status: "CLAIMED" })
})

it("time ends pending invitations only, at the time that counts, and the deletion of the inviter ends no other", () => {
  const times = fc.option(fc.integer({ min: 0, max: 20 }), { nil: undefined })
  const statuses = fc.constantFrom(...InvitationStatus.literals)
  fc.assert(
    fc.property(statuses, times, times, fc.integer({ min: 0, max: 20 }), (status, expiresAt, endsAt, now) => {
      const invitation: Invitation = {
        ...pending,
        status,
        ...(expiresAt === undefined ? {} : { expiresAt }),
        ...(endsAt === undefined ? {} : { endsAt }),
      }
      const isOver = now >= (endsAt ?? expiresAt ?? Number.POSITIVE_INFINITY)
      expect(invitationAsOf(invitation, now).status).toBe(status === "PENDING" && isOver ? "EXPIRED" : status)
      expect(withoutInviter(invitation)?.status).toBe(status === "PENDING" ? "CANCELLED" : undefined)
    }),
  )
})
