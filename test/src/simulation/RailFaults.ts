/**
 * The rails of a simulated run: the sandbox's, which lose requests and answers, and remember what they have received.
 * Source: D-321, D-418.
 */
import { type InquiryOutcome, type RailInstruction, type RailOutcome, Rails } from "@countersign/core/ports"
import { SandboxRails } from "@countersign/core/sandbox"
import { Effect, Layer } from "effect"
import type { OutsideMemory } from "./Outside.ts"
import { later, type PortFaultSource, uncertain, unknown } from "./UncertainCalls.ts"

const kindOf = ({ _tag }: RailInstruction) => (_tag === "Pull" ? "pull" : "push")

/** A held deposit is asked about as a pull that nobody instructed: its rail reported it. */
const isReported = (instruction: RailInstruction): boolean =>
  instruction._tag === "Pull" && instruction.request.source.accountInfo.accountType === "DEPOSIT_ORIGINATOR"

export const railFaults = (faults: PortFaultSource, outside: OutsideMemory): Layer.Layer<Rails> => {
  const { injects, random, rates } = faults
  const asked = uncertain(faults, "rail")

  /** An instruction that is lost on its way has no effect; one whose answer is lost has. */
  const instructed = (instruction: RailInstruction, answer: Effect.Effect<RailOutcome>): Effect.Effect<RailOutcome> =>
    Effect.suspend((): Effect.Effect<RailOutcome> => {
      const isUnknown = injects("railUnknown", rates.railUnknown)
      if (isUnknown && random.once(2)) return Effect.succeed(unknown)
      const { amount, reference } = instruction.request
      outside.receive({ kind: kindOf(instruction), reference, amount })
      if (isUnknown) return Effect.as(answer, unknown)
      return injects("railSlow", rates.railSlow) ? later : answer
    })

  return Layer.effect(
    Rails,
    Effect.map(Rails, (inner) =>
      Rails.of({
        ...inner,
        pull: (request) => instructed({ _tag: "Pull", request }, inner.pull(request)),
        push: (request) => instructed({ _tag: "Push", request }, inner.push(request)),
        inquire: (instruction) =>
          asked(
            Effect.suspend((): Effect.Effect<InquiryOutcome> => {
              const { reference } = instruction.request
              const isKnown = isReported(instruction) || outside.hasReceived(kindOf(instruction), reference)
              return isKnown ? inner.inquire(instruction) : Effect.succeed({ _tag: "NotReceived" })
            }),
          ),
        refund: (request) => asked(inner.refund(request)),
      }),
    ),
  ).pipe(Layer.provide(SandboxRails.layer))
}
