/**
 * The wire format of quotes.
 * Spec: Quote, Currency, PaymentInstructions; wire contract 5.2, 5.3, 5.5 and 5.12.
 */
import { Schema } from "effect"
import { Id } from "../../foundation/ids/IdTypes.ts"
import * as CrossField from "../../foundation/kit/CrossField.ts"
import { iso, Timestamp } from "../../foundation/kit/Instant.ts"
import { atMost, FreeObject } from "../../foundation/kit/Lengths.ts"
import { secret } from "../../foundation/kit/Secret.ts"
import { Text } from "../../foundation/kit/Text.ts"
import { NonNegativeAmount, PositiveAmount } from "../../foundation/money/Amount.ts"
import { CryptoNetwork } from "../../foundation/money/CryptoNetwork.ts"
import { Currency, CurrencyCode, currencyOf } from "../../foundation/money/Currencies.ts"
import { displayed, rateOf } from "../../foundation/money/Rate.ts"
import { PaymentRail } from "../account/AccountTypeRow.ts"
import { PaymentInstructions } from "../account/PaymentInstruction.ts"
import type { RecordOf } from "../record/Record.ts"
import { ScaChallengeResource } from "../sca/ScaChallengeResource.ts"
import { ScaFactor } from "../sca/ScaProfile.ts"
import { RateDetails } from "../transaction/Exchange.ts"
import { PurposeOfPayment, RemittanceInformation } from "../transaction/Transaction.ts"
import {
  CounterpartyInformation,
  type Quote,
  type QuoteChallenge,
  QuoteDestination,
  QuoteSource,
  QuoteStatus,
} from "./Quote.ts"

const anyAccountId = Schema.Union([Id("InternalAccount"), Id("ExternalAccount")]).annotate({
  message: "must be InternalAccount:<uuid> or ExternalAccount:<uuid>",
})
const customerId = Schema.optionalKey(Id("Customer"))

const QuoteSourceRequest = Schema.Union([
  Schema.Struct({
    sourceType: Schema.Literal("ACCOUNT"),
    accountId: anyAccountId.pipe(
      Schema.annotateKey({ description: "An internal account, or an external one that pays." }),
    ),
    customerId: customerId.pipe(
      Schema.annotateKey({ description: "The customer that a pooled account pays for; absent: its owner." }),
    ),
  }).annotate({ identifier: "AccountQuoteSourceRequest" }),
  Schema.Struct({
    sourceType: Schema.Literal("REALTIME_FUNDING"),
    currency: CurrencyCode,
    customerId: customerId.pipe(Schema.annotateKey({ description: "Absent: on behalf of the platform." })),
    cryptoNetwork: Schema.optionalKey(CryptoNetwork.pipe(Schema.annotateKey({ description: "For stablecoins." }))),
  }).annotate({ identifier: "RealtimeFundingQuoteSourceRequest" }),
]).annotate({ identifier: "QuoteSourceOneOf" })

const QuoteDestinationRequest = Schema.Union([
  Schema.Struct({
    destinationType: Schema.Literal("ACCOUNT"),
    accountId: anyAccountId,
    paymentRail: Schema.optionalKey(
      PaymentRail.pipe(Schema.annotateKey({ description: "One that the destination supports; absent: its first." })),
    ),
  }).annotate({ identifier: "AccountQuoteDestinationRequest" }),
  Schema.Struct({
    destinationType: Schema.Literal("UMA_ADDRESS"),
    umaAddress: Text(255),
    currency: Schema.optionalKey(
      CurrencyCode.pipe(Schema.annotateKey({ description: "Absent: the receiver's preferred one." })),
    ),
  }).annotate({ identifier: "UmaAddressQuoteDestinationRequest" }),
]).annotate({ identifier: "QuoteDestinationOneOf" })

/** The platform's fee for one quote, instead of the configured fee. */
const PlatformFeeOverride = Schema.Struct({
  platformFixedFee: Schema.Struct({ amount: NonNegativeAmount, currency: CurrencyCode }),
  platformVariableFeeBps: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 10_000 })),
}).annotate({ identifier: "PlatformFeeOverride" })

/** Body of `POST /quotes` and `POST /agents/me/quotes`. */
export const QuoteRequest = Schema.Struct({
  lookupId: Schema.optionalKey(
    Schema.String.check(atMost("id")).annotate({ description: "From a receiver lookup, for UMA addresses." }),
  ),
  source: QuoteSourceRequest,
  destination: QuoteDestinationRequest,
  lockedCurrencySide: Schema.Literals(["SENDING", "RECEIVING"]).annotate({ description: "Which amount is fixed." }),
  lockedCurrencyAmount: Schema.Int.annotate({
    description: "Smallest unit of the locked side's currency, at least 1.",
  }),
  immediatelyExecute: Schema.optionalKey(Schema.Boolean),
  description: Schema.optionalKey(Schema.String.check(Schema.isMaxLength(1024))),
  remittanceInformation: Schema.optionalKey(RemittanceInformation),
  purposeOfPayment: Schema.optionalKey(PurposeOfPayment),
  platformFeeOverride: Schema.optionalKey(PlatformFeeOverride),
  scaFactor: Schema.optionalKey(ScaFactor),
  senderCustomerInfo: Schema.optionalKey(FreeObject),
}).annotate({ identifier: "QuoteRequest" })
export type QuoteRequest = typeof QuoteRequest.Type

/** Optional body of `POST /quotes/{quoteId}/execute`: the factor of the challenge, where the customer must authenticate. */
export const ExecuteQuoteRequest = Schema.Struct({ scaFactor: Schema.optionalKey(ScaFactor) }).annotate({
  identifier: "ExecuteQuoteRequest",
})

const optionalNullable = <S extends Schema.Top>(schema: S) => Schema.optionalKey(Schema.NullOr(schema))
const isPresent = (value: unknown): boolean => value !== undefined && value !== null

/** Body of `POST /quotes/{quoteId}/authorize`: a code, or a passkey assertion with its origin. */
export const ScaAuthorization = Schema.Struct({
  code: optionalNullable(Text(32).annotate(secret)),
  passkeyAssertion: optionalNullable(FreeObject.annotate(secret)),
  origin: optionalNullable(Text(255)),
  endUserIpAddress: optionalNullable(Text(45)),
})
  .annotate({ examples: [{ code: "123456" }] })
  .check(
    CrossField.check(({ code, origin, passkeyAssertion }) => {
      if (isPresent(code) === isPresent(passkeyAssertion)) {
        return [{ path: ["code"], message: "exactly one of code and passkeyAssertion is required" }]
      }
      return isPresent(passkeyAssertion) && !isPresent(origin)
        ? [{ path: ["origin"], message: "is required with passkeyAssertion" }]
        : []
    }),
  )
  .annotate({ identifier: "ScaAuthorization" })
export type ScaAuthorization = typeof ScaAuthorization.Type

/** A payment that the sandbox sends as the payer. Spec: 4.6; wire contract 7.1. */
export const SandboxSendRequest = Schema.Struct({
  quoteId: Id("Quote"),
  currencyCode: CurrencyCode,
  currencyAmount: Schema.optionalKey(
    PositiveAmount.pipe(Schema.annotateKey({ description: "Absent: the quote's sending amount." })),
  ),
}).annotate({ identifier: "SandboxSendRequest" })

export const QuoteResource = Schema.Struct({
  id: Id("Quote"),
  status: QuoteStatus,
  createdAt: Timestamp,
  expiresAt: Timestamp.annotate({ description: "The quote cannot be executed from this time on." }),
  source: QuoteSource,
  destination: QuoteDestination,
  sendingCurrency: Currency,
  receivingCurrency: Currency,
  totalSendingAmount: PositiveAmount,
  totalReceivingAmount: PositiveAmount,
  exchangeRate: Schema.Finite.annotate({
    description: "Major units of the sending currency for one of the receiving currency, without fees.",
  }),
  feesIncluded: NonNegativeAmount.annotate({ description: "All fees, in the sending currency's smallest unit." }),
  platformFeesIncluded: NonNegativeAmount.annotate({ description: "The platform's part of the fees." }),
  paymentInstructions: Schema.optionalKey(
    Schema.Array(PaymentInstructions).annotate({ description: "Where a payer sends the money: one entry per way." }),
  ),
  transactionId: Id("Transaction"),
  remittanceInformation: Schema.optionalKey(Schema.String),
  counterpartyInformation: Schema.optionalKey(CounterpartyInformation),
  rateDetails: Schema.optionalKey(RateDetails),
  scaChallenge: Schema.optionalKey(ScaChallengeResource),
}).annotate({ identifier: "Quote" })
export type QuoteResource = typeof QuoteResource.Type

const toScaChallenge = (challenge: QuoteChallenge): ScaChallengeResource => {
  const { availableFactors, expiresAt, factor, id, passkeyAllowedOrigins, passkeyAssertionOptions, purpose } = challenge
  return {
    id,
    expiresAt: iso(expiresAt),
    factor,
    availableFactors,
    purpose,
    ...(passkeyAssertionOptions === undefined ? {} : { passkeyAssertionOptions }),
    ...(passkeyAllowedOrigins === undefined ? {} : { passkeyAllowedOrigins }),
  }
}

/**
 * Whether payment instructions are hidden: a payer sees where to send the money only after the customer has authenticated. A
 * wallet's payload is no secret.
 */
const hidesInstructions = ({ funding, status }: Quote): boolean =>
  funding === "PUSH" && status === "PENDING_AUTHORIZATION"

export const toQuote = (stored: RecordOf<"Quote", Quote>): QuoteResource => {
  const quote = stored.data
  const { challenge, counterpartyInformation, paymentInstructions, rateDetails, remittanceInformation } = quote
  return {
    id: stored.id,
    status: quote.status,
    createdAt: iso(stored.createdAt),
    expiresAt: iso(quote.expiresAt),
    source: quote.source,
    destination: quote.destination,
    sendingCurrency: currencyOf(quote.sendingCurrency),
    receivingCurrency: currencyOf(quote.receivingCurrency),
    totalSendingAmount: quote.totalSendingAmount,
    totalReceivingAmount: quote.totalReceivingAmount,
    exchangeRate: displayed(rateOf(quote.rate, quote.sendingCurrency, quote.receivingCurrency)),
    feesIncluded: quote.feesIncluded,
    platformFeesIncluded: quote.platformFeesIncluded,
    ...(paymentInstructions === undefined || hidesInstructions(quote) ? {} : { paymentInstructions }),
    transactionId: quote.transactionId,
    ...(remittanceInformation === undefined ? {} : { remittanceInformation }),
    ...(counterpartyInformation === undefined ? {} : { counterpartyInformation }),
    ...(rateDetails === undefined ? {} : { rateDetails }),
    ...(challenge === undefined ? {} : { scaChallenge: toScaChallenge(challenge) }),
  }
}
