/**
 * The stored quote: a price for moving money, fixed until it expires.
 * Spec: Quote; wire contract 5.2, 5.3 and 5.12 (scaChallenge).
 */
import { Schema } from "effect"
import { CryptoNetwork } from "../../foundation/money/CryptoNetwork.ts"
import { CurrencyCode } from "../../foundation/money/Currencies.ts"
import { PaymentRail } from "../account/AccountTypeRow.ts"
import { StoredInstructions } from "../account/PaymentInstruction.ts"
import { ScaFactor } from "../sca/ScaProfile.ts"
import { FundingMethod, RateDetails, RateFraction } from "../transaction/Exchange.ts"
import { QuoteMachine } from "./QuoteMachine.ts"

/** In the order of the wire contract: `EXPIRED` is the last one. */
export const QuoteStatus = Schema.Literals([...QuoteMachine.states.filter((state) => state !== "EXPIRED"), "EXPIRED"])
export type QuoteStatus = typeof QuoteStatus.Type

/** Where the money comes from, as requested. */
export const QuoteSource = Schema.Union([
  Schema.Struct({
    sourceType: Schema.Literal("ACCOUNT"),
    accountId: Schema.String,
    customerId: Schema.optionalKey(Schema.String),
  }).annotate({ identifier: "AccountQuoteSource" }),
  Schema.Struct({
    sourceType: Schema.Literal("REALTIME_FUNDING"),
    currency: CurrencyCode,
    customerId: Schema.optionalKey(Schema.String),
    cryptoNetwork: Schema.optionalKey(CryptoNetwork),
  }).annotate({ identifier: "RealtimeFundingQuoteSource" }),
]).annotate({ identifier: "QuoteSource" })
export type QuoteSource = typeof QuoteSource.Type

/** Where the money goes, as requested. */
export const QuoteDestination = Schema.Union([
  Schema.Struct({
    destinationType: Schema.Literal("ACCOUNT"),
    accountId: Schema.String,
    paymentRail: Schema.optionalKey(PaymentRail),
  }).annotate({ identifier: "AccountQuoteDestination" }),
  Schema.Struct({
    destinationType: Schema.Literal("UMA_ADDRESS"),
    umaAddress: Schema.String,
    currency: Schema.optionalKey(CurrencyCode),
  }).annotate({ identifier: "UmaAddressQuoteDestination" }),
]).annotate({ identifier: "QuoteDestination" })
export type QuoteDestination = typeof QuoteDestination.Type

/** The open challenge of strong authentication. The provider keeps its code. */
export const QuoteChallenge = Schema.Struct({
  id: Schema.String,
  factor: ScaFactor,
  availableFactors: Schema.Array(ScaFactor),
  expiresAt: Schema.Int,
  purpose: Schema.String,
  /** The purposes of the challenges that follow. */
  remaining: Schema.Array(Schema.String),
  /** Number of times that the code was sent again. */
  resends: Schema.Int,
  passkeyAssertionOptions: Schema.optionalKey(Schema.Record(Schema.String, Schema.Json)),
  passkeyAllowedOrigins: Schema.optionalKey(Schema.Array(Schema.String)),
})
export type QuoteChallenge = typeof QuoteChallenge.Type

/** Information about the receiving side, by field name. */
export const CounterpartyInformation = Schema.Record(Schema.String, Schema.Json).annotate({
  identifier: "CounterpartyInformation",
})

/** The stored quote. */
export const Quote = Schema.Struct({
  status: QuoteStatus,
  expiresAt: Schema.Int,
  source: QuoteSource,
  destination: QuoteDestination,
  sendingCurrency: CurrencyCode,
  receivingCurrency: CurrencyCode,
  totalSendingAmount: Schema.Int,
  totalReceivingAmount: Schema.Int,
  rate: RateFraction,
  feesIncluded: Schema.Int,
  platformFeesIncluded: Schema.Int,
  rateDetails: Schema.optionalKey(RateDetails),
  transactionId: Schema.String,
  funding: FundingMethod,
  /** The internal account that pays or takes a refund. Absent: both are external. */
  accountId: Schema.optionalKey(Schema.String),
  /** The internal account that the UMA address of a customer of the platform is paid to. */
  receiverAccountId: Schema.optionalKey(Schema.String),
  /** How a payer sends the money. Hidden until strong authentication succeeds. */
  paymentInstructions: Schema.optionalKey(Schema.Array(StoredInstructions)),
  remittanceInformation: Schema.optionalKey(Schema.String),
  counterpartyInformation: Schema.optionalKey(CounterpartyInformation),
  challenge: Schema.optionalKey(QuoteChallenge),
  agentId: Schema.optionalKey(Schema.String),
  /** The session whose key signed the payment out of a wallet, and the time (ms) at which the signature was accepted. */
  signed: Schema.optionalKey(Schema.Struct({ sessionId: Schema.String, at: Schema.Int })),
})
export type Quote = typeof Quote.Type

/** Returns the quote without its challenge, which was answered or has expired. */
export const withoutChallenge = ({ challenge: _challenge, ...quote }: Quote): Quote => quote

/** Returns the quote with the state that time has given it, even if that is not stored yet. Source: wire contract 5.5 and 11 (7). */
export const quoteAsOf = (quote: Quote, now: number): Quote => {
  const { challenge, expiresAt, status } = quote
  if (status === "PENDING" && now >= expiresAt) return { ...quote, status: QuoteMachine.follow(status, "Expire").state }
  return status === "PENDING_AUTHORIZATION" && challenge !== undefined && now >= challenge.expiresAt
    ? { ...withoutChallenge(quote), status: QuoteMachine.follow(status, "Fail").state }
    : quote
}
