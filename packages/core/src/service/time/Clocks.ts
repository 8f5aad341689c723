/**
 * The clock of a sandbox: what it says, and moving it forward from one due time to the next, with all work done on the way.
 * Source: architecture, "Jobs, outside calls and time" (advancing steps to each due time, drains, and goes on); D-100 to D-103.
 */
import { Clock, Context, Data, Effect, Fiber, Layer, Result } from "effect"
import { SecureRandom } from "effect/crypto"
import { auditRecord } from "../../decision/audit/Audit.ts"
import { invalidInput, ServiceError } from "../../foundation/errors/ServiceError.ts"
import { iso } from "../../foundation/kit/Instant.ts"
import { targetOf } from "../../model/time/AdvanceRules.ts"
import type {
  SandboxClock,
  SandboxClockAdvance,
  SandboxClockAdvanceRequest,
  StopReason,
} from "../../model/time/ClockResource.ts"
import { Jobs } from "../../operation/Jobs.ts"
import * as Operation from "../../operation/Operation.ts"
import { platformOnly } from "../../operation/PlatformOnly.ts"
import { WallTime } from "../../ports/WallTime.ts"
import { TimeTravel } from "../../settings/TimeTravel.ts"
import type { CurrentCaller } from "../../store/Caller.ts"
import { type JobView, Store, type StoreUnavailable } from "../../store/Store.ts"

/** How much one advance may do before it answers how far it came. */
interface Bounds {
  /** Shorter than clients wait for an answer (wire contract 0.6). */
  readonly wallMillisMax: number
  readonly stepsMax: number
  readonly jobsMax: number
}

/** Longer than any advance takes, so that nobody else moves time meanwhile; and short, for who moves it may die. */
const heldMillis = 60_000
/** Between two looks at the work of others. */
const lookMillis = 20

const notMovable = {
  code: "NOT_IMPLEMENTED",
  message: "The time of this deployment cannot be moved.",
} as const

const severalPlatforms = {
  code: "CONFLICT",
  message: "Several platforms share this deployment, and its time is the time of all.",
  details: { reason: "SEVERAL_PLATFORMS" },
} as const

const isMoving = {
  code: "CONFLICT",
  message: "Another call is moving the time.",
  details: { reason: "CLOCK_IS_MOVING" },
} as const

/** An advance ends before its target. */
class Stopped extends Data.TaggedError("Stopped")<{ readonly reason: StopReason }> {}

type Failure = ServiceError | StoreUnavailable

export class Clocks extends Context.Service<
  Clocks,
  {
    readonly read: Effect.Effect<SandboxClock, Failure, CurrentCaller>
    /**
     * Moves business time forward for everybody. Errors: `INVALID_INPUT`, `NOT_IMPLEMENTED` where time cannot be moved, `CONFLICT`
     * where several platforms share it or another call moves it.
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
      const jobs = yield* Jobs
      const wall = yield* WallTime
      const random = yield* SecureRandom.SecureRandom
      const scope = yield* Effect.scope
      const services = yield* Effect.context<Store | WallTime | SecureRandom.SecureRandom>()
      const travel = yield* TimeTravel
      const bounds = yield* Clocks.bounds
      // Drawn when it is needed: whoever moves no time draws nothing.
      const ownName = yield* Effect.cached(random.uuidV4())
      let calls = 0

      const dueBy = (now: number) => (job: JobView) => job.dueAt <= now

      const read = Effect.gen(function* () {
        const now = yield* Clock.currentTimeMillis
        const aheadMillis = travel === "nobody" ? 0 : store.aheadMillis()
        const coming = (yield* store.jobs).filter((job) => job.state === "waiting" && !dueBy(now)(job))
        const nextDue = Math.min(...coming.map(({ dueAt }) => dueAt))
        return {
          now: iso(now),
          realTime: iso(now - aheadMillis),
          aheadMillis,
          ...(coming.length === 0 ? {} : { nextDueAt: iso(nextDue) }),
        }
      })

      /** From one due time to the next; answers what was done, and why it ended before the target where it did. */
      const journey = Effect.fnUntraced(function* (mover: string, target: number) {
        const deadline = (yield* wall.now) + bounds.wallMillisMax
        const workload = Effect.flatMap(wall.now, store.workload)
        const atStart = (yield* workload).claims
        let left = bounds.jobsMax
        let steps = 0

        const timeLeft = Effect.gen(function* () {
          const millis = deadline - (yield* wall.now)
          return millis > 0 ? millis : yield* new Stopped({ reason: "OUT_OF_TIME" })
        })

        /** Works what is due. What is not finished in time goes on by itself, for a job that was begun is not broken off. */
        const drain = Effect.gen(function* () {
          const duration = yield* timeLeft
          const working = yield* Effect.forkIn(jobs.drainUpTo(left), scope)
          const orElse = () => Effect.fail(new Stopped({ reason: "OUT_OF_TIME" }))
          const worked = yield* Effect.timeoutOrElse(Fiber.join(working), { duration, orElse })
          left -= worked
          return left > 0 ? worked : yield* new Stopped({ reason: "TOO_MUCH_WORK" })
        })

        /**
         * Works until nobody has anything to do; answers the time by which all was done. Nothing ran before the last look for
         * work, which found none, and nobody claimed any meanwhile: so nothing was left, here or elsewhere.
         */
        const settle = Effect.gen(function* () {
          for (let looks = 0; looks * lookMillis < bounds.wallMillisMax; looks++) {
            const at = yield* Clock.currentTimeMillis
            const before = yield* workload
            const worked = yield* drain
            const { claims } = yield* workload
            if (worked === 0 && before.running === 0 && before.claims === claims) return at
            if (worked === 0) yield* wall.sleep(lookMillis)
          }
          return yield* new Stopped({ reason: "OUT_OF_TIME" })
        })

        const drive = Effect.gen(function* () {
          for (;;) {
            const settledAt = yield* settle
            if (settledAt >= target) return
            const due = Math.min((yield* store.nextDue(settledAt)) ?? target, target)
            // Time goes on by itself: what fell due meanwhile is worked first.
            if (due <= (yield* Clock.currentTimeMillis)) continue
            if (steps === bounds.stepsMax) return yield* new Stopped({ reason: "TOO_MUCH_WORK" })
            yield* timeLeft
            const wallNow = yield* wall.now
            const move = { mover, aheadMillis: due - wallNow, wallNow, heldUntil: wallNow + heldMillis }
            if ((yield* store.moveTime(move)) === undefined) return yield* new Stopped({ reason: "TAKEN_OVER" })
            steps += 1
          }
        })

        const stopReason = yield* drive.pipe(
          Effect.as(undefined),
          Effect.catchTag("Stopped", ({ reason }) => Effect.succeed(reason)),
        )
        return { stopReason, steps, jobsRun: (yield* workload).claims - atStart }
      })

      /** Who moves time is on record before it moves. */
      const recorded = (from: number, to: number) =>
        Operation.run({
          name: "Clocks.record",
          ids: 1,
          load: () => Effect.void,
          decide: (_loaded, context) => {
            const { platformId } = context.caller
            const target = { id: platformId, platformId, customerId: null }
            const details = { from: iso(from), to: iso(to) }
            return Operation.answer(200, null, auditRecord(context, "SANDBOX_CLOCK_ADVANCE", target, { details }))
          },
        }).pipe(Effect.provideContext(services))

      /** What the one who holds the time does with it. */
      const move = Effect.fnUntraced(function* (mover: string, request: SandboxClockAdvanceRequest) {
        const startedAt = yield* Clock.currentTimeMillis
        const found = targetOf(request, { now: startedAt, wallNow: yield* wall.now })
        if (Result.isFailure(found)) return yield* new ServiceError(invalidInput([found.failure]))
        yield* recorded(startedAt, found.success)
        const { jobsRun, steps, stopReason } = yield* journey(mover, found.success)
        const now = yield* Clock.currentTimeMillis
        const due = (yield* store.jobs).filter(dueBy(now))
        const count = (state: JobView["state"]) => due.filter((job) => job.state === state).length
        return {
          startedAt: iso(startedAt),
          target: iso(found.success),
          now: iso(now),
          isComplete: stopReason === undefined,
          ...(stopReason === undefined ? {} : { stopReason }),
          steps,
          jobsRun,
          jobsLeft: { running: count("running"), waiting: count("waiting"), parked: count("parked") },
        }
      })

      const advance = Effect.fn("Clocks.advance")(function* (request: SandboxClockAdvanceRequest) {
        if (travel === "nobody") return yield* new ServiceError(notMovable)
        if (travel === "alone" && (yield* store.platformCount) > 1) return yield* new ServiceError(severalPlatforms)
        calls += 1
        const mover = `${yield* ownName} ${calls}`
        const wallNow = yield* wall.now
        const hold = (heldUntil: number) =>
          store.moveTime({ mover, aheadMillis: store.aheadMillis(), wallNow, heldUntil })
        if ((yield* hold(wallNow + heldMillis)) === undefined) return yield* new ServiceError(isMoving)
        return yield* Effect.ensuring(move(mover, request), Effect.ignore(hold(0)))
      })

      return Clocks.of({ read: platformOnly(read), advance: (request) => platformOnly(advance(request)) })
    }),
  )
}
