/**
 * Quotes and exchange rates.
 * Spec: Quote, 4.5; wire contract 5.1 to 5.5.
 */
import {
  Currencies,
  CurrencyCode,
  ExchangeRateListResponse,
  ExecuteQuoteRequest,
  NonNegativeAmount,
  QuoteRequest,
  QuoteResource,
  ScaAuthorization,
} from "@countersign/core/models"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Access } from "./Access.ts"
import { PlatformCredentials, RequestReading } from "./Credentials.ts"
import { documented } from "./Documented.ts"
import { failures } from "./Failures.ts"
import { flag, idempotencyKey, pathId, walletSignature } from "./Parameters.ts"
import { accepted, created } from "./Statuses.ts"

const params = { quoteId: pathId("quote") }

export const QuotesApi = HttpApiGroup.make("quotes")
  .add(
    HttpApiEndpoint.get("getExchangeRates", "/exchange-rates", {
      query: {
        sourceCurrency: Schema.optionalKey(CurrencyCode),
        destinationCurrency: Schema.optionalKey(
          Schema.Array(CurrencyCode)
            .check(Schema.isMaxLength(Currencies.keys.length))
            .annotate({ description: "May be repeated." }),
        ),
        sendingAmount: Schema.optionalKey(
          NonNegativeAmount.annotate({ description: "In the smallest unit of the source currency. Default: 10000." }),
        ),
        includeCrypto: flag(
          "Whether pairs into crypto assets are listed; their `destinationPaymentRail` is a network. Default: false.",
        ),
      },
      success: ExchangeRateListResponse,
      error: failures(),
    })
      .annotate(Access, { tokenPermission: "VIEW" })
      .annotateMerge(
        documented(
          "getExchangeRates",
          "List exchange rates",
          "What an amount would yield in other currencies now, after fees. Rates are cached for about 5 minutes. Pairs into crypto assets are listed only on request.",
        ),
      ),
    HttpApiEndpoint.post("createQuote", "/quotes", {
      headers: idempotencyKey,
      payload: QuoteRequest,
      success: [created(QuoteResource), accepted(QuoteResource)],
      error: failures(404, 409, 412, 423, 424, 501),
    })
      .annotate(Access, { tokenPermission: "TRANSACT", isIdempotent: true })
      .annotateMerge(
        documented(
          "createQuote",
          "Create a quote",
          "Locks a rate with all fees until `expiresAt` and creates the transaction. 202: the customer must answer a challenge first.",
        ),
      ),
    HttpApiEndpoint.get("getQuoteById", "/quotes/:quoteId", {
      params,
      success: QuoteResource,
      error: failures(404),
    })
      .annotate(Access, { tokenPermission: "VIEW", isForConsole: true })
      .annotateMerge(documented("getQuoteById", "Get a quote", "The current state of one quote.")),
    HttpApiEndpoint.post("executeQuote", "/quotes/:quoteId/execute", {
      params,
      headers: { ...idempotencyKey, ...walletSignature },
      payload: ExecuteQuoteRequest,
      success: QuoteResource,
      error: failures(404, 409, 423),
    })
      .annotate(Access, { tokenPermission: "TRANSACT", isIdempotent: true })
      .annotateMerge(
        documented(
          "executeQuote",
          "Execute a quote",
          "Executes at the quote's amounts, independent of current rates. A quote from an embedded wallet requires the signature of its `payloadToSign`. A quote that a payer funds executes when the money arrives.",
        ),
      ),
    HttpApiEndpoint.post("authorizeQuote", "/quotes/:quoteId/authorize", {
      params,
      payload: ScaAuthorization,
      success: QuoteResource,
      error: failures(404, 409, 423),
    })
      .annotate(Access, { tokenPermission: "TRANSACT" })
      .annotateMerge(
        documented(
          "authorizeQuote",
          "Answer a quote's challenge",
          "The last correct answer executes the quote or returns how to pay it. Another challenge may follow. Wrong answers are counted.",
        ),
      ),
    HttpApiEndpoint.post("resendQuoteScaCode", "/quotes/:quoteId/authorize/resend", {
      params,
      success: HttpApiSchema.NoContent,
      error: failures(404, 409),
    })
      .annotate(Access, { tokenPermission: "TRANSACT" })
      .annotateMerge(
        documented("resendQuoteScaCode", "Send the code again", "For a challenge that is answered with a code."),
      ),
  )
  .middleware(RequestReading)
  .middleware(PlatformCredentials)
  .annotateMerge(OpenApi.annotations({ title: "Quotes", description: "Prices for moving money, and exchange rates." }))
