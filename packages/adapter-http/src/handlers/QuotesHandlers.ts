/** Quotes and exchange rates: each handler calls its service. Spec: 4.5; wire contract 5.1. */

import { Api } from "@countersign/client/api"
import { ExchangeRateLists, QuoteAuthorizations, Quotes } from "@countersign/core"
import { Effect } from "effect"
import { keyed } from "../middleware/Idempotency.ts"
import { withSignature } from "../middleware/WalletHeaders.ts"
import { answering, noContent, ok } from "./EndpointHandlers.ts"
import { group } from "./HandlerGroup.ts"

export const layer = group(
  Api,
  "quotes",
  Effect.fnUntraced(function* (handlers) {
    const quotes = yield* Quotes
    const authorizations = yield* QuoteAuthorizations
    const rates = yield* ExchangeRateLists
    return handlers.handleAll(
      yield* answering(handlers, {
        getExchangeRates: ({ query }) => ok(rates.list(query)),
        createQuote: (request) => quotes.create(request.payload, keyed(request)),
        getQuoteById: ({ params }) => ok(quotes.get(params.quoteId)),
        executeQuote: (request) =>
          withSignature((headers) =>
            quotes.execute(request.params.quoteId, { ...request.payload, headers }, keyed(request)),
          ),
        authorizeQuote: ({ params, payload }) => authorizations.authorize(params.quoteId, payload),
        resendQuoteScaCode: ({ params }) => noContent(authorizations.resend(params.quoteId)),
      }),
    )
  }),
)
