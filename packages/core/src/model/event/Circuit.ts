/**
 * The circuit breaker of a webhook endpoint: when it opens, how long it waits, and which deliveries may be sent.
 * Source: D-333. Times are wall time in milliseconds.
 */
import { Schema } from "effect"
import type { StateOf } from "../../foundation/kit/Machine.ts"
import { CircuitMachine } from "./CircuitMachine.ts"

const circuitLimits = {
  /** The circuit opens after this many failures without a success between them. */
  failuresMax: 5,
  /** The wait before the first probe. It doubles with each probe that fails, up to the maximum. */
  firstWaitMillis: 30_000,
  waitMillisMax: 15 * 60_000,
  /** The time that a probe has: the time limit of a delivery, and a margin. Then another process may send one. */
  probeMillis: 35_000,
} as const

export const CircuitState = Schema.Literals(["CLOSED", "OPEN", "HALF_OPEN"])

export const Circuit = Schema.Struct({
  state: CircuitState,
  /** Consecutive failures. */
  failures: Schema.Int,
  /** How often it has opened without a success since. */
  openings: Schema.Int,
  /** Open: from when a probe may be sent. Half open: until when the probe has time. */
  until: Schema.optionalKey(Schema.Int),
})
export type Circuit = typeof Circuit.Type

export const closedCircuit: Circuit = { state: CircuitMachine.follow(null, "Create").state, failures: 0, openings: 0 }

/** What a delivery may do now. `Wait`: not before this time. */
export type Permit =
  | { readonly _tag: "Send" }
  | { readonly _tag: "Probe" }
  | { readonly _tag: "Wait"; readonly notBefore: number }

/** While a probe runs, deliveries ask again after the time that it has taken so far, and at least after this one. */
const probeAskMillis = 1000

export const permitOf = ({ state, until = 0 }: Circuit, now: number): Permit => {
  if (state === "CLOSED") return { _tag: "Send" }
  if (now >= until) return { _tag: "Probe" }
  if (state === "OPEN") return { _tag: "Wait", notBefore: until }
  const elapsed = now - (until - circuitLimits.probeMillis)
  return { _tag: "Wait", notBefore: Math.min(until, now + Math.max(probeAskMillis, elapsed)) }
}

const waitMillis = (openings: number): number =>
  Math.min(circuitLimits.firstWaitMillis * 2 ** Math.min(openings - 1, 20), circuitLimits.waitMillisMax)

const opened = (state: StateOf<typeof CircuitMachine>, failures: number, openings: number, now: number): Circuit => ({
  state,
  failures,
  openings,
  until: now + waitMillis(openings),
})

/** Returns the circuit with a probe on its way. */
export const probing = (circuit: Circuit, now: number): Circuit => ({
  ...circuit,
  state: CircuitMachine.follow(circuit.state, "Probe").state,
  until: now + circuitLimits.probeMillis,
})

/** Returns the circuit after a failed delivery. */
export const failed = (circuit: Circuit, now: number): Circuit => {
  const failures = circuit.failures + 1
  switch (circuit.state) {
    case "CLOSED":
      return failures < circuitLimits.failuresMax
        ? { ...circuit, failures }
        : opened(CircuitMachine.follow("CLOSED", "Trip").state, failures, 1, now)
    case "HALF_OPEN":
      return opened(CircuitMachine.follow("HALF_OPEN", "Fail").state, failures, circuit.openings + 1, now)
    default:
      // A delivery that began before the circuit opened.
      return circuit
  }
}

/** Returns the circuit after a successful delivery. */
export const succeeded = ({ state }: Circuit): Circuit => ({
  ...closedCircuit,
  state: CircuitMachine.follow(state, "Succeed").state,
})
