/** `/metrics`: what the process counted, in the text form that Prometheus reads. Source: D-194. */
import { Effect } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { PrometheusMetrics } from "effect/observability"
import type { Route } from "../middleware/MethodTable.ts"

export const routes: ReadonlyArray<Route> = [{ method: "GET", path: "/metrics" }]

export const layer = HttpRouter.use((router) =>
  router.add(
    "GET",
    "/metrics",
    Effect.map(PrometheusMetrics.format(), (text) =>
      HttpServerResponse.text(text, { contentType: "text/plain; version=0.0.4; charset=utf-8" }),
    ),
  ),
)
