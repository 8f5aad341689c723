/**
 * The regions with rules for external wallets: proof of ownership, and deposits from unknown wallets that are held.
 * Source: D-051, D-426.
 */
import { Context } from "effect"

/**
 * The regions of customers (`region`) whose own self-custody wallets must be proven before they are used, and whose deposits from
 * unknown wallets are held. With any region, the platform's own wallets must be proven, too (D-382).
 */
export const OwnershipRegions = Context.Reference<ReadonlyArray<string>>("@countersign/core/OwnershipRegions", {
  defaultValue: () => [],
})
