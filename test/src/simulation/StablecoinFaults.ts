/**
 * The provider of stablecoins of a simulated run: the sandbox's, which loses requests and answers, and remembers what it has begun.
 * Source: D-390, D-418.
 */
import { type ProviderInquiry, type ProviderOutcome, StablecoinProvider } from "@countersign/core/ports"
import { SandboxStablecoins } from "@countersign/core/sandbox"
import { Effect, Layer } from "effect"
import type { OutsideMemory, ReceivedInstruction } from "./Outside.ts"
import { type PortFaultSource, pause, unknown } from "./UncertainCalls.ts"

const down: ProviderOutcome = { _tag: "Unavailable", cause: "a fault of the simulation" }

const kindOf = ({ operationType }: { readonly operationType: "MINT" | "BURN" }): ReceivedInstruction["kind"] =>
  operationType === "MINT" ? "mint" : "burn"

export const stablecoinFaults = ({ injects, random, rates }: PortFaultSource, outside: OutsideMemory) => {
  /** The provider is not reached, or answers late. */
  const reached = <A>(call: Effect.Effect<A>): Effect.Effect<A | typeof down> =>
    Effect.suspend((): Effect.Effect<A | typeof down> => {
      if (injects("providerDown", rates.providerDown)) return Effect.succeed(down)
      return injects("providerSlow", rates.providerSlow) ? Effect.andThen(pause(random.below(40)), call) : call
    })

  return Layer.effect(
    StablecoinProvider,
    Effect.map(StablecoinProvider, (inner) => ({
      ...inner,
      begin: (instruction) =>
        reached(
          Effect.suspend((): Effect.Effect<ProviderOutcome> => {
            const isUnknown = injects("providerUnknown", rates.providerUnknown)
            if (isUnknown && random.once(2)) return Effect.succeed(unknown)
            const { amount, reference } = instruction
            outside.receive({ kind: kindOf(instruction), reference, amount: Number(amount) })
            return isUnknown ? Effect.as(inner.begin(instruction), unknown) : inner.begin(instruction)
          }),
        ),
      inquire: (instruction) =>
        reached(
          Effect.suspend((): Effect.Effect<ProviderInquiry> => {
            if (injects("providerUnknown", rates.providerUnknown)) return Effect.succeed(unknown)
            const isKnown = outside.hasReceived(kindOf(instruction), instruction.reference)
            return isKnown ? inner.inquire(instruction) : Effect.succeed({ _tag: "NotReceived" })
          }),
        ),
    })),
  ).pipe(Layer.provide(SandboxStablecoins.layer))
}
