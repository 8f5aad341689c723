/**
 * Injects faults into a simulated run, from a seed. A crash ends the operation or job that meets it, as the death of its process would; what
 * was committed stays.
 */

import { faultyStore } from "@countersign/core/sandbox"
import { Store } from "@countersign/core/store"
import { type FailPoint, FailPoints } from "@countersign/core/verify"
import { Effect, Layer } from "effect"
import type { Answer, Inbox } from "../../../packages/test/src/harness/WebhookInbox.ts"
import type { WorldOptions } from "../../../packages/test/src/harness/World.ts"
import type { FaultRates, InjectsFault } from "./FaultRates.ts"
import { type Outside, outsideMemory } from "./Outside.ts"
import { portFaults } from "./PortFaults.ts"
import type { Randomness } from "./Randomness.ts"
import { cause } from "./UncertainCalls.ts"
import { refusedDelivery } from "./WebhookPort.ts"

const mild: FaultRates = {
  crash: 40,
  defect: 60,
  delay: 10,
  conflict: 15,
  lostCommit: 25,
  lostRead: 40,
  railUnknown: 8,
  railSlow: 8,
  issuerUnknown: 6,
  issuerSlow: 6,
  verifierUnknown: 5,
  verifierSlow: 5,
  rateUnknown: 8,
  rateSlow: 4,
  rateMoved: 4,
  providerDown: 12,
  providerUnknown: 6,
  providerSlow: 6,
  vaultDown: 8,
  vaultSlow: 6,
  webhookLost: 6,
  endpointDown: 40,
}

/** The fault rates of one run: some faults are frequent, others rare. */
export const faultRatesOf = (random: Randomness): FaultRates => {
  const varied = (times: number) => Math.max(2, Math.round(times * random.pick([0.3, 1, 1, 4, 1000])))
  const generated = Object.entries(mild).map(([fault, times]) => [fault, varied(times)])
  return Object.fromEntries(generated) as FaultRates
}

/** Possible faults of a delivery. */
const deliveryFaults = ["webhook lost", "webhook doubled", "webhook refused"] as const

/** The name under which deaths of processes are counted. */
export const processDeath = "process death"

/** The name under which moves of business time are counted. */
export const timeTravel = "time travel"

/** The name of every fault under which it is counted; a crash is counted by its fail point. */
export const faultNames: ReadonlyArray<string> = [
  ...Object.keys(mild).filter((fault) => fault !== "crash" && fault !== "webhookLost"),
  ...FailPoints.keys.map((point) => `crash at ${point}`),
  ...deliveryFaults,
  processDeath,
  timeTravel,
  refusedDelivery,
]

/** How often each fault was injected. */
export type Faults = Map<string, number>

export interface FaultInjection {
  /** Whether faults are injected now. */
  isOn: boolean
  readonly faults: Faults
  /** How often each fail point was passed, with a fault or without. */
  readonly passages: ReadonlyMap<FailPoint, number>
  readonly failPoints: (point: FailPoint) => Effect.Effect<void>
  readonly store: Layer.Layer<Store, never, Store>
  readonly ports: NonNullable<WorldOptions["ports"]>
  /** What the external systems have received. */
  readonly outside: Outside
  /** Sets the next response of the endpoint. */
  readonly endpoint: (inbox: Inbox) => void
}

/**
 * A crash is more frequent around the few external calls that jobs make, since it is most interesting there. Calls within a request are
 * many, and each crash makes its client repeat the request.
 */
const crashTimes = (point: FailPoint, crash: number): number => {
  if (/^(?:operation|jobs|webhook)\./u.test(point)) return crash
  return Math.max(2, Math.round(crash / (/^(?:stablecoin\.|file\.(?:begun|stored))/u.test(point) ? 2 : 8)))
}

const pause = (times: number) => Effect.repeat(Effect.yieldNow, { times })

export const faultInjection = (random: Randomness, rates: FaultRates): FaultInjection => {
  const { conflict, crash, defect, delay, lostCommit, lostRead, webhookLost } = rates
  const faults: Faults = new Map()
  const passages = new Map<FailPoint, number>()
  const count = (name: string) => faults.set(name, (faults.get(name) ?? 0) + 1)
  const happens = (inTimes: number) => injection.isOn && random.once(inTimes)
  const injects: InjectsFault = (fault, inTimes, name = fault) => {
    const isStruck = happens(inTimes)
    if (isStruck) count(name)
    return isStruck
  }
  const store = Layer.effect(
    Store,
    Effect.map(Store, (inner) =>
      faultyStore(inner, {
        cause,
        ofRead: () => injects("lostRead", lostRead),
        ofCommit: () =>
          Effect.sync(() => {
            if (injects("conflict", conflict)) return "CONFLICT"
            if (!injects("lostCommit", lostCommit)) return undefined
            return random.once(2) ? "FAIL_BEFORE" : "FAIL_AFTER"
          }),
      }),
    ),
  )

  const outside = outsideMemory()
  const ports = portFaults({ random, injects, rates }, outside)

  const injection: FaultInjection = {
    isOn: false,
    faults,
    passages,
    failPoints: (point) =>
      Effect.suspend(() => {
        passages.set(point, (passages.get(point) ?? 0) + 1)
        if (injects("crash", crashTimes(point, crash), `crash at ${point}`)) return Effect.interrupt
        if (injects("defect", defect)) return Effect.die(new Error("a fault of the simulation"))
        return injects("delay", delay) ? pause(random.below(60)) : Effect.void
      }),
    store,
    ports,
    outside,
    endpoint: (inbox) => {
      if (!happens(webhookLost)) return
      const fault = deliveryFaults[random.below(4)] ?? "webhook refused"
      count(fault)
      if (fault === "webhook lost") inbox.dropNext()
      else if (fault === "webhook doubled") inbox.duplicateNext()
      else inbox.answerNext(random.pick<Answer>([403, 500, 503, "silence"]))
    },
  }
  return injection
}
