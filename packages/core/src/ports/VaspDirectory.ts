/**
 * The exchanges (virtual asset service providers) that a wallet may name as its custodian, equal for all platforms. By default there are
 * none, so that every wallet is one of self-custody.
 * Source: wire contract areas 1.7; D-408.
 */
import { Context, Effect } from "effect"
import type { Vasp } from "../model/account/VaspResource.ts"

export interface VaspDirectory {
  /** Every exchange, each name once, in any order. */
  readonly entries: Effect.Effect<ReadonlyArray<Vasp>>
}

export const VaspDirectory = Context.Reference<VaspDirectory>("@countersign/core/VaspDirectory", {
  defaultValue: () => ({ entries: Effect.succeed([]) }),
})
