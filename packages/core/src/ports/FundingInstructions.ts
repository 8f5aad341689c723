/**
 * The accounts and addresses to which payers send the money of one payment: a platform's banks and wallets. The default has none.
 * Spec: PaymentInstructions; wire contract 2.5 and 5.3; D-127.
 */
import { Context, Effect } from "effect"
import type { CryptoNetwork } from "../foundation/money/CryptoNetwork.ts"
import type { CurrencyCode } from "../foundation/money/Currencies.ts"
import type { PaymentInstructions } from "../model/account/PaymentInstruction.ts"

export interface FundingRequest {
  /** Identifies the payment when it arrives. */
  readonly reference: string
  readonly currency: CurrencyCode
  readonly cryptoNetwork?: CryptoNetwork
  /** The region of the customer on whose behalf the payer pays. */
  readonly region?: string
}

export const FundingInstructions = Context.Reference<{
  /** Returns one entry per payment method; an empty list: payers cannot send this currency. */
  readonly forPayment: (request: FundingRequest) => Effect.Effect<ReadonlyArray<PaymentInstructions>>
}>("@countersign/core/FundingInstructions", {
  defaultValue: () => ({ forPayment: () => Effect.succeed([]) }),
})
