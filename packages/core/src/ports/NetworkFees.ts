/**
 * The network fee of withdrawing a crypto asset, in the asset's smallest unit. Read-only. The default knows no fees.
 * Source: wire contract 5.10; D-254.
 */
import { Context, Effect } from "effect"
import type { CryptoNetwork } from "../foundation/money/CryptoNetwork.ts"
import type { CurrencyCode } from "../foundation/money/Currencies.ts"
import type { WithdrawalFee } from "../model/receiver/WithdrawalFeeRules.ts"

/** A payment of a crypto asset to a wallet, whose fee is asked for. */
export interface Withdrawal {
  readonly currency: CurrencyCode
  readonly network: CryptoNetwork
  /** Smallest unit of the asset. */
  readonly amount: number
  readonly destinationAddress: string
}

export const NetworkFees = Context.Reference<{
  /** Returns `undefined` if the fee is not known. */
  readonly estimate: (withdrawal: Withdrawal) => Effect.Effect<WithdrawalFee | undefined>
}>("@countersign/core/NetworkFees", { defaultValue: () => ({ estimate: () => Effect.undefined }) })
