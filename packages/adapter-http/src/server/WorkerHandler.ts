/**
 * The routes of a worker process: health, readiness of its store, and the key that signs its webhooks.
 * Source: architecture, "Jobs, external calls and time" (any number of processes); wire contract 6.2.
 */

import type { Authentication, WebhookKeys } from "@countersign/core"
import type { Store } from "@countersign/core/store"
import { Layer } from "effect"
import type { SecureRandom } from "effect/crypto"
import { HttpRouter, HttpServer } from "effect/http"
import { PrometheusMetrics } from "effect/observability"
import * as ErrorEnvelope from "../middleware/ErrorEnvelope.ts"
import * as MethodTable from "../middleware/MethodTable.ts"
import { withoutAddresses } from "../middleware/RequestTelemetry.ts"
import { addProcessRoutes, processRoutes } from "./ProcessRoutes.ts"
import { metricsRoute, type WebHandler } from "./WebHandler.ts"

const routes = HttpRouter.use(addProcessRoutes)

const methodTable = (metrics: boolean) => MethodTable.make([...processRoutes, ...(metrics ? [metricsRoute] : [])])

/** Serves the routes of a worker as a web handler; `metrics` adds the Prometheus route. */
export const makeWorkerHandler = (
  services: Layer.Layer<Store | Authentication | WebhookKeys | SecureRandom.SecureRandom>,
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
