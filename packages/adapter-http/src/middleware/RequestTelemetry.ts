/**
 * Records a span, a count, a duration and a debug log line for each request. All of them name the route and never the address,
 * because a query may name a person and a path may contain a device code.
 * Source: D-194.
 */
import { Metrics, traced } from "@countersign/core"
import { Clock, Context, Effect, Layer, Metric, Option } from "effect"
import { HttpMiddleware, type HttpServerRequest, type HttpServerResponse, HttpTraceContext } from "effect/http"

const requests = Metrics.labelled(
  Metric.counter("countersign_requests_total", {
    description: "Requests that were answered, by method, route and status.",
    incremental: true,
  }),
)
const durations = Metrics.labelled(Metrics.seconds("request_seconds", "How long requests took, by method and route."))

const refused = Metric.counter("countersign_requests_refused_total", {
  description: "Requests that did not start, because too many of their owner were waiting.",
  incremental: true,
})

/** Counts a request that was refused before it had a route. */
export const countRefused = (): void => refused.updateUnsafe(1, Context.empty())

/** Disables the router's own spans, which have the whole address as an attribute. */
export const withoutAddresses = Layer.succeed(HttpMiddleware.TracerDisabledWhen, () => true)

/** Observes one request. The span continues the caller's trace if the headers carry one. */
export const withTelemetry =
  ({ headers, method }: HttpServerRequest.HttpServerRequest, route: string) =>
  <E, R>(answer: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>) =>
    Effect.withFiber((fiber) => {
      const clock = fiber.getRef(Clock.Clock)
      const startNanos = clock.currentTimeNanosUnsafe()
      return Effect.tap(answer, ({ status }) => {
        const nanos = Number(clock.currentTimeNanosUnsafe() - startNanos)
        return Effect.annotateCurrentSpan("http.response.status_code", status).pipe(
          Effect.andThen(Metric.update(requests({ method, route, status: String(status) }), 1)),
          Effect.andThen(Metric.update(durations({ method, route }), nanos / 1e9)),
          Effect.andThen(Effect.logDebug("request", { method, route, status, millis: nanos / 1e6 })),
        )
      })
    }).pipe(
      traced(`${method} ${route}`, () => ({
        kind: "server",
        parent: Option.getOrUndefined(HttpTraceContext.fromHeaders(headers)),
        attributes: { "http.request.method": method, "http.route": route },
      })),
    )
