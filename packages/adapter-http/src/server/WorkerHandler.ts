/**
 * The routes of a worker process: health, readiness of its store, and the key that signs its webhooks.
 * Source: architecture, "Jobs, outside calls and time" (any number of processes); wire contract 6.2.
 */

import { WebhookSigner } from "@countersign/core/ports"
import { Store } from "@countersign/core/store"
import { Effect, Layer } from "effect"
import type { SecureRandom } from "effect/crypto"
import { HttpRouter, HttpServer, HttpServerResponse } from "effect/http"
import { PrometheusMetrics } from "effect/observability"
import * as ErrorEnvelope from "../middleware/ErrorEnvelope.ts"
import * as MethodTable from "../middleware/MethodTable.ts"
import { withoutAddresses } from "../middleware/RequestTelemetry.ts"
import { metricsRoute, type WebHandler } from "./WebHandler.ts"

const routes = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const store = yield* Store
    const signer = yield* WebhookSigner
    yield* router.add("GET", "/healthz", HttpServerResponse.jsonUnsafe({ status: "ok" }))
    yield* router.add(
      "GET",
      "/readyz",
      Effect.match(store.ready, {
        onFailure: () =>
          HttpServerResponse.jsonUnsafe({ status: "unavailable" }, { status: 503, headers: { "retry-after": "1" } }),
        onSuccess: () => HttpServerResponse.jsonUnsafe({ status: "ready" }),
      }),
    )
    yield* router.add(
      "GET",
      "/webhooks/public-key",
      HttpServerResponse.text(signer.publicKey, { contentType: "application/x-pem-file" }),
    )
  }),
)

const paths = ["/healthz", "/readyz", "/webhooks/public-key"]
const methodTable = (metrics: boolean) =>
  MethodTable.make(
    [...paths, ...(metrics ? [metricsRoute.path] : [])].map((path) => ({ method: "GET" as const, path })),
  )

export const makeWorkerHandler = (
  services: Layer.Layer<Store | WebhookSigner | SecureRandom.SecureRandom>,
  metrics: boolean,
): WebHandler => {
  const { dispose, handler } = HttpRouter.toWebHandler(
    Layer.mergeAll(
      routes,
      metrics ? PrometheusMetrics.layerHttp({ path: metricsRoute.path }) : Layer.empty,
      ErrorEnvelope.layer(methodTable(metrics)),
    ).pipe(Layer.provideMerge(services), Layer.provideMerge(withoutAddresses), Layer.provide(HttpServer.layerServices)),
    { disableLogger: true, routerConfig: MethodTable.routerConfig },
  )
  return { dispose, handler: (request) => handler(request) }
}
