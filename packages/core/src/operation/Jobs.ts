/**
 * The workers: they claim due jobs, run their handlers as the job's tenant, and give back what failed.
 * At least once outside, exactly once inside: a handler's commit carries the job's fence.
 * Source: architecture, "Jobs, outside calls and time".
 */
import { Cause, Clock, Context, Data, Effect, Exit, FiberSet, Latch, Layer, Random } from "effect"
import { SecureRandom } from "effect/crypto"
import { ServiceError } from "../foundation/errors/ServiceError.ts"
import type { Json } from "../foundation/kit/CanonicalJson.ts"
import { WallTime } from "../ports/WallTime.ts"
import { CurrentCaller, tenant } from "../store/Caller.ts"
import { type JobReturn, type Queue, queues } from "../store/ChangeSet.ts"
import type { Changes } from "../store/Changes.ts"
import { isExhausted, JobKinds, retryDelayMillis } from "../store/JobKinds.ts"
import { type ClaimedJob, Store, type StoreUnavailable } from "../store/Store.ts"
import { reachFailPoint } from "./FailPoints.ts"
import * as Metrics from "./Metrics.ts"
import * as Operation from "./Operation.ts"

/** An expected failure of an attempt: it is tried again, or parked when it has had its chances. */
export class JobFailed extends Data.TaggedError("JobFailed")<{
  /** Names no secret: it is kept with the job. */
  readonly reason: string
  /** Replaces the job's payload for the next attempt. */
  readonly payload?: Json
}> {}

type Services = Store | WallTime | SecureRandom.SecureRandom | CurrentCaller

/** Works one claimed job; it must finish the job in its last commit. */
export type JobHandler = (job: ClaimedJob) => Effect.Effect<void, JobFailed | ServiceError | StoreUnavailable, Services>

/** The part of a change that finishes a claimed job; a job that was claimed anew meanwhile is a conflict. */
export const finishing = (job: Pick<ClaimedJob, "id" | "attempt">): Changes => ({
  finishes: [{ id: job.id, attempt: job.attempt }],
})

/** Finishes a job that leaves nothing else to write. */
export const finish = (job: ClaimedJob) =>
  Operation.run({
    name: "Jobs.finish",
    load: () => Effect.void,
    decide: () => Operation.answer(200, null, finishing(job)),
  }).pipe(Effect.asVoid)

/** At the most so many jobs run at once in this process, per queue. */
const concurrencyMax = 128
const perPlatformMax = 8
/** Longer than any handler may take (a webhook attempt takes 30 seconds at the most). */
const leaseMillis = 120_000
/** A handler that has not ended in this part of its lease is given up, so that nobody works beside it. */
const leaseUsable = 0.9
const pollMillis = 1000
const finishMillisMax = 10_000

/** With none at all, the workers would stand still and say nothing. */
const positive = (name: string, value: number): Effect.Effect<number> =>
  Number.isSafeInteger(value) && value > 0
    ? Effect.succeed(value)
    : Effect.die(new RangeError(`${name} is ${value}, and has to be a whole number from 1`))

export class Jobs extends Context.Service<
  Jobs,
  {
    /** Works for ever, woken by commits, by due times, and by polling. */
    readonly work: Effect.Effect<never>
    /** Works all that is due now, and what that makes due now, until nothing is left; answers how many jobs it ran. */
    readonly drain: Effect.Effect<number, StoreUnavailable>
    /** The same, up to so many jobs; a job that is worked again counts again. */
    readonly drainUpTo: (jobsMax: number) => Effect.Effect<number, StoreUnavailable>
  }
>()("@countersign/core/Jobs") {
  /** How long a claimed job stays with its worker, which may be gone. */
  static readonly leaseMillis = Context.Reference<number>("@countersign/core/Jobs/leaseMillis", {
    defaultValue: () => leaseMillis,
  })

  /** How many jobs of one platform may run at once, per queue: in all processes together, each of which may claim up to its own bound. */
  static readonly perPlatformMax = Context.Reference<number>("@countersign/core/Jobs/perPlatformMax", {
    defaultValue: () => perPlatformMax,
  })

  static readonly layer = (handlers: { readonly [kind: string]: JobHandler }) =>
    Layer.effect(
      Jobs,
      Effect.gen(function* () {
        const store = yield* Store
        const wall = yield* WallTime
        const random = yield* SecureRandom.SecureRandom
        const worker = `worker-${yield* random.uuidV4()}`
        const heldMillis = yield* positive("Jobs.leaseMillis", yield* Jobs.leaseMillis)
        const perPlatform = yield* positive("Jobs.perPlatformMax", yield* Jobs.perPlatformMax)

        const giveBack = Effect.fnUntraced(function* (job: ClaimedJob, reason: string, payload: Json | undefined) {
          const kind = JobKinds.keys.find((name) => name === job.kind)
          const now = yield* wall.now
          const parked = kind === undefined || isExhausted(kind, job.attempt, job.firstClaimedAt, now)
          const wait = kind === undefined ? 0 : retryDelayMillis(kind, job.attempt, yield* Random.next)
          const back: JobReturn = {
            id: job.id,
            attempt: job.attempt,
            outcome: parked ? "parked" : "retry",
            notBefore: now + wait,
            error: reason,
            ...(payload === undefined ? {} : { payload }),
          }
          if (parked)
            yield* Effect.logError("job parked", { job: job.id, kind: job.kind, attempt: job.attempt, reason })
          yield* Operation.run({
            name: "Jobs.giveBack",
            load: () => Effect.void,
            decide: () => Operation.answer(200, null, { returns: [back] }),
          })
          yield* reachFailPoint("jobs.given-back")
          yield* Metrics.attempted(job.kind, back.outcome)
        })

        const run = (job: ClaimedJob) =>
          Effect.gen(function* () {
            yield* reachFailPoint("jobs.claimed")
            yield* Metrics.started(job)
            const handler = handlers[job.kind]
            if (handler === undefined) return yield* giveBack(job, `no handler for ${job.kind}`, undefined)
            const exit = yield* Effect.exit(
              handler(job).pipe(
                Effect.timeoutOrElse({
                  duration: heldMillis * leaseUsable,
                  orElse: () => Effect.fail(new JobFailed({ reason: "the lease came to its end" })),
                }),
              ),
            )
            yield* reachFailPoint("jobs.handled")
            if (Exit.isSuccess(exit)) return yield* Metrics.attempted(job.kind, "done")
            if (Cause.hasInterruptsOnly(exit.cause)) return yield* Effect.failCause(exit.cause)
            const failure = Cause.squash(exit.cause)
            if (failure instanceof ServiceError && failure.details?.["reason"] === "JOB_TAKEN_OVER") {
              return yield* Metrics.attempted(job.kind, "lost")
            }
            if (failure instanceof JobFailed) return yield* giveBack(job, failure.reason, failure.payload)
            yield* Effect.logError("job failed", { job: job.id, kind: job.kind, attempt: job.attempt }, exit.cause)
            return yield* giveBack(job, "an unexpected failure; see the log", undefined)
          }).pipe(
            // A lost lease or an unreachable store: the lease runs out and somebody works the job again.
            Effect.catch((error) => Effect.logWarning("job not given back", { job: job.id, cause: error._tag })),
            Effect.provideService(CurrentCaller, tenant(job.platformId)),
            Effect.provideService(Store, store),
            Effect.provideService(WallTime, wall),
            Effect.provideService(SecureRandom.SecureRandom, random),
            Effect.withSpan(`job ${job.kind}`, { attributes: { job: job.id, attempt: job.attempt } }),
          )

        const claim = Effect.fnUntraced(function* (queue: Queue, limit: number) {
          const businessNow = yield* Clock.currentTimeMillis
          const wallNow = yield* wall.now
          return yield* store.claim({
            queue,
            worker,
            businessNow,
            wallNow,
            limit,
            perPlatform,
            leaseMillis: heldMillis,
          })
        })

        const wait = Effect.fnUntraced(function* (queue: Queue) {
          const now = yield* Clock.currentTimeMillis
          const due = yield* store.nextDue(now)
          const millis = Math.max(1, Math.min(pollMillis, (due ?? Number.POSITIVE_INFINITY) - now))
          yield* store.awaitWork(queue).pipe(Effect.timeoutOrElse({ duration: millis, orElse: () => Effect.void }))
        })

        const workQueue = (queue: Queue) =>
          Effect.gen(function* () {
            const fibers = yield* FiberSet.make<void>()
            const ended = yield* Latch.make()
            let running = 0

            const start = (job: ClaimedJob) => {
              running += 1
              const end = Effect.suspend(() => {
                running -= 1
                return ended.open
              })
              return FiberSet.run(fibers, Effect.ensuring(run(job), end))
            }

            /** Claims for all free places, and waits when that was all there is. */
            const turn = Effect.gen(function* () {
              yield* ended.close
              const free = concurrencyMax - running
              if (free === 0) return yield* ended.await
              const jobs = yield* claim(queue, free)
              for (const job of jobs) yield* start(job)
              if (jobs.length < free) yield* wait(queue)
            })

            const turns = turn.pipe(
              Effect.catch((error) =>
                Effect.logWarning("the store does not answer the workers", { unknown: error.unknown }).pipe(
                  Effect.andThen(Effect.sleep(pollMillis)),
                ),
              ),
              Effect.forever,
            )
            // Told to stop, it claims no more and lets what runs finish; what takes longer is worked again by another.
            return yield* Effect.ensuring(
              turns,
              FiberSet.awaitEmpty(fibers).pipe(Effect.timeoutOption(finishMillisMax), Effect.ignore),
            )
          }).pipe(Effect.scoped)

        const drainUpTo = Effect.fnUntraced(function* (jobsMax: number) {
          let total = 0
          for (;;) {
            const before = total
            for (const queue of queues) {
              const free = Math.min(concurrencyMax, jobsMax - total)
              const jobs = free === 0 ? [] : yield* claim(queue, free)
              yield* Effect.forEach(jobs, run, { concurrency: "unbounded", discard: true })
              total += jobs.length
            }
            if (total === before) return total
          }
        })

        const work = Effect.forEach(queues, workQueue, { concurrency: "unbounded", discard: true }).pipe(
          Effect.andThen(Effect.never),
        )
        return Jobs.of({ work, drain: drainUpTo(Number.POSITIVE_INFINITY), drainUpTo })
      }),
    )
}
