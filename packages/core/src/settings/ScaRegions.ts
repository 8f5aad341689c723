/**
 * The regions that require strong customer authentication and confirmed contacts: none, unless the deployment says so.
 * Source: wire contract 5.12 and 11 (53).
 */
import { Context } from "effect"

export const ScaRegions = Context.Reference<ReadonlyArray<string>>("@countersign/core/ScaRegions", {
  defaultValue: () => [],
})
