/**
 * The accounts and addresses to which payers send money for one payment: a platform's banks and wallets. None, unless the
 * deployment has some.
 * Spec: PaymentInstructions; wire contract 2.5 and 5.3; D-127.
 */
import { Context, Effect } from "effect"
import type { CryptoNetwork } from "../foundation/money/CryptoNetwork.ts"
import type { CurrencyCode } from "../foundation/money/Currencies.ts"
import type { PaymentInstructions } from "../model/account/PaymentInstruction.ts"

export interface FundingRequest {
  /** By which the payment is recognised when it comes. */
  readonly reference: string
  readonly currency: CurrencyCode
  readonly cryptoNetwork?: CryptoNetwork
  /** The region of the customer for whom the payer pays. */
  readonly region?: string
}

export const FundingInstructions = Context.Reference<{
  /** One entry per way to pay; none: money of this kind cannot be sent. */
  readonly forPayment: (request: FundingRequest) => Effect.Effect<ReadonlyArray<PaymentInstructions>>
}>("@countersign/core/FundingInstructions", {
  defaultValue: () => ({ forPayment: () => Effect.succeed([]) }),
})
