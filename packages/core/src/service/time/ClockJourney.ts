/**
 * Moves business time from one due time to the next and completes all work that falls due, until a target or a bound is reached.
 * Source: architecture, "Jobs, external calls and time" (advancing steps to each due time, drains, and goes on); D-100 to D-103.
 */
import { Clock, Data, Effect, Fiber } from "effect"
import type { StopReason } from "../../model/time/ClockResource.ts"
import { Jobs } from "../../operation/Jobs.ts"
import { WallTime } from "../../ports/WallTime.ts"
import { Store } from "../../store/Store.ts"
import * as StopLog from "./StopLog.ts"

/** The limits of one advance; an advance that reaches one answers how far it came. */
export interface Bounds {
  /** Below the timeout of clients (wire contract 0.6). */
  readonly wallMillisMax: number
  readonly stepsMax: number
  readonly jobsMax: number
}

/** How long (ms) the clock of a process that died stays held. A process that lives holds it anew. D-519. */
export const holdMillis = 5000

/** The pause between two checks for work of other processes. */
const pollMillis = 20

/** The advance ended before its target. */
class Stopped extends Data.TaggedError("Stopped")<{ readonly reason: StopReason }> {}

/** Returns a function that moves the time; jobs that it starts live in the present scope. */
export const makeJourney = Effect.fnUntraced(function* (bounds: Bounds) {
  const store = yield* Store
  const jobs = yield* Jobs
  const wall = yield* WallTime
  const scope = yield* Effect.scope

  /** Moves to `target` as `holder` of the clock, for a platform. `stopReason` is absent when the target was reached. */
  return Effect.fnUntraced(function* (holder: string, target: number, platformId: string) {
    const log = StopLog.make(platformId, yield* Clock.currentTimeMillis)
    yield* jobs.observe(log.attempted)
    const deadline = (yield* wall.now) + bounds.wallMillisMax
    const workload = Effect.flatMap(wall.now, store.workload)
    const claimsAtStart = (yield* workload).claims
    let jobsLeft = bounds.jobsMax
    let steps = 0

    const timeLeft = Effect.gen(function* () {
      const millis = deadline - (yield* wall.now)
      return millis > 0 ? millis : yield* new Stopped({ reason: "OUT_OF_TIME" })
    })

    /** Works all due jobs. Jobs that exceed the deadline continue in the background, because a started job is not interrupted. */
    const drain = Effect.gen(function* () {
      const duration = yield* timeLeft
      const draining = yield* Effect.forkIn(jobs.drainUpTo(jobsLeft), scope)
      const orElse = () => Effect.fail(new Stopped({ reason: "OUT_OF_TIME" }))
      const worked = yield* Effect.timeoutOrElse(Fiber.join(draining), { duration, orElse })
      jobsLeft -= worked
      return jobsLeft > 0 ? worked : yield* new Stopped({ reason: "TOO_MUCH_WORK" })
    })

    /**
     * Drains until no process has work; returns the time by which all work was done. Nothing is left, here or elsewhere, when
     * no job ran before a drain that found none, and no process claimed a job meanwhile.
     */
    const settle = Effect.gen(function* () {
      for (let polls = 0; polls * pollMillis < bounds.wallMillisMax; polls++) {
        const at = yield* Clock.currentTimeMillis
        const before = yield* workload
        const worked = yield* drain
        const { claims } = yield* workload
        if (worked === 0 && before.running === 0 && before.claims === claims) return at
        if (worked === 0) yield* wall.sleep(pollMillis)
      }
      return yield* new Stopped({ reason: "OUT_OF_TIME" })
    })

    const drive = Effect.gen(function* () {
      for (;;) {
        const settledAt = yield* settle
        if (settledAt >= target) return
        const due = Math.min((yield* store.nextDue(settledAt)) ?? target, target)
        // Time also passes by itself: work that fell due meanwhile is done first.
        if (due <= (yield* Clock.currentTimeMillis)) continue
        if (steps === bounds.stepsMax) return yield* new Stopped({ reason: "TOO_MUCH_WORK" })
        yield* timeLeft
        const wallNow = yield* wall.now
        const move = { mover: holder, aheadMillis: due - wallNow, wallNow, heldUntil: wallNow + holdMillis }
        if ((yield* store.moveTime(move)) === undefined) return yield* new Stopped({ reason: "TAKEN_OVER" })
        steps += 1
        log.reached(due)
      }
    })

    const stopReason = yield* drive.pipe(
      Effect.as(undefined),
      Effect.catchTag("Stopped", ({ reason }) => Effect.succeed(reason)),
    )
    return { stopReason, steps, jobsRun: (yield* workload).claims - claimsAtStart, ...log.result() }
  }, Effect.scoped)
})
