/**
 * Around each request: a span, a count, how long it took, and a log line at the level of debugging. All by the route: an address is never
 * told, since its query may name a person, and its path hold a device code.
 * Source: issue "The Embed door", item 3; D-194.
 */
import { Metrics, traced } from "@countersign/core"
import { Clock, Effect, Layer, Metric, Option } from "effect"
import { HttpMiddleware, type HttpServerRequest, type HttpServerResponse, HttpTraceContext } from "effect/http"

const requests = Metrics.labelled(
  Metric.counter("countersign_requests_total", {
    description: "Requests that were answered, by method, route and status.",
    incremental: true,
  }),
)
const durations = Metrics.labelled(Metrics.seconds("request_seconds", "How long requests took, by method and route."))

/** The router's own spans have the whole address as an attribute. */
export const withoutAddresses = Layer.succeed(HttpMiddleware.TracerDisabledWhen, () => true)

/** The span continues the caller's trace, where the headers name one. */
export const observed =
  ({ headers, method }: HttpServerRequest.HttpServerRequest, route: string) =>
  <E, R>(answer: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>) =>
    Effect.withFiber((fiber) => {
      const clock = fiber.getRef(Clock.Clock)
      const begun = clock.currentTimeNanosUnsafe()
      return Effect.tap(answer, ({ status }) => {
        const nanos = Number(clock.currentTimeNanosUnsafe() - begun)
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
