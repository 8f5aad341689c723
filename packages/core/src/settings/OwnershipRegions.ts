/** The regions that require proof of ownership of an external wallet. */
import { Context } from "effect"

/** The regions of customers (`region`) whose own self-custody wallets must be proven before they are used. */
export const OwnershipRegions = Context.Reference<ReadonlyArray<string>>("@countersign/core/OwnershipRegions", {
  defaultValue: () => [],
})
