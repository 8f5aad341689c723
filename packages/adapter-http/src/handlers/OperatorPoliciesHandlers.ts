/** Comparisons of policies: each handler calls its service. D-475. */

import { Api } from "@countersign/client/api"
import { PolicyComparisons } from "@countersign/core"
import { Effect } from "effect"
import { answering, ok } from "./EndpointHandlers.ts"
import { group } from "./HandlerGroup.ts"
import { requestedActionOf } from "./RequestedAction.ts"

export const layer = group(
  Api,
  "operatorPolicies",
  Effect.fnUntraced(function* (handlers) {
    const comparisons = yield* PolicyComparisons
    return handlers.handleAll(
      yield* answering(handlers, {
        compareAgentPolicy: ({ params, payload: { actions = [], ...rest } }) => {
          const requested = actions.map((action) => ({ action, requested: requestedActionOf(action) }))
          return ok(comparisons.compare(params.agentId, { ...rest, actions: requested }))
        },
      }),
    )
  }),
)
