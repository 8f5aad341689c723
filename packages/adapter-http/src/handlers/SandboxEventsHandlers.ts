/** Events to other addresses: each handler calls its service. D-452. */

import { Api } from "@countersign/client/api"
import { Events } from "@countersign/core"
import { Effect } from "effect"
import { keyed } from "../middleware/Idempotency.ts"
import { answering } from "./EndpointHandlers.ts"
import { group } from "./HandlerGroup.ts"

export const layer = group(
  Api,
  "sandboxEvents",
  Effect.fnUntraced(function* (handlers) {
    const events = yield* Events
    return handlers.handleAll(
      yield* answering(handlers, {
        sandboxSendEvent: (request) => events.sendTo(request.params.eventId, request.payload.url, keyed(request)),
      }),
    )
  }),
)
