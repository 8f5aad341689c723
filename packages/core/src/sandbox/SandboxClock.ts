/**
 * The business clock of a sandbox: wall time plus the offset in the store. Only the current time is shifted: sleeps, time-outs and
 * measured durations are those of the underlying clock.
 * Source: architecture, "Jobs, external calls and time" (two clocks); D-100, D-101.
 */
import { Clock, Effect, Layer } from "effect"
import { sandboxOnly } from "../ports/SandboxOnly.ts"
import { TimeTravel } from "../settings/TimeTravel.ts"
import { Store } from "../store/Store.ts"

const shifted = (base: Clock.Clock, aheadMillis: () => number): Clock.Clock => {
  const millis = () => base.currentTimeMillisUnsafe() + aheadMillis()
  return {
    // Keeps further members of a custom clock.
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
    return shifted(yield* Clock.Clock, aheadMillis)
  }),
).pipe(sandboxOnly("SandboxClock"))

/** Provide it below all services. The single platform of the deployment may advance time. */
export const layer = Layer.merge(clock, Layer.succeed(TimeTravel, "alone"))

/** Any platform may advance the time of all. */
export const layerShared = Layer.merge(clock, Layer.succeed(TimeTravel, "shared"))
