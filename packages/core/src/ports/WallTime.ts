/**
 * Wall time: leases, retry back-off, retention of idempotency keys. Business time (expiry, periods, due work) is Effect's
 * `Clock`; a test or a sandbox may move that one, this one only passes.
 * Source: architecture, "Jobs, outside calls and time".
 */
import { Clock, Context, Effect, Layer } from "effect"

export class WallTime extends Context.Service<
  WallTime,
  {
    /** Unix milliseconds. */
    readonly now: Effect.Effect<number>
    readonly sleep: (millis: number) => Effect.Effect<void>
  }
>()("@countersign/core/WallTime") {
  /** Wall time is the clock of the fiber: right wherever business time is not moved. */
  static readonly layerClock = Layer.succeed(WallTime, {
    now: Clock.currentTimeMillis,
    sleep: (millis) => Effect.sleep(millis),
  })
}
