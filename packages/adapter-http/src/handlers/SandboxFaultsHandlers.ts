/** Faults of the sandbox's ports: each handler calls its service. D-480. */

import { Api } from "@countersign/client/api"
import { Faults } from "@countersign/core"
import { Effect } from "effect"
import { answering, noContent, ok } from "./EndpointHandlers.ts"
import { group } from "./HandlerGroup.ts"

export const layer = group(
  Api,
  "sandboxFaults",
  Effect.fnUntraced(function* (handlers) {
    const faults = yield* Faults
    return handlers.handleAll(
      yield* answering(handlers, {
        sandboxGetFaults: () => ok(faults.get),
        sandboxSetFaults: ({ payload }) => ok(faults.set(payload)),
        sandboxClearFaults: () => noContent(Effect.asVoid(faults.set({}))),
      }),
    )
  }),
)
