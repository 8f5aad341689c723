/**
 * Calls of ports that break off or take long, for the ports of a simulated run.
 * Source: architecture, "Jobs, external calls and time".
 */
import { type CallFault, faultyCalls, type Lost } from "@countersign/core/sandbox"
import { Clock, Effect } from "effect"
import type { FaultRates, InjectsFault } from "./FaultRates.ts"
import type { Randomness } from "./Randomness.ts"

const slowMillis = 700
export const cause = "a fault of the simulation"
export const unknown = { _tag: "Unknown", cause } as const
const laterAt = Effect.map(Clock.currentTimeMillis, (now) => now + slowMillis)
export const later = Effect.map(laterAt, (at) => ({ _tag: "Later", at }) as const)
export const pause = (times: number) => Effect.repeat(Effect.yieldNow, { times })

/** What the faults of all ports are decided by. */
export interface PortFaultSource {
  readonly random: Randomness
  readonly injects: InjectsFault
  readonly rates: FaultRates
}

/** Requests to a port that may not know the answer. After `Unknown` they may have been executed or not. */
export const uncertain = (
  { injects, random, rates }: PortFaultSource,
  who: "rail" | "issuer" | "verifier",
): (<A>(call: Effect.Effect<A>) => Effect.Effect<A | Lost>) =>
  faultyCalls(
    cause,
    Effect.suspend((): Effect.Effect<CallFault | undefined> => {
      const [isUnknown, isSlow] = [`${who}Unknown`, `${who}Slow`] as const
      if (injects(isUnknown, rates[isUnknown])) return Effect.succeed(random.once(2) ? "LOST_ANSWER" : "LOST_REQUEST")
      return injects(isSlow, rates[isSlow]) ? laterAt : Effect.undefined
    }),
  )
