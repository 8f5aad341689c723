/**
 * The workers: they claim due jobs, run their handlers as the job's tenant, and return failed jobs.
 * Outside at least once, inside exactly once: a handler's commit contains the job's fence.
 * Source: architecture, "Jobs, external calls and time".
 */
import { Cause, Clock, Context, Data, Effect, Exit, FiberSet, Latch, Layer, Random, type Scope } from "effect"
import { SecureRandom } from "effect/crypto"
import { ServiceError } from "../foundation/errors/ServiceError.ts"
import type { Json } from "../foundation/kit/CanonicalJson.ts"
import { WallTime } from "../ports/WallTime.ts"
import { CurrentCaller, tenant } from "../store/Caller.ts"
import { type JobReturn, type Queue, queues } from "../store/ChangeSet.ts"
import { type Changes, combine } from "../store/Changes.ts"
import { isDeferralExhausted, isExhausted, JobKinds, laneRuns, retryDelayMillis } from "../store/JobKinds.ts"
import * as StateGate from "../store/StateGate.ts"
import { type ClaimedJob, type ClaimRequest, Store, StoreUnavailable } from "../store/Store.ts"
import { reachFailPoint } from "./FailPoints.ts"
import { attemptsOf, type Run, runsOf, unattempted } from "./LaneRuns.ts"
import * as Metrics from "./Metrics.ts"
import * as Operation from "./Operation.ts"
import { workerLimits } from "./WorkerLimits.ts"

/** An expected failure of an attempt: the job is retried, or parked when it has no retries left. */
export class JobFailed extends Data.TaggedError("JobFailed")<{
  /** Contains no secret: it is stored with the job. */
  readonly reason: string
  /** Replaces the job's payload for the next attempt. */
  readonly payload?: Json
  /** The job of a run that failed, if its handler has ended or returned all others; absent: the head, and the others are returned. */
  readonly job?: ClaimedJob
}> {}

/** The time of an attempt has not come: the job runs again at `notBefore` (wall ms), and the attempt does not count as failed. */
export class JobDeferred extends Data.TaggedError("JobDeferred")<{
  /** Contains no secret: it is stored with the job. */
  readonly reason: string
  readonly notBefore: number
  /** The job of a run that waits, if its handler has ended or returned all others; absent: the job itself, which has no run. */
  readonly job?: ClaimedJob
}> {}

type Services = Store | WallTime | SecureRandom.SecureRandom | CurrentCaller

/**
 * Runs one claimed job; its last commit must finish the job. `behind`: the jobs of its lane that were claimed with it, for a kind with
 * `laneRunMax`. The handler runs them in order after the job, and finishes or returns each of them.
 */
export type JobHandler = (
  job: ClaimedJob,
  behind?: ReadonlyArray<ClaimedJob>,
) => Effect.Effect<void, JobFailed | JobDeferred | ServiceError | StoreUnavailable, Services>

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

const { finishMillisMax, giveBackMillis, leaseUsable, pollMillis, slots, unavailableWaitMillis } = workerLimits

/** Requires a positive integer: with 0 the workers would silently do nothing. */
const positive = (name: string, value: number): Effect.Effect<number> =>
  Number.isSafeInteger(value) && value > 0
    ? Effect.succeed(value)
    : Effect.die(new RangeError(`${name} must be a positive integer, not ${value}`))

/** Whether a job is run by a worker, which has time, and not for a caller that waits for it (`drain`). */
const IsWorker = Context.Reference<boolean>("@countersign/core/Jobs/IsWorker", { defaultValue: () => false })

export class Jobs extends Context.Service<
  Jobs,
  {
    /** Runs forever. Commits, due times and polling wake it. */
    readonly work: Effect.Effect<never>
    /** Runs all jobs that are due now, and those that become due by running them, until none is left. Returns their number. */
    readonly drain: Effect.Effect<number, StoreUnavailable>
    /** Like `drain`, but at most `jobsMax` jobs; a repeated job counts again. */
    readonly drainUpTo: (jobsMax: number) => Effect.Effect<number, StoreUnavailable>
    /** Calls `onAttempt` for every job that this process begins to run, for any platform, until the scope closes. */
    readonly observe: (onAttempt: (job: ClaimedJob) => void) => Effect.Effect<void, never, Scope.Scope>
  }
>()("@countersign/core/Jobs") {
  /** How long a claimed job stays with its worker if the store cannot notice that its process has died. */
  static readonly leaseMillis = Context.Reference<number>("@countersign/core/Jobs/leaseMillis", {
    defaultValue: () => workerLimits.leaseMillis,
  })

  static readonly layer = (handlers: { readonly [kind: string]: JobHandler }) =>
    Layer.effect(
      Jobs,
      Effect.gen(function* () {
        const store = yield* Store
        const wall = yield* WallTime
        const random = yield* SecureRandom.SecureRandom
        const worker = `worker-${yield* random.uuidV4()}`
        const scope = yield* Effect.scope
        const leaseMillis = yield* positive("Jobs.leaseMillis", yield* Jobs.leaseMillis)

        /** Repeats a change that finds the store unavailable, until the lease of a job that was claimed now would expire. */
        const untilAvailable = Effect.fnUntraced(function* <A, E, R>(
          change: Effect.Effect<A, E | StoreUnavailable, R>,
        ) {
          const until = (yield* wall.now) + leaseMillis
          for (;;) {
            const exit = yield* Effect.exit(change)
            if (Exit.isSuccess(exit)) return exit.value
            const isOver = (yield* wall.now) >= until
            if (isOver || !(Cause.squash(exit.cause) instanceof StoreUnavailable)) {
              return yield* Effect.failCause(exit.cause)
            }
            yield* Effect.sleep(giveBackMillis)
          }
        })

        /** Who waits for a job (`drain`) gets the failure at once, and the job goes on to be given back. */
        const inBackground = <A, R>(change: Effect.Effect<A, ServiceError | StoreUnavailable, R>) =>
          Effect.catchTag(change, "StoreUnavailable", (failure) =>
            Effect.andThen(Effect.forkIn(untilAvailable(change), scope), Effect.fail(failure)),
          )

        const returnJob = Effect.fnUntraced(function* (
          job: ClaimedJob,
          reason: string,
          {
            behind = [],
            notBefore,
            payload,
            waitMillis,
          }: {
            readonly payload?: Json | undefined
            readonly waitMillis?: number
            readonly notBefore?: number
            readonly behind?: ReadonlyArray<ClaimedJob>
          } = {},
        ) {
          const kind = JobKinds.keys.find((name) => name === job.kind)
          const now = yield* wall.now
          const parked =
            kind === undefined ||
            (notBefore === undefined
              ? isExhausted(kind, job.attempt, job.firstClaimedAt, now)
              : isDeferralExhausted(job.firstClaimedAt, now))
          const wait =
            waitMillis ?? (kind === undefined ? 0 : retryDelayMillis(kind, attemptsOf(job), yield* Random.next))
          const back: JobReturn = {
            id: job.id,
            attempt: job.attempt,
            outcome: parked ? "parked" : "retry",
            notBefore: notBefore ?? now + wait,
            error: reason,
            ...(payload === undefined ? {} : { payload }),
          }
          if (parked)
            yield* Effect.logError("job parked", { job: job.id, kind: job.kind, attempt: job.attempt, reason })
          const giveBack = Operation.run({
            name: "Jobs.giveBack",
            load: () => Effect.void,
            decide: () => Operation.answer(200, null, combine({ returns: [back] }, unattempted(behind, now))),
          })
          yield* (yield* IsWorker) ? untilAvailable(giveBack) : inBackground(giveBack)
          yield* reachFailPoint("jobs.given-back")
          yield* Metrics.attempted(job.kind, back.outcome)
        })

        const observers = new Set<(job: ClaimedJob) => void>()
        const observe = (onAttempt: (job: ClaimedJob) => void) =>
          Effect.asVoid(
            Effect.acquireRelease(
              Effect.sync(() => observers.add(onAttempt)),
              () => Effect.sync(() => observers.delete(onAttempt)),
            ),
          )

        const run = ({ behind, job }: Run) =>
          Effect.gen(function* () {
            yield* reachFailPoint("jobs.claimed")
            for (const each of [job, ...behind]) {
              for (const onAttempt of observers) onAttempt(each)
              yield* Metrics.started(each)
            }
            const handler = handlers[job.kind]
            if (handler === undefined) return yield* returnJob(job, `no handler for ${job.kind}`, { behind })
            const exit = yield* Effect.exit(
              handler(job, behind).pipe(
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
            if (failure instanceof JobDeferred) {
              return yield* returnJob(failure.job ?? job, failure.reason, { notBefore: failure.notBefore })
            }
            if (failure instanceof JobFailed) {
              const left = failure.job === undefined ? behind : []
              return yield* returnJob(failure.job ?? job, failure.reason, { payload: failure.payload, behind: left })
            }
            if (failure instanceof StoreUnavailable) {
              return yield* returnJob(job, "the store was unavailable", { waitMillis: unavailableWaitMillis, behind })
            }
            yield* Effect.logError("job failed", { job: job.id, kind: job.kind, attempt: job.attempt }, exit.cause)
            return yield* returnJob(job, "an unexpected failure; see the log", { behind })
          }).pipe(
            // A lost lease or an unavailable store: after the lease expires another worker runs the job.
            Effect.catch((error) => Effect.logWarning("job not given back", { job: job.id, cause: error._tag })),
            Effect.provideService(CurrentCaller, tenant(job.platformId)),
            Effect.provideService(Store, store),
            Effect.provideService(WallTime, wall),
            Effect.provideService(SecureRandom.SecureRandom, random),
            Effect.withSpan(`job ${job.kind}`, { attributes: { job: job.id, attempt: job.attempt } }),
          )

        const claim = Effect.fnUntraced(function* (
          queue: Queue,
          limit: number,
          { leavesReserve, runs }: Pick<ClaimRequest, "leavesReserve" | "runs">,
        ) {
          const businessNow = yield* Clock.currentTimeMillis
          const wallNow = yield* wall.now
          const claimed = yield* store.claim({
            queue,
            worker,
            businessNow,
            wallNow,
            limit,
            leavesReserve,
            leaseMillis,
            ...(runs === undefined ? {} : { runs }),
          })
          return runsOf(claimed)
        })

        /** Waits until the next job is due, without changes that make one due before. */
        const waitUntilDue = Effect.gen(function* () {
          const now = yield* Clock.currentTimeMillis
          const due = yield* store.nextDue(now)
          const millis = Math.max(1, Math.min(pollMillis, (due ?? Number.POSITIVE_INFINITY) - now))
          yield* Effect.sleep(millis)
        })

        /** In a busy process work has come by now, and the store is not asked when the next job is due. */
        const wait = (queue: Queue) =>
          Effect.raceFirst(store.awaitWork(queue), Effect.andThen(Effect.yieldNow, waitUntilDue))

        const workQueue = (queue: Queue) =>
          Effect.gen(function* () {
            const fibers = yield* FiberSet.make<void>()
            const ended = yield* Latch.make()
            let running = 0

            const start = (begun: Run, generation: number | undefined) => {
              running += 1
              const end = Effect.suspend(() => {
                running -= 1
                return ended.open
              })
              const asWorker = run(begun).pipe(
                Effect.provideService(IsWorker, true),
                Effect.provideService(StateGate.CallGeneration, generation),
              )
              return FiberSet.run(fibers, Effect.ensuring(asWorker, end))
            }

            /** Claims as many jobs as it has free slots, and waits if it received fewer. */
            const cycle = Effect.gen(function* () {
              yield* ended.close
              const free = slots - running
              if (free === 0) return yield* ended.await
              const jobs = yield* StateGate.inPresentGeneration(
                Effect.gen(function* () {
                  const claimed = yield* claim(queue, free, { leavesReserve: true, runs: laneRuns })
                  const generation = yield* StateGate.CallGeneration
                  for (const begun of claimed) yield* start(begun, generation)
                  return claimed
                }),
              )
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
              const free = Math.min(slots, jobsMax - total)
              // A bounded number of jobs is claimed one by one.
              const runs = jobsMax === Number.POSITIVE_INFINITY ? { runs: laneRuns } : {}
              const claimed = free === 0 ? [] : yield* claim(queue, free, { leavesReserve: false, ...runs })
              yield* Effect.forEach(claimed, run, { concurrency: "unbounded", discard: true })
              total += claimed.reduce((sum, { behind }) => sum + 1 + behind.length, 0)
            }
            if (total === before) return total
          }
        })

        const work = Effect.andThen(
          store.attend,
          Effect.forEach(queues, workQueue, { concurrency: "unbounded", discard: true }),
        ).pipe(Effect.andThen(Effect.never))
        return Jobs.of({ work, drain: drainUpTo(Number.POSITIVE_INFINITY), drainUpTo, observe })
      }),
    )
}
