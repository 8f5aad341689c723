/**
 * The routes that every process serves, API or worker: health, readiness of its store, and the key that signs its webhooks.
 * Source: architecture, "Jobs, external calls and time" (any number of processes); wire contract 6.2 (public key).
 */

import { WebhookSigner } from "@countersign/core/ports"
import { Store } from "@countersign/core/store"
import { Effect } from "effect"
import { type HttpRouter, HttpServerResponse } from "effect/http"
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
  const signer = yield* WebhookSigner
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
    HttpServerResponse.text(signer.publicKey, { contentType: "application/x-pem-file" }),
  )
})
