/** The regions that require proof of ownership of an external wallet. */
import { Context } from "effect"

/**
 * The regions of customers (`region`) whose own self-custody wallets must be proven before they are used. With any region, the
 * platform's own wallets must be proven, too (D-382).
 */
export const OwnershipRegions = Context.Reference<ReadonlyArray<string>>("@countersign/core/OwnershipRegions", {
  defaultValue: () => [],
})
