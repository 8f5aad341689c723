/**
 * How the person who is invited responds without a request of a platform. By default not at all: the provider that the person chooses
 * claims the invitation.
 * Source: wire contract areas 1.4.6; D-406.
 */
import { Context, Effect } from "effect"
import type { CurrencyCode } from "../foundation/money/Currencies.ts"

/** What the port knows of an invitation, to choose the response by. */
export interface SentInvitation {
  /** The first name of the invitee. */
  readonly firstName: string | undefined
  /** The currency of the inviting customer. */
  readonly currency: CurrencyCode | undefined
}

/** What happens after a time: a claim with an address, or the end of the invitation, whatever expiry was requested. */
export type InviteeResponse =
  | { readonly _tag: "Claims"; readonly afterMillis: number; readonly inviteeUma: string }
  | { readonly _tag: "Expires"; readonly afterMillis: number }

export interface InviteeResponses {
  /** Returns the response that follows by itself; `undefined`: none does. */
  readonly find: (invitation: SentInvitation) => Effect.Effect<InviteeResponse | undefined>
}

export const InviteeResponses = Context.Reference<InviteeResponses>("@countersign/core/InviteeResponses", {
  defaultValue: () => ({ find: () => Effect.undefined }),
})
