/**
 * What a run sent and was answered, as data. What the service made (identifiers, codes, tokens) stands in later requests as a reference to the
 * answer that told it, so that the tape plays on another store, another seed, or another address.
 * Source: D-233.
 */
import type { Json } from "@countersign/core/models"

export type { Json } from "@countersign/core/models"

/** Who sent a request; a token is text that may hold references. Credentials of the platform are never on a tape. */
export type TapeSender = "platform" | "nobody" | { readonly token: string }

export interface TapeCall {
  readonly _tag: "Call"
  readonly method: string
  /** Relative to the base address; may hold references. */
  readonly path: string
  readonly as: TapeSender
  readonly headers: { readonly [name: string]: string }
  /** Absent: none. Texts in it may hold references. */
  readonly body?: Json
  readonly answer: { readonly status: number; readonly body?: Json }
}

/** Business time was moved on. */
export interface TapeAdvance {
  readonly _tag: "Advance"
  readonly millis: number
}

export type TapeStep = TapeCall | TapeAdvance

export interface Tape {
  readonly format: "countersign tape 1"
  readonly steps: ReadonlyArray<TapeStep>
}
