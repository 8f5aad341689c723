/** API tokens: each handler passes on to its service. Wire contract 5.8. */

import { Api } from "@countersign/client/api"
import { ApiTokens } from "@countersign/core"
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { respond, respondEmpty, respondOk } from "../middleware/Answers.ts"
import { withTimes } from "./OptionalField.ts"

export const layer = HttpApiBuilder.group(
  Api,
  "tokens",
  Effect.fnUntraced(function* (handlers) {
    const tokens = yield* ApiTokens
    return handlers.handleAll({
      listTokens: ({ query }) => respondOk(tokens.list(withTimes(query))),
      createToken: ({ payload }) => respond(tokens.create(payload)),
      getToken: ({ params }) => respondOk(tokens.get(params.tokenId)),
      deleteToken: ({ params }) => respondEmpty(tokens.remove(params.tokenId)),
    })
  }),
)
