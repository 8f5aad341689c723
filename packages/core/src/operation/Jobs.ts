/**
 * The workers: they claim due jobs, run their handlers as the job's tenant, and return failed jobs.
 * Outside at least once, inside exactly once: a handler's commit contains the job's fence.
 * Source: architecture, "Jobs, external calls and time".
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

/** An expected failure of an attempt: the job is retried, or parked when it has no retries left. */
export class JobFailed extends Data.TaggedError("JobFailed")<{
  /** Contains no secret: it is stored with the job. */
  readonly reason: string
  /** Replaces the job's payload for the next attempt. */
  readonly payload?: Json
}> {}

type Services = Store | WallTime | SecureRandom.SecureRandom | CurrentCaller

/** Runs one claimed job; its last commit must finish the job. */
export type JobHandler = (job: ClaimedJob) => Effect.Effect<void, JobFailed | ServiceError | StoreUnavailable, Services>

/** Returns the change that finishes a claimed job. If another worker has claimed the job since, the commit is a conflict. */
export const finishing = (job: Pick<ClaimedJob, "id" | "attempt">): Changes => ({
  finishes: [{ id: job.id, attempt: job.attempt }],
})

/** Finishes a job that has nothing else to write. */
export const finish = (job: ClaimedJob) =>
  Operation.run({
    name: "Jobs.finish",
    load: () => Effect.void,
    decide: () => Operation.answer(200, null, finishing(job)),
  }).pipe(Effect.asVoid)

/** The maximum number of concurrent jobs in this process, per queue. */
const concurrencyMax = 128
const perPlatformMax = 8
/** Longer than any handler takes (a webhook attempt takes at most 30 seconds). */
const leaseMillisDefault = 120_000
/** A handler times out after this fraction of its lease, so that no other worker runs the job at the same time. */
const leaseUsable = 0.9
const pollMillis = 1000
const finishMillisMax = 10_000

/** Requires a positive integer: with 0 the workers would silently do nothing. */
const positive = (name: string, value: number): Effect.Effect<number> =>
  Number.isSafeInteger(value) && value > 0
    ? Effect.succeed(value)
    : Effect.die(new RangeError(`${name} must be a positive integer, not ${value}`))

export class Jobs extends Context.Service<
  Jobs,
  {
    /** Runs forever. Commits, due times and polling wake it. */
    readonly work: Effect.Effect<never>
    /** Runs all jobs that are due now, and those that become due by running them, until none is left. Returns their number. */
    readonly drain: Effect.Effect<number, StoreUnavailable>
    /** Like `drain`, but at most `jobsMax` jobs; a repeated job counts again. */
    readonly drainUpTo: (jobsMax: number) => Effect.Effect<number, StoreUnavailable>
  }
>()("@countersign/core/Jobs") {
  /** How long a claimed job stays with its worker, even if that process has died. */
  static readonly leaseMillis = Context.Reference<number>("@countersign/core/Jobs/leaseMillis", {
    defaultValue: () => leaseMillisDefault,
  })

  /** The maximum number of concurrent jobs of one platform, per queue, in all processes together. */
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
        const leaseMillis = yield* positive("Jobs.leaseMillis", yield* Jobs.leaseMillis)
        const perPlatform = yield* positive("Jobs.perPlatformMax", yield* Jobs.perPlatformMax)

        const returnJob = Effect.fnUntraced(function* (job: ClaimedJob, reason: string, payload: Json | undefined) {
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
            if (handler === undefined) return yield* returnJob(job, `no handler for ${job.kind}`, undefined)
            const exit = yield* Effect.exit(
              handler(job).pipe(
                Effect.timeoutOrElse({
                  duration: leaseMillis * leaseUsable,
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
            if (failure instanceof JobFailed) return yield* returnJob(job, failure.reason, failure.payload)
            yield* Effect.logError("job failed", { job: job.id, kind: job.kind, attempt: job.attempt }, exit.cause)
            return yield* returnJob(job, "an unexpected failure; see the log", undefined)
          }).pipe(
            // A lost lease or an unavailable store: after the lease expires another worker runs the job.
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
            leaseMillis,
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

            /** Claims as many jobs as it has free slots, and waits if it received fewer. */
            const cycle = Effect.gen(function* () {
              yield* ended.close
              const free = concurrencyMax - running
              if (free === 0) return yield* ended.await
              const jobs = yield* claim(queue, free)
              for (const job of jobs) yield* start(job)
              if (jobs.length < free) yield* wait(queue)
            })

            const cycles = cycle.pipe(
              Effect.catch((error) =>
                Effect.logWarning("the store does not answer the workers", { unknown: error.unknown }).pipe(
                  Effect.andThen(Effect.sleep(pollMillis)),
                ),
              ),
              Effect.forever,
            )
            // On shutdown it claims no more jobs and waits for the running ones. Another process repeats those that take longer.
            return yield* Effect.ensuring(
              cycles,
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
