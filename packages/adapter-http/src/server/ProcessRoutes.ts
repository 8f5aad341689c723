/**
 * The routes that every process serves, API or worker: health, readiness of its store, and the key that signs a platform's webhooks.
 * Source: architecture, "Jobs, external calls and time" (any number of processes); wire contract 6.2 (public key); D-330.
 */

import { Authentication, CurrentCaller, unauthorized, WebhookKeys } from "@countersign/core"
import { Store } from "@countersign/core/store"
import { Effect } from "effect"
import { type HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { answerFailures } from "../middleware/Answers.ts"
import * as AuthorizationHeader from "../middleware/AuthorizationHeader.ts"
import type { Route } from "../middleware/MethodTable.ts"

export const processRoutes: ReadonlyArray<Route> = [
  { method: "GET", path: "/healthz" },
  { method: "GET", path: "/readyz" },
  { method: "GET", path: "/webhooks/public-key" },
]

const unready = HttpServerResponse.jsonUnsafe(
  { status: "unavailable" },
  { status: 503, headers: { "retry-after": "1" } },
)

/** Adds the routes to the router of an API or of a worker. */
export const addProcessRoutes = Effect.fnUntraced(function* (router: HttpRouter.HttpRouter) {
  const store = yield* Store
  const authentication = yield* Authentication
  const keys = yield* WebhookKeys
  yield* router.add("GET", "/healthz", HttpServerResponse.jsonUnsafe({ status: "ok" }))
  yield* router.add(
    "GET",
    "/readyz",
    Effect.match(store.ready, {
      onFailure: () => unready,
      onSuccess: () => HttpServerResponse.jsonUnsafe({ status: "ready" }),
    }),
  )
  yield* router.add(
    "GET",
    "/webhooks/public-key",
    answerFailures(
      Effect.gen(function* () {
        const { headers } = yield* HttpServerRequest.HttpServerRequest
        const credentials = yield* Effect.mapError(
          Effect.fromResult(AuthorizationHeader.basic(headers["authorization"])),
          unauthorized,
        )
        const caller = yield* authentication.platform(credentials.clientId, credentials.clientSecret)
        const publicKey = yield* Effect.provideService(keys.publicKey, CurrentCaller, caller)
        return HttpServerResponse.text(publicKey, { contentType: "application/x-pem-file" })
      }),
    ),
  )
})
