/** The stream of changes. It authenticates its caller again as long as it is open. D-453. */

import { Api } from "@countersign/client/api"
import { Authentication } from "@countersign/core"
import { Effect, Layer } from "effect"
import { HttpServerRequest } from "effect/http"
import { answerFailures } from "../middleware/Answers.ts"
import { ChangeStreams } from "../middleware/ChangeStreams.ts"
import { platformCallerFor } from "../middleware/CredentialChecks.ts"
import { PublicUrl } from "../middleware/PublicUrl.ts"
import { group } from "./HandlerGroup.ts"

export const layer = group(
  Api,
  "operatorChanges",
  Effect.fnUntraced(function* (handlers) {
    const streams = yield* ChangeStreams
    const authentication = yield* Authentication
    const publicUrl = yield* PublicUrl
    return handlers.handleAll({
      watchChanges: ({ endpoint, request }) => {
        const authenticate = platformCallerFor(authentication, endpoint).pipe(
          Effect.provideService(HttpServerRequest.HttpServerRequest, request),
          Effect.provideService(PublicUrl, publicUrl),
        )
        return answerFailures(streams.open(authenticate))
      },
    })
  }),
).pipe(Layer.provide(ChangeStreams.layer))
