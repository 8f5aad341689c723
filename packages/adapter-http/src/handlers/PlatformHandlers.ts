/** A platform's configuration: each handler calls its service. Wire contract 5.8. */

import { Api } from "@countersign/client/api"
import { Platforms } from "@countersign/core"
import { Effect } from "effect"
import { answering, ok } from "./EndpointHandlers.ts"
import { group } from "./HandlerGroup.ts"

export const layer = group(
  Api,
  "platform",
  Effect.fnUntraced(function* (handlers) {
    const platforms = yield* Platforms
    return handlers.handleAll(
      yield* answering(handlers, {
        getPlatformConfig: () => ok(platforms.config),
        updatePlatformConfig: ({ payload }) => platforms.updateConfig(payload),
      }),
    )
  }),
)
