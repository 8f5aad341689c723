/**
 * The accounts and addresses to which payers send money: for one payment, and for an internal account. A platform's banks and wallets.
 * The default has none.
 * Spec: PaymentInstructions; wire contract 2.5 and 5.3; wire contract areas 2.11 and 2.12; D-127, D-397.
 */
import { Context, Effect } from "effect"
import type { CryptoNetwork } from "../foundation/money/CryptoNetwork.ts"
import type { CurrencyCode } from "../foundation/money/Currencies.ts"
import type { InternalAccountType } from "../model/account/InternalAccount.ts"
import type { PaymentInstructions } from "../model/account/PaymentInstruction.ts"

/** A payment that waits for its payer, who asks where to send the money. */
export interface FundingRequest {
  /** Identifies the payment when it arrives. */
  readonly reference: string
  readonly currency: CurrencyCode
  /** Only for a payment in a crypto asset: the network that the payer uses. */
  readonly cryptoNetwork?: CryptoNetwork
  /** The region of the customer on whose behalf the payer pays. */
  readonly region?: string
}

/** An internal account whose owner asks how it is funded. */
export interface AccountFundingRequest {
  readonly accountId: string
  readonly type: InternalAccountType
  readonly currency: CurrencyCode
  /** Show it as the reference: arrived money is found by it. */
  readonly reference: string
  readonly isPlatformAccount: boolean
  /** The name of the customer for whom the account is held. */
  readonly holderName?: string
  readonly region?: string
  /** Whether an international collection account exists for it. */
  readonly hasCollectionAccount: boolean
}

/** A customer whose account in US dollars may get an international collection account. */
export interface CollectionRequest {
  readonly customerId: string
  readonly platformCustomerId: string
  readonly region?: string
  /** When its account was opened (ms). */
  readonly openedAt: number
}

/** Whether a customer has an international collection account. */
export type CollectionAnswer =
  | { readonly _tag: "None" }
  | { readonly _tag: "Available" }
  /** Ask again at this business time (ms). */
  | { readonly _tag: "Later"; readonly at: number }

export const FundingInstructions = Context.Reference<{
  /** Returns one entry per payment method; an empty list: payers cannot send this currency. */
  readonly forPayment: (request: FundingRequest) => Effect.Effect<ReadonlyArray<PaymentInstructions>>
  /**
   * Returns how money reaches an active account. The answer for an account stays the same until a change is reported
   * (`CollectionAccounts.report`).
   */
  readonly forAccount: (request: AccountFundingRequest) => Effect.Effect<ReadonlyArray<PaymentInstructions>>
  /** Returns whether a customer has an international collection account. */
  readonly collectionAccount: (request: CollectionRequest) => Effect.Effect<CollectionAnswer>
}>("@countersign/core/FundingInstructions", {
  defaultValue: () => ({
    forPayment: () => Effect.succeed([]),
    forAccount: () => Effect.succeed([]),
    collectionAccount: () => Effect.succeed({ _tag: "None" }),
  }),
})
