/**
 * The requests and responses of a run as data. In later requests, a value that the service generated (identifier, code,
 * token) is replaced by a reference to the response that contained it. A tape can therefore be replayed on another store,
 * seed or address.
 * Source: D-233.
 */
import type { Json } from "@countersign/core/models"

export type { Json } from "@countersign/core/models"

/** The sender of a request. A token may contain references. A tape never contains the platform's credentials. */
export type TapeSender = "platform" | "nobody" | { readonly token: string }

export interface TapeCall {
  readonly _tag: "Call"
  readonly method: string
  /** Path relative to the base URL; it may contain references. */
  readonly path: string
  readonly as: TapeSender
  readonly headers: { readonly [name: string]: string }
  /** The JSON body, if any. Texts in it may contain references. */
  readonly body?: Json
  readonly answer: { readonly status: number; readonly body?: Json }
}

/** An advance of business time. */
export interface TapeAdvance {
  readonly _tag: "Advance"
  readonly millis: number
}

export type TapeStep = TapeCall | TapeAdvance

export interface Tape {
  readonly format: "countersign tape 1"
  readonly steps: ReadonlyArray<TapeStep>
}
