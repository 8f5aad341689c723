/** Webhook keys: each handler calls its service. Wire contract 6.2. */

import { Api } from "@countersign/client/api"
import { WebhookKeys } from "@countersign/core"
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { keyed } from "../middleware/Idempotency.ts"
import { answering, ok } from "./EndpointHandlers.ts"

export const layer = HttpApiBuilder.group(
  Api,
  "webhooks",
  Effect.fnUntraced(function* (handlers) {
    const keys = yield* WebhookKeys
    return handlers.handleAll(
      answering(handlers, {
        listKeys: () => ok(keys.list),
        rotateKeys: (request) => keys.rotate(request.payload, keyed(request)),
        revealSecret: ({ params }) => ok(keys.reveal(params.keyId)),
      }),
    )
  }),
)
