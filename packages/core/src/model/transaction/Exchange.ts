/**
 * A transaction's copy of its quote: the price at which it is executed, independent of later rates and fees, and its funding.
 * Source: wire contract 5.3 (rateDetails), 5.5 and 5.7; D-121.
 */
import { Schema } from "effect"
import { CryptoNetwork } from "../../foundation/money/CryptoNetwork.ts"
import { CurrencyCode } from "../../foundation/money/Currencies.ts"
import { AccountInfo } from "../account/ExternalAccount.ts"

/** A payer that sends money for one payment. */
export const FundingSource = Schema.Struct({
  currency: CurrencyCode,
  customerId: Schema.optionalKey(Schema.String),
  cryptoNetwork: Schema.optionalKey(CryptoNetwork),
})

/** The source of the money: an internal account, a pull from an external one, or a payer who sends it. */
export const FundingMethod = Schema.Literals(["ACCOUNT", "PULL", "PUSH"])
export type FundingMethod = typeof FundingMethod.Type

/** The rate and fees of the two exchanges through millisatoshi, for display. */
export const RateDetails = Schema.Struct({
  counterpartyMultiplier: Schema.Finite,
  counterpartyFixedFee: Schema.Int,
  serviceApiMultiplier: Schema.Finite,
  serviceApiFixedFee: Schema.Int,
  serviceApiVariableFeeRate: Schema.Finite,
  serviceApiVariableFeeAmount: Schema.Finite,
}).annotate({ identifier: "OutgoingRateDetails" })
export type RateDetails = typeof RateDetails.Type

/** A rate as it is stored: JSON has no integers of arbitrary size. */
export const RateFraction = Schema.Struct({ numerator: Schema.String, denominator: Schema.String })

export const Exchange = Schema.Struct({
  quoteId: Schema.String,
  received: Schema.Struct({ amount: Schema.Int, currency: CurrencyCode }),
  rate: RateFraction,
  /** In the sending currency; the sent amount includes both. */
  fees: Schema.Struct({ service: Schema.Int, platform: Schema.Int }),
  rateDetails: Schema.optionalKey(RateDetails),
  funding: FundingMethod,
  /** A copy of the external account that is pulled, and when its rail was first asked (ms). */
  pull: Schema.optionalKey(Schema.Struct({ accountInfo: AccountInfo, submittedAt: Schema.optionalKey(Schema.Int) })),
  /** The internal account that receives refunds when the payer's own account is external. */
  refundAccountId: Schema.optionalKey(Schema.String),
  /** The platform pays, although the transaction belongs to the customer that receives (wire contract areas 3.7). */
  isPaidByPlatform: Schema.optionalKey(Schema.Literal(true)),
  /** Whether the destination is an internal account, so that no rail is asked. */
  isInternal: Schema.Boolean,
  /** The network on which its payer sends crypto assets. */
  network: Schema.optionalKey(CryptoNetwork),
  /** The hash of the payer's transaction on that network. */
  transactionHash: Schema.optionalKey(Schema.String),
  /** When the money was received and exchanged (ms). */
  fundedAt: Schema.optionalKey(Schema.Int),
  /** The amount that a payer sent instead of the quote's: it is refunded, not exchanged. */
  mismatch: Schema.optionalKey(Schema.Int),
})
export type Exchange = typeof Exchange.Type
