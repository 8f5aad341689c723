/** Rails that answer every request with an immediate success, unless a test overrides the answer; an inquiry as the instruction. */
import { type RailOutcome, Rails } from "@countersign/core/ports"
import { Effect, Layer } from "effect"

const done = Effect.succeed<RailOutcome>({ _tag: "Done" })

export const layer = (own: Partial<Rails["Service"]> = {}): Layer.Layer<Rails> =>
  Layer.succeed(Rails, {
    inspectPull: () => Effect.succeed({ pullable: true, funds: "unknown" }),
    pull: () => done,
    push: () => done,
    refund: () => done,
    cancel: () => done,
    inquire: (instruction) =>
      instruction._tag === "Push"
        ? (own.push?.(instruction.request) ?? done)
        : (own.pull?.(instruction.request) ?? done),
    ...own,
  })
