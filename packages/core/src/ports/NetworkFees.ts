/**
 * What it costs to take a crypto asset out over a network, in the asset's own smallest unit. Asking changes nothing. Not known,
 * unless the deployment can tell.
 * Source: wire contract 5.10; D-254.
 */
import { Context, Effect } from "effect"
import type { CryptoNetwork } from "../foundation/money/CryptoNetwork.ts"
import type { CurrencyCode } from "../foundation/money/Currencies.ts"
import type { WithdrawalFee } from "../model/receiver/WithdrawalFeeRules.ts"

export interface Withdrawal {
  readonly currency: CurrencyCode
  readonly network: CryptoNetwork
  readonly amount: number
  readonly destinationAddress: string
}

export const NetworkFees = Context.Reference<{
  /** `undefined`: nobody can tell. */
  readonly estimate: (withdrawal: Withdrawal) => Effect.Effect<WithdrawalFee | undefined>
}>("@countersign/core/NetworkFees", { defaultValue: () => ({ estimate: () => Effect.succeed(undefined) }) })
