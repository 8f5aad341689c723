/**
 * The table of magic suffixes for invitations: the last three characters of `firstName`. Any other invitation waits for a claim.
 * Source: wire contract areas 1.4.6.
 */
import * as Table from "../foundation/kit/Table.ts"

/** What happens to an invitation with a magic name, and when. */
export interface InvitationBehaviour {
  readonly effect: "claimed" | "expires"
  /** Milliseconds of business time after the invitation. */
  readonly afterMillis: number
}

export const InvitationSuffixes = Table.make("InvitationSuffixes", {
  "001": { effect: "claimed", afterMillis: 5000 },
  "002": { effect: "expires", afterMillis: 30_000 },
} satisfies { readonly [suffix: string]: InvitationBehaviour })
