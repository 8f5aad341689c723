/**
 * Spans that are made only where somebody collects them. Effect's own tracer keeps none: a span would cost a request its making, and
 * nobody could see it. Effect's HTTP server leaves its spans out by the same test.
 * Source: issue "The Embed door", item 3; `nativeTracer` of Effect's Tracer.
 */
import { Effect, Tracer } from "effect"

/** As `Effect.withSpan`, where a tracer was given; else the effect as it is. The options are asked for where they are needed. */
export const traced =
  (name: string, options?: () => Tracer.SpanOptionsNoTrace) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, Exclude<R, Tracer.ParentSpan>> =>
    Effect.withFiber((fiber) =>
      fiber.getRef(Tracer.Tracer) === Tracer.nativeTracer
        ? (effect as Effect.Effect<A, E, Exclude<R, Tracer.ParentSpan>>)
        : Effect.withSpan(effect, name, options?.()),
    )
