/**
 * When an uploaded import starts, by the name of its file. A deployment starts every import at once; the sandbox has magic names.
 * Source: wire contract areas 1.5.5 (sandbox); D-412.
 */
import { Context } from "effect"

export type ImportStartAnswer =
  /** It starts after this time, in milliseconds of business time. */
  | { readonly _tag: "Start"; readonly delayMillis: number }
  /** It fails as a whole. */
  | { readonly _tag: "Fail" }

export const ImportStart = Context.Reference<(fileName: string) => ImportStartAnswer>("@countersign/core/ImportStart", {
  defaultValue: () => () => ({ _tag: "Start", delayMillis: 0 }),
})
