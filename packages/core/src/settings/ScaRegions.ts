/**
 * The regions that require strong customer authentication and confirmed contacts. A deployment sets them; the default is none.
 * Source: wire contract 5.12 and 11 (53).
 */
import { Context } from "effect"

export const ScaRegions = Context.Reference<ReadonlyArray<string>>("@countersign/core/ScaRegions", {
  defaultValue: () => [],
})
