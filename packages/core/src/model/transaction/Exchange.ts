/**
 * What a transaction keeps of the quote that it was created from: the price at which it is executed, whatever rates and fees
 * have become, and where its money comes from.
 * Source: wire contract 5.3 (rateDetails), 5.5 and 5.7; D-121.
 */
import { Schema } from "effect"
import { CryptoNetwork } from "../../foundation/money/CryptoNetwork.ts"
import { CurrencyCode } from "../../foundation/money/Currencies.ts"
import { AccountInfo } from "../account/ExternalAccount.ts"

/** A payer who sends money for one payment. */
export const FundingSource = Schema.Struct({
  currency: CurrencyCode,
  customerId: Schema.optionalKey(Schema.String),
  cryptoNetwork: Schema.optionalKey(CryptoNetwork),
})

/** How the money comes: from an internal account, pulled from an external one, or sent by a payer. */
export const FundingMethod = Schema.Literals(["ACCOUNT", "PULL", "PUSH"])
export type FundingMethod = typeof FundingMethod.Type

/** Rate and fees by the way over thousandths of a satoshi, for display. */
export const RateDetails = Schema.Struct({
  counterpartyMultiplier: Schema.Finite,
  counterpartyFixedFee: Schema.Int,
  serviceApiMultiplier: Schema.Finite,
  serviceApiFixedFee: Schema.Int,
  serviceApiVariableFeeRate: Schema.Finite,
  serviceApiVariableFeeAmount: Schema.Finite,
}).annotate({ identifier: "OutgoingRateDetails" })
export type RateDetails = typeof RateDetails.Type

/** A rate as it is kept: JSON has no integers of any size. */
export const RateFraction = Schema.Struct({ numerator: Schema.String, denominator: Schema.String })

export const Exchange = Schema.Struct({
  quoteId: Schema.String,
  received: Schema.Struct({ amount: Schema.Int, currency: CurrencyCode }),
  rate: RateFraction,
  /** In the sending currency; both are part of the amount that is sent. */
  fees: Schema.Struct({ service: Schema.Int, platform: Schema.Int }),
  rateDetails: Schema.optionalKey(RateDetails),
  funding: FundingMethod,
  /** The external account that is pulled, as it was, and when its rail was first asked (ms). */
  pull: Schema.optionalKey(Schema.Struct({ accountInfo: AccountInfo, submittedAt: Schema.optionalKey(Schema.Int) })),
  /** The internal account that takes money that comes back, where the payer's own is none. */
  refundAccountId: Schema.optionalKey(Schema.String),
  /** Whether the destination is an internal account: no rail is asked. */
  isInternal: Schema.Boolean,
  /** When the money was there (ms), and was exchanged. */
  fundedAt: Schema.optionalKey(Schema.Int),
  /** What a payer sent instead of the quote's amount: it is not exchanged, and goes back. */
  mismatch: Schema.optionalKey(Schema.Int),
})
export type Exchange = typeof Exchange.Type
