/** `traced` creates a span only when a tracer is configured. */
import { traced } from "@countersign/core"
import { Effect, Option, Tracer } from "effect"
import { describe, expect, it } from "vitest"

const spanOf = Effect.map(Effect.option(Effect.currentSpan), Option.getOrUndefined)

describe("traced", () => {
  it("creates no span and evaluates no options without a tracer", async () => {
    let evaluations = 0
    const options = () => {
      evaluations += 1
      return {}
    }
    expect(await Effect.runPromise(spanOf.pipe(traced("name", options)))).toBeUndefined()
    expect(evaluations).toBe(0)
  })

  it("creates the span with its options when a tracer is configured", async () => {
    const tracer = Tracer.make({ span: (options) => new Tracer.NativeSpan(options) })
    const span = await Effect.runPromise(
      spanOf.pipe(
        traced("name", () => ({ kind: "server", attributes: { route: "/" } })),
        Effect.provideService(Tracer.Tracer, tracer),
      ),
    )
    expect([span?.name, span?.kind, span?.attributes.get("route")]).toEqual(["name", "server", "/"])
  })
})
