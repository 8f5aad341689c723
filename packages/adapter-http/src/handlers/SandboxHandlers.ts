/** Sandbox calls: each handler calls its service. Spec: 4.6; wire contract 6.4 and 7.1. */

import { Api } from "@countersign/client/api"
import { Clocks, ExternalAccounts, InternalAccounts, QuoteFundings, UmaArrivals, Webhooks } from "@countersign/core"
import { Effect } from "effect"
import { answering, ok } from "./EndpointHandlers.ts"
import { group } from "./HandlerGroup.ts"

export const layer = group(
  Api,
  "sandbox",
  Effect.fnUntraced(function* (handlers) {
    const accounts = yield* InternalAccounts
    const external = yield* ExternalAccounts
    const fundings = yield* QuoteFundings
    const webhooks = yield* Webhooks
    const arrivals = yield* UmaArrivals
    const clocks = yield* Clocks
    return handlers.handleAll(
      yield* answering(handlers, {
        sandboxFundInternalAccount: ({ params, payload }) =>
          accounts.fund(params.accountId, payload.amount, payload.source),
        sandboxSend: ({ payload: { currencyAmount, currencyCode, quoteId } }) =>
          fundings.receive(quoteId, { currency: currencyCode, amount: currencyAmount }),
        sandboxReceive: ({ payload }) => ok(arrivals.receive(payload)),
        sandboxSetExternalAccountStatus: ({ params, payload }) =>
          external.setStatus(params.externalAccountId, payload.status),
        sendTestWebhook: () => ok(webhooks.test),
        sendTestWebhookAlias: () => ok(webhooks.test),
        sandboxGetClock: () => ok(clocks.read),
        sandboxAdvanceClock: ({ payload }) => ok(clocks.advance(payload)),
      }),
    )
  }),
)
