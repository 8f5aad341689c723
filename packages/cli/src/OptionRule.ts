/** A rule between the options of `serve`. Source: D-342. */
import type { Collected } from "./CheckedFlags.ts"
import type { DocumentsLocation } from "./DocumentsLocation.ts"
import type { Problem } from "./Problems.ts"
import type { Credentials, ServeOptions } from "./ServeFlags.ts"
import type { StoreLocation } from "./StoreLocation.ts"

/** What the rules know of the options. */
export interface OptionFacts extends Collected<ServeOptions> {
  readonly others: ReadonlyArray<Credentials>
  /** `undefined`: the option is not valid. */
  readonly location: StoreLocation | undefined
  /** `undefined`: the option is not valid, or the one of the store is not. */
  readonly documents: DocumentsLocation | undefined
}

export type OptionRule = readonly [
  reason: Problem["reason"],
  concerns: ReadonlyArray<keyof ServeOptions>,
  /** The messages of the problems. They never contain a secret. */
  messages: (facts: OptionFacts) => string | undefined | ReadonlyArray<string>,
]
