/**
 * Business time of a sandbox: wall time, and as much as the store says that it is ahead. Only the time of day is moved:
 * sleeping, time-outs and measured durations stay those of the clock beneath.
 * Source: architecture, "Jobs, outside calls and time" (two clocks); D-100, D-101.
 */
import { Clock, Effect, Layer } from "effect"
import { TimeTravel } from "../settings/TimeTravel.ts"
import { Store } from "../store/Store.ts"

const ahead = (base: Clock.Clock, aheadMillis: () => number): Clock.Clock => {
  const millis = () => base.currentTimeMillisUnsafe() + aheadMillis()
  return {
    // What a clock of one's own can do beside.
    ...base,
    currentTimeMillisUnsafe: millis,
    currentTimeMillis: Effect.sync(millis),
    currentTimeNanosUnsafe: () => base.currentTimeNanosUnsafe(),
    monotonicTimeNanosUnsafe: () => base.monotonicTimeNanosUnsafe(),
    sleep: (duration) => base.sleep(duration),
  }
}

const clock = Layer.effect(
  Clock.Clock,
  Effect.gen(function* () {
    const { aheadMillis } = yield* Store
    return ahead(yield* Clock.Clock, aheadMillis)
  }),
)

/** To be laid under all services. The platform that has the deployment alone may move time. */
export const layer = Layer.merge(clock, Layer.succeed(TimeTravel, "alone"))

/** Any platform may move the time of all. */
export const layerShared = Layer.merge(clock, Layer.succeed(TimeTravel, "shared"))
