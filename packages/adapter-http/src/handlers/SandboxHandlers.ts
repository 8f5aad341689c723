/** Sandbox calls: each handler passes on to its service. Spec: 4.6; wire contract 6.4 and 7.1. */

import { Api } from "@countersign/client/api"
import { Clocks, ExternalAccounts, InternalAccounts, QuoteFundings, UmaArrivals, Webhooks } from "@countersign/core"
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { respond, respondOk } from "../middleware/Answers.ts"

export const layer = HttpApiBuilder.group(
  Api,
  "sandbox",
  Effect.fnUntraced(function* (handlers) {
    const accounts = yield* InternalAccounts
    const external = yield* ExternalAccounts
    const fundings = yield* QuoteFundings
    const webhooks = yield* Webhooks
    const arrivals = yield* UmaArrivals
    const clocks = yield* Clocks
    return handlers.handleAll({
      fundInternalAccount: ({ params, payload }) => respond(accounts.fund(params.accountId, payload.amount)),
      sandboxSend: ({ payload: { currencyAmount, currencyCode, quoteId } }) =>
        respond(fundings.receive(quoteId, { currency: currencyCode, amount: currencyAmount })),
      umaReceive: ({ payload }) => respondOk(arrivals.receive(payload)),
      setExternalAccountStatus: ({ params, payload }) =>
        respond(external.setStatus(params.externalAccountId, payload.status)),
      testWebhook: () => respondOk(webhooks.test),
      testWebhookAlias: () => respondOk(webhooks.test),
      clock: () => respondOk(clocks.read),
      advanceClock: ({ payload }) => respondOk(clocks.advance(payload)),
    })
  }),
)
