/**
 * Invitations on the wire.
 * Source: wire contract areas 1.4.2 and 1.4.3.
 */
import { Schema } from "effect"
import { InstantMillis, iso, Timestamp } from "../../foundation/kit/Instant.ts"
import { atMost } from "../../foundation/kit/Lengths.ts"
import { secret } from "../../foundation/kit/Secret.ts"
import { Text } from "../../foundation/kit/Text.ts"
import { CurrencyAmount, currencyAmount, PositiveAmount } from "../../foundation/money/Amount.ts"
import type { RecordOf } from "../record/Record.ts"
import { type Invitation, InvitationStatus } from "./Invitation.ts"

/** Any text decodes, because a malformed address has an error code of its own. */
const UmaAddressText = (description: string) =>
  Schema.String.check(atMost("accountDetail")).annotate({ description, examples: ["$name@example.com"] })

/** Body of `POST /invitations`. */
export const UmaInvitationCreateRequest = Schema.Struct({
  inviterUma: UmaAddressText("The UMA address of the customer who invites."),
  firstName: Schema.optionalKey(Text(100, "Shown on the invitation.")),
  amountToSend: Schema.optionalKey(
    PositiveAmount.annotate({
      description:
        "What the customer wants to send, in the smallest unit of the customer's first currency. It reserves nothing.",
    }),
  ),
  expiresAt: Schema.optionalKey(
    InstantMillis.annotate({ description: "From then on it cannot be claimed. Absent: never." }),
  ),
}).annotate({ identifier: "UmaInvitationCreateRequest" })
export type UmaInvitationCreateRequest = typeof UmaInvitationCreateRequest.Type

/** Body of `POST /invitations/{invitationCode}/claim`. */
export const UmaInvitationClaimRequest = Schema.Struct({
  inviteeUma: UmaAddressText("The UMA address of the person who was invited."),
}).annotate({ identifier: "UmaInvitationClaimRequest" })
export type UmaInvitationClaimRequest = typeof UmaInvitationClaimRequest.Type

/** An invitation to get a UMA address. `amountToSend` announces a payment and reserves nothing. */
export const UmaInvitation = Schema.Struct({
  code: Schema.String.annotate({ ...secret, description: "Every platform that knows it can claim the invitation." }),
  createdAt: Timestamp,
  claimedAt: Schema.optionalKey(Timestamp.annotate({ description: "Only when it is claimed." })),
  url: Schema.String.annotate({ ...secret, description: "The link for the person who is invited." }),
  expiresAt: Schema.optionalKey(Timestamp.annotate({ description: "Absent: it never expires." })),
  inviterUma: Schema.String,
  inviteeUma: Schema.optionalKey(
    Schema.String.annotate({
      description: "Only when it is claimed, and only for the inviter's platform and in the answer to the claim.",
    }),
  ),
  status: InvitationStatus,
  firstName: Schema.optionalKey(Schema.String),
  amountToSend: Schema.optionalKey(CurrencyAmount),
}).annotate({ identifier: "UmaInvitation" })
export type UmaInvitation = typeof UmaInvitation.Type

/** `code`: its plain text, which the store does not have. `hasInvitee`: whether the reader may know who claimed it. */
export const toInvitation = (
  { createdAt, data }: Pick<RecordOf<"Invitation", Invitation>, "createdAt" | "data">,
  code: string,
  hasInvitee: boolean,
): UmaInvitation => {
  const { amountToSend, claimedAt, expiresAt, firstName, inviteeUma, inviterUma, status, urlBase } = data
  return {
    code,
    createdAt: iso(createdAt),
    ...(claimedAt === undefined ? {} : { claimedAt: iso(claimedAt) }),
    url: `${urlBase}/i/${code}`,
    ...(expiresAt === undefined ? {} : { expiresAt: iso(expiresAt) }),
    inviterUma,
    ...(inviteeUma === undefined || !hasInvitee ? {} : { inviteeUma }),
    status,
    ...(firstName === undefined ? {} : { firstName }),
    ...(amountToSend === undefined ? {} : { amountToSend: currencyAmount(amountToSend.amount, amountToSend.currency) }),
  }
}
