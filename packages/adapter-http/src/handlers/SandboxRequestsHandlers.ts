/** The requests that a sandbox keeps: each handler calls its service. D-464. */

import { Api } from "@countersign/client/api"
import { RequestSending, Requests } from "@countersign/core"
import { Effect } from "effect"
import { sendAgain } from "../middleware/OwnRequests.ts"
import { programOf } from "../tape/RequestProgram.ts"
import { answering, ok } from "./EndpointHandlers.ts"
import { group } from "./HandlerGroup.ts"

export const layer = group(
  Api,
  "sandboxRequests",
  Effect.fnUntraced(function* (handlers) {
    const requests = yield* Requests
    const sending = yield* RequestSending
    return handlers.handleAll(
      yield* answering(handlers, {
        sandboxListRequests: ({ query }) => ok(requests.list(query)),
        sandboxGetRequest: ({ params }) => ok(requests.get(params.requestId)),
        sandboxGetRequestTape: ({ params, query }) =>
          ok(Effect.flatMap(requests.history(params.requestId), (history) => programOf(history, query.form))),
        sandboxSendRequest: ({ params, payload }) =>
          ok(Effect.flatMap(sending.prepare(params.requestId, payload), sendAgain)),
      }),
    )
  }),
)
