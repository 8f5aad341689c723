/**
 * Where the digests of security codes are until they are used, replaced or expired. Processes that serve the same customers share it.
 * Source: D-528.
 */
import { Context, type Effect } from "effect"

/** A code that was sent and is still valid, as its digest. */
export interface KeptCode {
  readonly digest: string
  /** Business time (ms) until which the code is valid. */
  readonly expiresAt: number
  /** How often the code may be checked. */
  readonly attemptsMax: number
}

export class CodeStore extends Context.Service<
  CodeStore,
  {
    /** Keeps the code of a recipient, in place of the one before. */
    readonly keep: (recipient: string, code: KeptCode, now: number) => Effect.Effect<void>
    /**
     * Counts an attempt, and uses the code up if the digest is its own. In one step: of concurrent attempts one at most is right, and no more
     * than `attemptsMax` are made.
     */
    readonly use: (recipient: string, digest: string, now: number) => Effect.Effect<boolean>
  }
>()("@countersign/adapter-messages/CodeStore") {}
