/** Spans are made where a tracer was given, and only there. */
import { traced } from "@countersign/core"
import { Effect, Option, Tracer } from "effect"
import { describe, expect, it } from "vitest"

const spanOf = Effect.map(Effect.option(Effect.currentSpan), Option.getOrUndefined)

describe("traced", () => {
  it("makes no span, and asks for no options, where nobody collects spans", async () => {
    let asked = 0
    const options = () => {
      asked += 1
      return {}
    }
    expect(await Effect.runPromise(spanOf.pipe(traced("name", options)))).toBeUndefined()
    expect(asked).toBe(0)
  })

  it("makes the span with its options where a tracer was given", async () => {
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
