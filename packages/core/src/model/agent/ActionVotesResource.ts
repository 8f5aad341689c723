/**
 * The votes on a held action as the console shows them: what is voted on, who has approved, who still may, and why the reader may not.
 * Source: D-532.
 */
import type { ShownAction } from "./ShownAction.ts"

interface ShownVote {
  readonly approver: string
  /** Unix milliseconds. */
  readonly at: number
  readonly isSigned: boolean
  /** Whether the vote is one of what the action is now. */
  readonly counts: boolean
}

export interface ActionVotesResource {
  readonly shown: ShownAction
  /** SHA-256 of the canonical JSON of `shown`. A vote names it. */
  readonly digest: string
  readonly needed: number
  /** Whether a vote needs the approver's passkey. */
  readonly needsStepUp: boolean
  readonly votes: ReadonlyArray<ShownVote>
  /** Those who may approve now and have not. */
  readonly awaited: ReadonlyArray<string>
  /** Unix milliseconds. */
  readonly expiresAt?: number
  /** When the members of a further group may approve, too, in Unix milliseconds. */
  readonly escalatesAt?: number
  /** Why the reader's approval would not count. */
  readonly refusal?: { readonly reason: string; readonly message: string }
}

/** What the browser needs to sign a vote. The challenge is text, whose bytes go into WebAuthn; it ends with the digest. */
export interface StepUpChallenge {
  readonly challenge: string
  readonly credentialId: string
}
