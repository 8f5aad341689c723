/**
 * Counts requests and how long they took, by their route, and logs each at the level of debugging. An address is never logged: the query
 * of one may name a person. Source: issue "The Embed door", item 3; D-194.
 */
import { Metrics } from "@countersign/core"
import { Clock, Effect, Metric } from "effect"
import type { HttpServerResponse } from "effect/http"

const requests = Metrics.labelled(
  Metric.counter("countersign_requests_total", {
    description: "Requests that were answered, by method, route and status.",
    incremental: true,
  }),
)
const durations = Metrics.labelled(Metrics.seconds("request_seconds", "How long requests took, by method and route."))

/** Around the answer to a request. */
export const observed =
  (method: string, route: string) =>
  <E, R>(answer: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>) =>
    Effect.gen(function* () {
      const begun = yield* Clock.currentTimeNanos
      const response = yield* answer
      const nanos = Number((yield* Clock.currentTimeNanos) - begun)
      const status = String(response.status)
      yield* Metric.update(requests({ method, route, status }), 1)
      yield* Metric.update(durations({ method, route }), nanos / 1e9)
      yield* Effect.logDebug("request", { method, route, status: response.status, millis: nanos / 1e6 })
      return response
    })
