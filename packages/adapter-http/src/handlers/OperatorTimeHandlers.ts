/** What falls due next: the handler calls its service. D-455. */

import { Api } from "@countersign/client/api"
import { UpcomingJobs } from "@countersign/core"
import { Effect } from "effect"
import { answering, ok } from "./EndpointHandlers.ts"
import { group } from "./HandlerGroup.ts"

export const layer = group(
  Api,
  "operatorTime",
  Effect.fnUntraced(function* (handlers) {
    const jobs = yield* UpcomingJobs
    return handlers.handleAll(yield* answering(handlers, { listUpcomingJobs: ({ query }) => ok(jobs.list(query)) }))
  }),
)
