/** Rails of your own: what moves money outside. It refuses what is above a limit, and is asked again where it does not know. */
import { type RailOutcome, Rails } from "@countersign/core/ports"
import { Effect, Layer, Ref } from "effect"

const limit = 1_000_000

/** A real bank remembers references; asked about one, it gives the answer that it gave before. */
export const layer = Layer.effect(
  Rails,
  Effect.gen(function* () {
    const answered = yield* Ref.make<ReadonlyMap<string, RailOutcome>>(new Map())
    const move = Effect.fn("Bank.move")(function* (reference: string, amount: number) {
      const known = (yield* Ref.get(answered)).get(reference)
      if (known !== undefined) return known
      const outcome: RailOutcome = amount > limit ? { _tag: "Refused", reason: "BANK_REJECTED" } : { _tag: "Done" }
      yield* Ref.update(answered, (all) => new Map([...all, [reference, outcome]]))
      return outcome
    })
    return {
      inspectPull: () => Effect.succeed({ pullable: true, funds: "unknown" as const }),
      pull: ({ amount, reference }) => move(reference, amount),
      push: ({ amount, reference }) => move(reference, amount),
      inquire: ({ request: { reference } }) =>
        Effect.map(Ref.get(answered), (all) => all.get(reference) ?? { _tag: "NotReceived" as const }),
      refund: () => Effect.succeed({ _tag: "Done" as const }),
      cancel: () => Effect.succeed({ _tag: "Refused" as const, reason: "BANK_REJECTED" as const }),
    }
  }),
)
