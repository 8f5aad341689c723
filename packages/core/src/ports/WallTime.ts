/**
 * Wall time: leases, retry back-off, retention of idempotency keys. Business time (expiry, periods, due work) is Effect's `Clock`,
 * which a test or a sandbox can advance; nothing advances wall time.
 * Source: architecture, "Jobs, external calls and time"; D-101.
 */
import { Clock, Context, Duration, Effect, Layer } from "effect"

export class WallTime extends Context.Service<
  WallTime,
  {
    /** Unix milliseconds. */
    readonly now: Effect.Effect<number>
    readonly sleep: (millis: number) => Effect.Effect<void>
  }
>()("@countersign/core/WallTime") {
  /** Wall time is the `Clock` at the time the layer is built, even if another one replaces it later. */
  static readonly layerClock = Layer.effect(
    WallTime,
    Effect.map(Clock.Clock, (clock) => ({
      now: clock.currentTimeMillis,
      sleep: (millis) => clock.sleep(Duration.millis(millis)),
    })),
  )
}
