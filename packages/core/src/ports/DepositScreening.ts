/**
 * Screens deposits that have arrived: they are credited, held or given back. The default holds what the rules of the customer's region
 * hold, and credits every other deposit at once. A deposit that waits for its sender's wallet to be declared or proven is screened again
 * when that happens.
 * Source: wire contract areas 2.8 and 2.13; D-398, D-415, D-426.
 */
import { Context, Effect } from "effect"
import type { CurrencyCode } from "../foundation/money/Currencies.ts"
import type { DepositSource, PendingReason } from "../model/account/Deposit.ts"
import type { WalletDeclaration } from "../model/account/WalletDeclaration.ts"
import type { IncomingFailureReason } from "../model/transaction/Transaction.ts"

/** Money that has arrived: a deposit, or what a payer sent for a quote. */
export interface ArrivedMoney {
  /** The transaction that it becomes, or pays. */
  readonly transactionId: string
  readonly currency: CurrencyCode
  /** Smallest unit of the currency. */
  readonly amount: number
  readonly source: DepositSource
}

/** A deposit to screen, with what is known of its account and sender. */
export interface ArrivedDeposit extends ArrivedMoney {
  /** The internal account on which it arrived. */
  readonly accountId: string
  /** The account's owner; `null` for an account of the platform. */
  readonly customerId: string | null
  /** What the account's owner has declared about the wallet that sent it; absent: nothing. */
  readonly declaration?: WalletDeclaration
  /** Why the rules of the customer's region hold it, where the deployment names that region (`OwnershipRegions`); absent: they do not. */
  readonly regionalHold?: PendingReason
}

/** Why a deposit is given back. `OFFRAMP_FAILED`: what its account is for (conversion, payout) cannot happen. */
export type DepositRefusal = Extract<
  IncomingFailureReason,
  "COMPLIANCE_REJECTED" | "COLLECTION_FAILED" | "OFFRAMP_FAILED"
>

/** Whether a deposit is credited, held, or given back to its sender. */
export type DepositVerdict =
  | { readonly _tag: "Clear" }
  /** `askAgainAt` (ms): the rail is asked about the deposit then; absent: the end of the hold is reported. */
  | { readonly _tag: "Hold"; readonly reason: PendingReason; readonly askAgainAt?: number }
  | { readonly _tag: "Refuse"; readonly reason: DepositRefusal }

export const DepositScreening = Context.Reference<{
  readonly screen: (deposit: ArrivedDeposit) => Effect.Effect<DepositVerdict>
  /** Returns the hash of money that arrived on a chain, where the report names none. */
  readonly transactionHash: (arrived: ArrivedMoney) => Effect.Effect<string | undefined>
}>("@countersign/core/DepositScreening", {
  defaultValue: () => ({
    screen: ({ regionalHold: reason }) =>
      Effect.succeed(reason === undefined ? { _tag: "Clear" } : { _tag: "Hold", reason }),
    transactionHash: () => Effect.undefined,
  }),
})
