/** Events for the operator: each handler calls its service. D-450, D-452. */

import { Api } from "@countersign/client/api"
import { Events } from "@countersign/core"
import { Effect } from "effect"
import { keyed } from "../middleware/Idempotency.ts"
import { answering, ok } from "./EndpointHandlers.ts"
import { group } from "./HandlerGroup.ts"
import { withDates } from "./OptionalField.ts"

export const layer = group(
  Api,
  "operatorEvents",
  Effect.fnUntraced(function* (handlers) {
    const events = yield* Events
    return handlers.handleAll(
      yield* answering(handlers, {
        listEvents: ({ query }) => ok(events.list(withDates(query))),
        getEvent: ({ params }) => ok(events.get(params.eventId)),
        resendEvent: (request) => events.resend(request.params.eventId, keyed(request)),
      }),
    )
  }),
)
