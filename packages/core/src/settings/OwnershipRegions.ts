/** The regions in which the owner of an external wallet has to be proven. */
import { Context } from "effect"

/** The regions of customers (`region`) whose own self-custody wallets must be proven before they are used. */
export const OwnershipRegions = Context.Reference<ReadonlyArray<string>>("@countersign/core/OwnershipRegions", {
  defaultValue: () => [],
})
