/**
 * The requests and responses of a run as data. In later requests, a value that the service generated (identifier, code,
 * token) is replaced by a reference to the response that contained it. A tape can therefore be replayed on another store,
 * seed or address.
 * Source: D-233, D-449.
 */
import type { Json } from "@countersign/core/models"

export type { Json } from "@countersign/core/models"

/**
 * The sender of a request. Texts may contain references. A tape never contains the platform's credentials, nor accepted
 * credentials that no response contained: `variable` names the `Authorization` header, which a replay must be given.
 */
export type TapeSender =
  | "platform"
  | "nobody"
  | { readonly token: string }
  | { readonly clientId: string; readonly clientSecret: string }
  | { readonly variable: string }

/** A journal puts it in place of secrets. In a recorded response it stands for any text. */
export const maskedText = "[masked]"

/** A part of a form: a text, which may contain references, or a file. */
export type TapePart =
  | { readonly name: string; readonly value: string }
  | { readonly name: string; readonly fileName: string; readonly type: string; readonly base64: string }

/** A request of the run, with the response that was recorded. */
export interface TapeCall {
  readonly _tag: "Call"
  readonly method: string
  /** Path relative to the base URL, percent-encoded; it may contain references. */
  readonly path: string
  /** Whether the path is relative to the origin instead, as those of pages and of the process are. */
  readonly isOutside?: boolean
  readonly as: TapeSender
  /** The headers that the test sent, without those of the transport and the credentials. */
  readonly headers: { readonly [name: string]: string }
  /** The JSON body, if any. Texts in it may contain references. */
  readonly body?: Json
  /** A body that is not JSON; its type is among the headers. */
  readonly text?: string
  /** A body in `multipart/form-data`. */
  readonly form?: ReadonlyArray<TapePart>
  /** `isBodyUnknown`: only the status was recorded. */
  readonly answer: { readonly status: number; readonly body?: Json; readonly isBodyUnknown?: boolean }
}

/** An advance of business time; of 0, if the test only ran the jobs that were due. */
export interface TapeAdvance {
  readonly _tag: "Advance"
  readonly millis: number
}

/** Something that no request can repeat: a replay may find another state from here on. */
export interface TapeGap {
  readonly _tag: "Gap"
  readonly reason: string
}

/** A step of a tape: a request, an advance of time, or a gap that no request can repeat. */
export type TapeStep = TapeCall | TapeAdvance | TapeGap

export interface Tape {
  readonly format: "countersign tape 1"
  readonly steps: ReadonlyArray<TapeStep>
}
