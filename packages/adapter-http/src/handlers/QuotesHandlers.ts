/** Quotes and exchange rates: each handler passes on to its service. Spec: 4.5; wire contract 5.1. */

import { Api } from "@countersign/client/api"
import { ExchangeRateLists, QuoteAuthorizations, Quotes } from "@countersign/core"
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { respond, respondEmpty, respondOk } from "../middleware/Answers.ts"
import { keyed } from "../middleware/Idempotency.ts"
import { withSignature } from "../middleware/WalletHeaders.ts"

export const layer = HttpApiBuilder.group(
  Api,
  "quotes",
  Effect.fnUntraced(function* (handlers) {
    const quotes = yield* Quotes
    const authorizations = yield* QuoteAuthorizations
    const rates = yield* ExchangeRateLists
    return handlers.handleAll({
      listExchangeRates: ({ query }) => respondOk(rates.list(query)),
      createQuote: (request) => respond(quotes.create(request.payload, keyed(request))),
      getQuote: ({ params }) => respondOk(quotes.get(params.quoteId)),
      executeQuote: (request) =>
        respond(
          withSignature((headers) =>
            quotes.execute(request.params.quoteId, { ...request.payload, headers }, keyed(request)),
          ),
        ),
      authorizeQuote: ({ params, payload }) => respond(authorizations.authorize(params.quoteId, payload)),
      resendQuoteAuthorization: ({ params }) => respondEmpty(authorizations.resend(params.quoteId)),
    })
  }),
)
