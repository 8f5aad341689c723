/**
 * The write path: load, ask, decide, commit. It repeats the steps after a conflict and replays the answer of a known key.
 * Source: architecture, "Load, ask, decide, commit"; wire contract 0.4 and 11 (1).
 */
import { Clock, Effect } from "effect"
import { type CommitRejection, type Decision, type DecisionContext, exceededVolume } from "../decision/Decision.ts"
import { statusOf } from "../foundation/errors/ErrorCodes.ts"
import { bodyOf, type Refusal, ServiceError } from "../foundation/errors/ServiceError.ts"
import * as IdPool from "../foundation/ids/IdPool.ts"
import type { Json } from "../foundation/kit/CanonicalJson.ts"
import { traced } from "../foundation/kit/Traced.ts"
import { chargesOfSend, type SendLimits } from "../model/limit/CodeSend.ts"
import { volumeRefusal } from "../model/limit/DailyVolume.ts"
import { limitOfKey, limitRefusal } from "../model/limit/LimitCounter.ts"
import { WallTime } from "../ports/WallTime.ts"
import { DailyVolume } from "../settings/DailyVolume.ts"
import { UseLimitSettings } from "../settings/UseLimitSettings.ts"
import { CurrentCaller } from "../store/Caller.ts"
import type { ChangeSet, CommitFacts, CommitOutcome, CounterChange, Template } from "../store/ChangeSet.ts"
import * as Changes from "../store/Changes.ts"
import { withoutPlaceholders } from "../store/Placeholders.ts"
import { type ReadQuery, type ReadResult, Store, type StoreUnavailable } from "../store/Store.ts"
import { AskedAnswers } from "./AskedAnswers.ts"
import { commit, pause } from "./Commit.ts"
import * as DeferredSignIn from "./DeferredSignIn.ts"
import { reachFailPoint } from "./FailPoints.ts"
import * as Idempotency from "./Idempotency.ts"
import * as Metrics from "./Metrics.ts"
import * as OperationOwner from "./OperationOwner.ts"
import { RequestId } from "./RequestId.ts"
import { decideTraced, RequestTrace, traceCommit } from "./RequestTrace.ts"

export * from "../decision/Decision.ts"
export type { Answered, Keyed } from "./Idempotency.ts"

/** Why the read of an operation fails, while the store is available. */
export type ReadFailure = Idempotency.AlreadyAnswered | ServiceError

/**
 * Reads in one trip. In an operation with an idempotency key it fails with `AlreadyAnswered` once the key has an answer, and the first
 * read of a request fails if its caller is refused. A load that is also used outside of an operation is generic in `E`: there it takes
 * `Store.read`, which never has these failures, or `DeferredSignIn.reads`.
 */
export type Read<E = ReadFailure> = (query: ReadQuery) => Effect.Effect<ReadResult, StoreUnavailable | E, CurrentCaller>

export interface OperationOptions<L, F, A, E, R, E2, R2> {
  readonly name: string
  /** The maximum number of identifiers that the decision uses. */
  readonly ids?: number
  readonly keyed?: Idempotency.Keyed | undefined
  /** The customer or platform whose records it makes; absent: see `OperationOwner`. */
  readonly owner?: string | undefined
  /** Reads records, and nothing else. */
  readonly load: (read: Read) => Effect.Effect<L, E, R>
  /** Asks read-only ports about what was loaded; `decide` receives the facts beside the loaded data. */
  readonly ask?: (loaded: L, read: Read) => Effect.Effect<F, E2, R2>
  /** Pure: no Effect, clock, randomness or I/O. */
  readonly decide: (loaded: NoInfer<L & F>, context: DecisionContext) => Decision<A>
}

const conflictsMax = 60

const tooContended: Refusal = {
  code: "SERVICE_UNAVAILABLE",
  message: "The records of this request change too quickly. Try again.",
}

/** Another worker has claimed this job, so that repeating the decision cannot succeed. */
const jobTakenOver: Refusal = {
  code: "CONFLICT",
  message: "The job has been taken over.",
  details: { reason: "JOB_TAKEN_OVER" },
}

/** Returns the changes with what the codes that they send count towards, or the refusal of a number that gets none. */
const withSendCharges = (changes: Changes.Changes, limits: SendLimits, now: number): Changes.Changes | Refusal => {
  const counters: Array<CounterChange> = []
  for (const send of changes.codeSends ?? []) {
    const charges = chargesOfSend(send, limits, now)
    if ("code" in charges) return charges
    counters.push(...charges)
  }
  return counters.length === 0 ? changes : Changes.combine(changes, { counters })
}

/**
 * Returns the refusal of a change set that would pass a limit of use, or again the volume of a day; `undefined` for another outcome. The
 * volume is a fact for the next decision first, because an agent's action that cannot be executed ends in an answer.
 */
const exceededLimit = (
  outcome: CommitOutcome,
  { counters }: ChangeSet,
  { now, rejections }: Pick<DecisionContext, "now" | "rejections">,
): Refusal | undefined => {
  if (outcome._tag !== "BoundViolated" || outcome.bound._tag !== "Counter") return undefined
  const { key } = outcome.bound
  const isRepeated = exceededVolume({ now, rejections }) !== undefined
  const volume = isRepeated ? volumeRefusal(key, now) : undefined
  if (volume !== undefined) return volume
  const limit = limitOfKey(key)
  const count = counters.find((change) => change.key === key)?.max
  return limit && limitRefusal(limit.name, { ...limit, count: count ?? 0, now })
}

const noFacts: CommitFacts = { balances: {}, counters: {} }

const withFacts = <L, F>(loaded: L, facts: F | undefined): L & F =>
  (facts === undefined ? loaded : { ...loaded, ...facts }) as L & F

/** The status and body of a decision. */
const answerOf = <A>(decision: Decision<A>): { readonly status: number; readonly template: Template } =>
  decision._tag === "Answer"
    ? {
        status: decision.status,
        template: { body: decision.body as Json, placeholders: decision.placeholders ?? [] },
      }
    : { status: statusOf(decision.refusal.code), template: withoutPlaceholders({ ...bodyOf(decision.refusal) }) }

/** Returns the rejection that the next decision receives; a conflict has none. */
const rejectionOf = (outcome: CommitOutcome): ReadonlyArray<CommitRejection> => {
  if (outcome._tag === "Taken") return [{ _tag: "Taken", claim: outcome.claim }]
  if (outcome._tag === "BoundViolated") return [{ _tag: "Bound", bound: outcome.bound }]
  return []
}

/** Runs one operation to its answer; a refusal fails with its code. */
export const run = <A, E, R, L = never, F = unknown, E2 = never, R2 = never>(
  options: OperationOptions<L, F, A, E, R, E2, R2>,
) =>
  Effect.gen(function* () {
    const store = yield* Store
    const wall = yield* WallTime
    const caller = yield* CurrentCaller
    const requestId = yield* RequestId
    const trace = yield* RequestTrace
    const limits = yield* UseLimitSettings
    const volume = yield* DailyVolume
    const volumeLimits = volume?.platforms?.[caller.platformId] ?? volume
    const pool = yield* IdPool.make(options.ids ?? 16)
    const replayKey = options.keyed && Idempotency.replayKeyOf(caller, options.keyed)
    const owner = OperationOwner.make(caller, options.owner)
    const read: Read = owner.watching(Idempotency.lookingUp(DeferredSignIn.reads(store), replayKey))
    /** Loads again if a read learned that another process has advanced business time, by which the load chooses counters. */
    const load = Effect.suspend(() => {
      const ahead = store.aheadMillis()
      return Effect.flatMap(options.load(read), (loaded) =>
        store.aheadMillis() === ahead ? Effect.succeed(loaded) : options.load(read),
      )
    })

    const replayRecord = Effect.fnUntraced(function* (decision: Decision<A>, status: number, answer: Template) {
      const isInterim = decision._tag === "Answer" && decision.isInterim === true
      if (replayKey === undefined || isInterim || !Idempotency.isStored(status)) return undefined
      return { ...replayKey, status, answer, expiresAt: Idempotency.expiryAt(yield* wall.now, options.keyed) }
    })

    const attempts = Effect.gen(function* () {
      const rejections: Array<CommitRejection> = []
      const asked = new Map<string, unknown>()
      for (let conflicts = 0; conflicts <= conflictsMax; conflicts++) {
        if (conflicts > 0) yield* pause(conflicts)

        const loaded = yield* load
        // A load that reads nothing has confirmed no caller.
        yield* DeferredSignIn.confirmCurrent(store)
        const facts =
          options.ask === undefined
            ? undefined
            : yield* Effect.provideService(options.ask(loaded, read), AskedAnswers, asked)
        yield* reachFailPoint("operation.loaded")

        const now = yield* Clock.currentTimeMillis
        const context = {
          now,
          ids: pool.source({ owner: owner.id(), platformId: caller.platformId }),
          caller,
          requestId,
          volumeLimits,
          rejections: [...rejections],
        }
        const decision = decideTraced(trace, options.name, rejections, () =>
          options.decide(withFacts(loaded, facts), context),
        )
        const { status, template } = answerOf(decision)
        const changes = withSendCharges(decision.changes ?? {}, limits, now)
        if ("code" in changes) return yield* new ServiceError(changes)
        const replay = yield* replayRecord(decision, status, template)
        if (replay === undefined && Changes.isEmpty(changes)) {
          return yield* Idempotency.answered<A>(status, template, noFacts, false)
        }

        const envelope = { operationId: pool.operationId, at: now, ...(replay === undefined ? {} : { replay }) }
        const set = Changes.toChangeSet(changes, envelope)
        yield* reachFailPoint("operation.decided")
        const outcome = yield* commit(set)
        yield* Metrics.committed(options.name, outcome._tag, changes.transitions ?? [])
        yield* reachFailPoint("operation.committed")
        if (outcome._tag === "Committed") {
          traceCommit(trace, options.name, caller, set)
          return yield* Idempotency.answered<A>(status, template, outcome.facts, false)
        }
        if (outcome._tag === "Replayed") return yield* new Idempotency.AlreadyAnswered({ stored: outcome.stored })
        if (outcome._tag === "Conflict" && outcome.on.startsWith("job ")) return yield* new ServiceError(jobTakenOver)
        const exceeded = exceededLimit(outcome, set, context)
        if (exceeded !== undefined) return yield* new ServiceError(exceeded)
        rejections.push(...rejectionOf(outcome))
      }
      return yield* new ServiceError(tooContended)
    })

    return yield* Effect.catchIf(attempts, Idempotency.isAlreadyAnswered, ({ stored }) =>
      Idempotency.replay<A>(stored, replayKey),
    )
  }).pipe(traced(options.name))
