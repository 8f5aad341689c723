/** API tokens: each handler calls its service. Wire contract 5.8. */

import { Api } from "@countersign/client/api"
import { ApiTokens } from "@countersign/core"
import { Effect } from "effect"
import { answering, noContent, ok } from "./EndpointHandlers.ts"
import { group } from "./HandlerGroup.ts"
import { withTimes } from "./OptionalField.ts"

export const layer = group(
  Api,
  "tokens",
  Effect.fnUntraced(function* (handlers) {
    const tokens = yield* ApiTokens
    return handlers.handleAll(
      yield* answering(handlers, {
        listTokens: ({ query }) => ok(tokens.list(withTimes(query))),
        createToken: ({ payload }) => tokens.create(payload),
        getTokenById: ({ params }) => ok(tokens.get(params.tokenId)),
        createTokenSecret: ({ params, payload }) => tokens.addSecret(params.tokenId, payload),
        retireTokenSecret: ({ params }) => noContent(tokens.retireSecret(params.tokenId, params.secretId)),
        deleteTokenById: ({ params }) => noContent(tokens.remove(params.tokenId)),
      }),
    )
  }),
)
