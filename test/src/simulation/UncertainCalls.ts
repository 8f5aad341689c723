/**
 * Calls of ports that break off or take long, for the ports of a simulated run.
 * Source: architecture, "Jobs, external calls and time".
 */
import { Effect } from "effect"
import type { FaultRates, InjectsFault } from "./FaultRates.ts"
import type { Randomness } from "./Randomness.ts"

export type Unknown = { readonly _tag: "Unknown"; readonly cause: string }
export type Later = { readonly _tag: "Later"; readonly at: number }

const slowMillis = 700
export const unknown: Unknown = { _tag: "Unknown", cause: "a fault of the simulation" }
export const later = Effect.clockWith(({ currentTimeMillis }) =>
  Effect.map(currentTimeMillis, (now): Later => ({ _tag: "Later", at: now + slowMillis })),
)
export const pause = (times: number) => Effect.repeat(Effect.yieldNow, { times })

/** What the faults of all ports are decided by. */
export interface PortFaultSource {
  readonly random: Randomness
  readonly injects: InjectsFault
  readonly rates: FaultRates
}

/** A request to a port that may not know the answer. After `Unknown` it may have been executed or not. */
export const uncertain =
  ({ injects, random, rates }: PortFaultSource, who: "rail" | "issuer" | "verifier") =>
  <A>(asked: Effect.Effect<A>): Effect.Effect<A | Unknown | Later> =>
    Effect.suspend((): Effect.Effect<A | Unknown | Later> => {
      const [isUnknown, isSlow] = [`${who}Unknown`, `${who}Slow`] as const
      if (injects(isUnknown, rates[isUnknown])) {
        return random.once(2) ? Effect.as(asked, unknown) : Effect.succeed(unknown)
      }
      return injects(isSlow, rates[isSlow]) ? later : asked
    })
