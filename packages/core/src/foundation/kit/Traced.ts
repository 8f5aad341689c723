/**
 * Creates spans only when a tracer is configured. Effect's native tracer discards spans, so that creating them would cost each request
 * time for nothing. Effect's HTTP server omits its spans by the same test.
 * Source: `nativeTracer` of Effect's Tracer.
 */
import { Effect, Tracer } from "effect"

/** Like `Effect.withSpan` when a tracer is configured; otherwise returns the effect unchanged. `options` is called only for a span. */
export const traced =
  (name: string, options?: () => Tracer.SpanOptionsNoTrace) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, Exclude<R, Tracer.ParentSpan>> =>
    Effect.withFiber((fiber) =>
      fiber.getRef(Tracer.Tracer) === Tracer.nativeTracer
        ? (effect as Effect.Effect<A, E, Exclude<R, Tracer.ParentSpan>>)
        : Effect.withSpan(effect, name, options?.()),
    )
