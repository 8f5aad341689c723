/**
 * The conformance suite of the `Rails` port: an inquiry has the outcome of its instruction, and moves nothing.
 * Source: D-321; ports/Rails.ts.
 */
import { type RailInstruction, Rails } from "@countersign/core/ports"
import { Effect, type Layer } from "effect"
import { describe, it } from "../runner/Runner.ts"

export interface RailsConformanceOptions {
  /** Instructions that the rail has not received, each with a reference of its own. */
  readonly instructions: ReadonlyArray<RailInstruction>
  /** How many instructions the rail has executed, for example as the bank's test system lists them. */
  readonly executed: Effect.Effect<number>
  /** For a simulation without a memory: it knows the outcome of whatever it is asked about. */
  readonly isStateless?: boolean
}

const fail = (message: string, found: unknown): Effect.Effect<never> =>
  Effect.die(new Error(`${message}: ${JSON.stringify(found)}`))

/** Registers the suite. Each test builds the layer anew. */
export const railsConformance = <E>(
  name: string,
  layer: Layer.Layer<Rails, E>,
  { executed, instructions, isStateless = false }: RailsConformanceOptions,
): void => {
  const test = (title: string, body: (rails: Rails["Service"], asked: RailInstruction) => Effect.Effect<void>) => {
    const all = Rails.use((rails) => Effect.forEach(instructions, (asked) => body(rails, asked), { discard: true }))
    it(title, () => all.pipe(Effect.provide(layer, { local: true }), Effect.runPromise))
  }
  const instruct = (rails: Rails["Service"], asked: RailInstruction) =>
    asked._tag === "Push" ? rails.push(asked.request) : rails.pull(asked.request)

  describe(`Rails: ${name}`, () => {
    test("an inquiry about what the rail has not received moves nothing and does not count as received", (rails, asked) =>
      Effect.gen(function* () {
        const before = yield* executed
        for (let n = 0; n < 2; n++) {
          const { _tag } = yield* rails.inquire(asked)
          if (!isStateless && _tag !== "NotReceived" && _tag !== "Unknown") return yield* fail("received", _tag)
        }
        const after = yield* executed
        if (after !== before) return yield* fail("an inquiry executed an instruction", { before, after })
      }))

    test("an inquiry about an instruction has its outcome and moves nothing again", (rails, asked) =>
      Effect.gen(function* () {
        const first = yield* instruct(rails, asked)
        const before = yield* executed
        for (let n = 0; n < 2; n++) {
          const known = yield* rails.inquire(asked)
          if (known._tag === "NotReceived") return yield* fail("not received after the instruction", first)
          const isSettled = first._tag === "Done" || first._tag === "Refused"
          if (isSettled && known._tag !== "Unknown" && known._tag !== first._tag) {
            return yield* fail("another outcome", { first, known })
          }
        }
        const after = yield* executed
        if (after !== before) return yield* fail("an inquiry executed an instruction", { before, after })
      }))
  })
}
