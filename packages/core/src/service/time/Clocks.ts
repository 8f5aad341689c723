/**
 * The sandbox's clock: reads it, and advances it together with all work that falls due.
 * Source: architecture, "Jobs, external calls and time" (advancing steps to each due time, drains, and goes on); D-100 to D-103.
 */
import { Clock, Context, Effect, Layer, Result } from "effect"
import { SecureRandom } from "effect/crypto"
import {
  auditAdvance,
  clockIsMoving,
  severalPlatforms,
  timeTravelDisabled,
} from "../../decision/time/AdvanceDecision.ts"
import { shiftSessions } from "../../decision/time/SessionShift.ts"
import { invalidInput, ServiceError } from "../../foundation/errors/ServiceError.ts"
import { iso } from "../../foundation/kit/Instant.ts"
import { limitMax } from "../../foundation/kit/Page.ts"
import { targetOf } from "../../model/time/AdvanceRules.ts"
import type { SandboxClock, SandboxClockAdvance, SandboxClockAdvanceRequest } from "../../model/time/ClockResource.ts"
import { where } from "../../operation/Listing.ts"
import * as Operation from "../../operation/Operation.ts"
import { platformOnly } from "../../operation/PlatformOnly.ts"
import { WallTime } from "../../ports/WallTime.ts"
import { TimeTravel } from "../../settings/TimeTravel.ts"
import { CurrentCaller } from "../../store/Caller.ts"
import { type JobView, Store, type StoreUnavailable } from "../../store/Store.ts"
import { type Bounds, holdMillis, makeJourney } from "./ClockJourney.ts"

type Failure = ServiceError | StoreUnavailable

const isDueBy = (now: number) => (job: JobView) => job.dueAt <= now

export class Clocks extends Context.Service<
  Clocks,
  {
    readonly read: Effect.Effect<SandboxClock, Failure, CurrentCaller>
    /**
     * Advances business time for all platforms of the deployment. Errors: `INVALID_INPUT`, `NOT_IMPLEMENTED` where time cannot be
     * moved, `CONFLICT` where several platforms share the time or another call moves it.
     */
    readonly advance: (
      request: SandboxClockAdvanceRequest,
    ) => Effect.Effect<SandboxClockAdvance, Failure, CurrentCaller>
  }
>()("@countersign/core/Clocks") {
  static readonly bounds = Context.Reference<Bounds>("@countersign/core/Clocks/bounds", {
    defaultValue: () => ({ wallMillisMax: 20_000, stepsMax: 10_000, jobsMax: 20_000 }),
  })

  static readonly layer = Layer.effect(
    Clocks,
    Effect.gen(function* () {
      const store = yield* Store
      const wall = yield* WallTime
      const random = yield* SecureRandom.SecureRandom
      const services = yield* Effect.context<Store | WallTime | SecureRandom.SecureRandom>()
      const travel = yield* TimeTravel
      const journey = yield* makeJourney(yield* Clocks.bounds)
      // Generated on first use, so that a deployment that never moves time draws no randomness.
      const processName = yield* Effect.cached(random.uuidV4())
      let calls = 0

      const read = Effect.gen(function* () {
        const now = yield* Clock.currentTimeMillis
        const aheadMillis = travel === "nobody" ? 0 : store.aheadMillis()
        const isDue = isDueBy(now)
        const upcoming = (yield* store.jobs).filter((job) => job.state === "waiting" && !isDue(job))
        const nextDue = Math.min(...upcoming.map(({ dueAt }) => dueAt))
        return {
          now: iso(now),
          realTime: iso(now - aheadMillis),
          aheadMillis,
          ...(upcoming.length === 0 ? {} : { nextDueAt: iso(nextDue) }),
        }
      })

      const recordAdvance = (from: number, to: number) =>
        Operation.run({
          name: "Clocks.record",
          ids: 1,
          load: () => Effect.void,
          decide: auditAdvance(from, to),
        }).pipe(Effect.provideContext(services))

      /** The sessions of the person who advances the time on the console end as much later. */
      const moveSessions = Effect.fnUntraced(function* (millis: number) {
        const caller = yield* CurrentCaller
        if (caller._tag === "Agent" || caller.approver === undefined) return
        const own = where({ status: "ACTIVE", tokenId: caller.tokenId ?? "" })
        yield* Operation.run({
          name: "Clocks.moveSessions",
          load: () =>
            Effect.map(store.list("ConsoleSession", own, { limit: limitMax, order: "desc" }), ({ data }) => data),
          decide: shiftSessions(caller.approver.id, millis),
        }).pipe(Effect.provideContext(services))
      })

      const countJobsLeft = Effect.fnUntraced(function* (now: number) {
        const due = (yield* store.jobs).filter(isDueBy(now))
        const count = (state: JobView["state"]) => due.filter((job) => job.state === state).length
        return { running: count("running"), waiting: count("waiting"), parked: count("parked") }
      })

      /** Moves the time as the holder of the clock. */
      const move = Effect.fnUntraced(function* (holder: string, request: SandboxClockAdvanceRequest) {
        const startedAt = yield* Clock.currentTimeMillis
        const target = targetOf(request, { now: startedAt, wallNow: yield* wall.now })
        if (Result.isFailure(target)) return yield* new ServiceError(invalidInput([target.failure]))
        yield* recordAdvance(startedAt, target.success)
        // First, because the page asks while the time moves.
        yield* moveSessions(target.success - startedAt)
        const { platformId } = yield* CurrentCaller
        const { jobsRun, steps, stopReason, stops, stopsOmitted } = yield* journey(holder, target.success, platformId)
        const now = yield* Clock.currentTimeMillis
        if (now < target.success) yield* moveSessions(now - target.success)
        return {
          startedAt: iso(startedAt),
          target: iso(target.success),
          now: iso(now),
          isComplete: stopReason === undefined,
          ...(stopReason === undefined ? {} : { stopReason }),
          steps,
          jobsRun,
          jobsLeft: yield* countJobsLeft(now),
          stops,
          ...(stopsOmitted === 0 ? {} : { stopsOmitted }),
        }
      })

      const advance = Effect.fn("Clocks.advance")(function* (request: SandboxClockAdvanceRequest) {
        if (travel === "nobody") return yield* new ServiceError(timeTravelDisabled)
        if (travel === "alone" && (yield* store.platformCount) > 1) return yield* new ServiceError(severalPlatforms)
        calls += 1
        const holder = `${yield* processName} ${calls}`
        const keep = (wallNow: number, heldUntil: number) =>
          store.moveTime({ mover: holder, aheadMillis: store.aheadMillis(), wallNow, heldUntil })
        const hold = Effect.flatMap(wall.now, (now) => keep(now, now + holdMillis))
        if ((yield* hold) === undefined) return yield* new ServiceError(clockIsMoving)
        // Not interrupted while the store is asked: a late answer would hold the clock after it was given back.
        const holdOn = Effect.forever(
          Effect.andThen(Effect.sleep(holdMillis / 5), Effect.uninterruptible(Effect.ignore(hold))),
        )
        const moved = Effect.scoped(Effect.andThen(Effect.forkScoped(holdOn), move(holder, request)))
        return yield* Effect.ensuring(moved, Effect.ignore(keep(0, 0)))
      })

      return Clocks.of({ read: platformOnly(read), advance: (request) => platformOnly(advance(request)) })
    }),
  )
}
