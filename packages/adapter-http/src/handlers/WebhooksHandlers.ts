/** The webhook endpoint and webhook keys: each handler calls its service. Wire contract 6.2. */

import { Api } from "@countersign/client/api"
import { WebhookEndpoints, WebhookKeys } from "@countersign/core"
import { Effect } from "effect"
import { keyed } from "../middleware/Idempotency.ts"
import { answering, ok } from "./EndpointHandlers.ts"
import { group } from "./HandlerGroup.ts"

export const layer = group(
  Api,
  "webhooks",
  Effect.fnUntraced(function* (handlers) {
    const endpoints = yield* WebhookEndpoints
    const keys = yield* WebhookKeys
    return handlers.handleAll(
      yield* answering(handlers, {
        getWebhookEndpoint: () => ok(endpoints.get),
        disableWebhookEndpoint: () => ok(endpoints.disable),
        enableWebhookEndpoint: () => ok(endpoints.enable),
        listWebhookKeys: () => ok(keys.list),
        rotateWebhookKeys: (request) => keys.rotate(request.payload, keyed(request)),
        revealWebhookSecret: ({ params }) => ok(keys.reveal(params.keyId)),
      }),
    )
  }),
)
