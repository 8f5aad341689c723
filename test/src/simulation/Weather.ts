/**
 * The weather of a simulated run: how often what goes wrong, by a seed. A crash ends whatever operation or job meets it, as the death of its
 * process does; what was committed stays.
 * Source: issue "The Test and Verify doors", deterministic simulation.
 */

import { Store, StoreUnavailable } from "@countersign/core/store"
import { type FailPoint, FailPoints } from "@countersign/core/verify"
import { Effect, Layer } from "effect"
import type { Answer, Inbox } from "../../../packages/test/src/harness/WebhookInbox.ts"
import type { Chance } from "./Chance.ts"
import type { Climate, Strikes } from "./Climate.ts"
import { portWeather } from "./PortWeather.ts"

const mild: Climate = {
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
  webhookLost: 6,
}

/** Every run has a climate of its own: some faults often, others hardly ever. */
export const climate = (luck: Chance): Climate => {
  const varied = (times: number) => Math.max(2, Math.round(times * luck.pick([0.3, 1, 1, 4, 1000])))
  const drawn = Object.entries(mild).map(([fault, times]) => [fault, varied(times)])
  return Object.fromEntries(drawn) as Climate
}

/** What may happen to a delivery. */
const passages = ["webhook lost", "webhook doubled", "webhook refused"] as const

/** Every fault that there is, by the name under which it is counted: a crash by the step that it followed. */
export const faultNames: ReadonlyArray<string> = [
  ...Object.keys(mild).filter((fault) => fault !== "crash" && fault !== "webhookLost"),
  ...FailPoints.keys.map((point) => `crash at ${point}`),
  ...passages,
]

/** What happened how often, for the run's summary. */
export type Faults = Map<string, number>

export interface Weather {
  /** Whether anything goes wrong just now. */
  isOn: boolean
  readonly faults: Faults
  readonly failPoints: (point: FailPoint) => Effect.Effect<void>
  readonly store: Layer.Layer<Store, never, Store>
  readonly ports: Layer.Layer<never>
  /** What the endpoint answers the next time. */
  readonly endpoint: (inbox: Inbox) => void
}

const isOutside = (point: FailPoint): boolean => !/^(?:operation|jobs|webhook)\./u.test(point)

const pause = (times: number) => Effect.repeat(Effect.yieldNow, { times })

export const weather = (luck: Chance, climate: Climate): Weather => {
  const { conflict, crash, defect, delay, lostCommit, lostRead, webhookLost } = climate
  const faults: Faults = new Map()
  const count = (name: string) => faults.set(name, (faults.get(name) ?? 0) + 1)
  const happens = (inTimes: number) => weathered.isOn && luck.once(inTimes)
  const strikes: Strikes = (fault, inTimes, name = fault) => {
    const isStruck = happens(inTimes)
    if (isStruck) count(name)
    return isStruck
  }
  const applied = new Set<string>()
  const lost = (unknown: boolean) => new StoreUnavailable({ cause: "a fault of the simulation", unknown })

  const store = Layer.effect(
    Store,
    Effect.map(Store, (inner) =>
      Store.of({
        ...inner,
        read: (query) =>
          Effect.suspend(() => (strikes("lostRead", lostRead) ? Effect.fail(lost(false)) : inner.read(query))),
        commit: (set) =>
          Effect.suspend(() => {
            // A set that was applied is recognised when it comes again: a store does not call that a conflict.
            if (applied.has(set.operationId)) return inner.commit(set)
            if (strikes("conflict", conflict))
              return Effect.succeed({ _tag: "Conflict" as const, on: "the simulation" })
            if (!strikes("lostCommit", lostCommit)) return inner.commit(set)
            if (luck.once(2)) return Effect.fail(lost(true))
            const noted = Effect.tap(inner.commit(set), () => Effect.sync(() => applied.add(set.operationId)))
            return Effect.andThen(noted, Effect.fail(lost(true)))
          }),
      }),
    ),
  )

  const ports = portWeather(luck, strikes, climate)

  const weathered: Weather = {
    isOn: false,
    faults,
    failPoints: (point) =>
      Effect.suspend(() => {
        // Steps around what is asked outside are few, and the ones to die at.
        const times = isOutside(point) ? Math.max(2, Math.round(crash / 8)) : crash
        if (strikes("crash", times, `crash at ${point}`)) return Effect.interrupt
        if (strikes("defect", defect)) return Effect.die(new Error("a fault of the simulation"))
        return strikes("delay", delay) ? pause(luck.below(60)) : Effect.void
      }),
    store,
    ports,
    endpoint: (inbox) => {
      if (!happens(webhookLost)) return
      const passage = passages[luck.below(4)] ?? "webhook refused"
      count(passage)
      if (passage === "webhook lost") inbox.dropNext()
      else if (passage === "webhook doubled") inbox.duplicateNext()
      else inbox.answerNext(luck.pick<Answer>([403, 500, 503, "silence"]))
    },
  }
  return weathered
}
