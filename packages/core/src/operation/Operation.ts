/**
 * The one door for writes: load, decide, commit; again after a conflict; the same answer again for the same key.
 * Source: architecture, "Load, ask, decide, commit"; wire contract 0.4 and 11 (1).
 */
import { Cause, Clock, Effect, Exit, Random } from "effect"
import type { CommitRejection, Decision, DecisionContext } from "../decision/Decision.ts"
import * as Secrets from "../foundation/crypto/Secrets.ts"
import { statusOf } from "../foundation/errors/ErrorCodes.ts"
import { bodyOf, type Refusal, refusalOf, ServiceError } from "../foundation/errors/ServiceError.ts"
import * as IdPool from "../foundation/ids/IdPool.ts"
import * as CanonicalJson from "../foundation/kit/CanonicalJson.ts"
import { traced } from "../foundation/kit/Traced.ts"
import { WallTime } from "../ports/WallTime.ts"
import { type Caller, CurrentCaller } from "../store/Caller.ts"
import type { ChangeSet, CommitFacts, ReplayRecord, StoredAnswer, Template } from "../store/ChangeSet.ts"
import * as Changes from "../store/Changes.ts"
import { fill, withoutPlaceholders } from "../store/Placeholders.ts"
import { type ReadQuery, type ReadResult, Store, StoreUnavailable } from "../store/Store.ts"
import { reachFailPoint } from "./FailPoints.ts"
import * as Metrics from "./Metrics.ts"
import { RequestId } from "./RequestId.ts"

export * from "../decision/Decision.ts"

/** A request under an idempotency key. */
export interface Keyed {
  readonly key: string
  readonly method: string
  readonly path: string
  readonly body: unknown
}

/** An answer as the wire carries it. */
export interface Answered<A = CanonicalJson.Json> {
  readonly status: number
  readonly body: A
  /** Whether this is the stored answer of an earlier request with the same key. */
  readonly replayed: boolean
}

/** Reads in the operation's first trip also look for the key's stored answer. */
export type Read = (query: ReadQuery) => Effect.Effect<ReadResult, StoreUnavailable, CurrentCaller>

export interface OperationOptions<L, A, E, R> {
  readonly name: string
  /** How many identifiers the decision may draw. */
  readonly ids?: number
  readonly keyed?: Keyed | undefined
  readonly load: (read: Read) => Effect.Effect<L, E, R>
  readonly decide: (loaded: L, context: DecisionContext) => Decision<A>
}

const keyLifetimeMillis = 24 * 60 * 60 * 1000
const conflictsMax = 60
const resendsMax = 5

/** Signals within this file that the key has an answer already. */
class KeyUsed {
  readonly _tag = "KeyUsed"
  readonly stored: StoredAnswer
  constructor(stored: StoredAnswer) {
    this.stored = stored
  }
}

const ownerOf = (caller: Caller): string => (caller._tag === "Agent" ? caller.agentId : caller.platformId)

/** Answers that depend on more than the request are not remembered. Source: wire contract 11 (1). */
const isRemembered = (status: number): boolean => status !== 401 && status !== 429 && status < 500

const otherBody: Refusal = {
  code: "CONFLICT",
  message: "This Idempotency-Key was used with another body.",
  details: { reason: "IDEMPOTENCY_KEY_REUSED" },
}

const tooContended: Refusal = {
  code: "SERVICE_UNAVAILABLE",
  message: "The records of this request change too quickly. Try again.",
}

/** Somebody else works this job now: no further decision brings it back. */
export const jobTakenOver: Refusal = {
  code: "CONFLICT",
  message: "The job has been taken over.",
  details: { reason: "JOB_TAKEN_OVER" },
}

/** Waits a little longer with each conflict, by chance, so that contenders part. The first ones try again at once. */
const pause = Effect.fnUntraced(function* (conflicts: number) {
  if (conflicts < 4) return yield* Effect.yieldNow
  const wall = yield* WallTime
  const ceiling = Math.min(2 ** (conflicts - 3), 64)
  yield* wall.sleep(yield* Random.nextBetween(1, ceiling + 1))
})

/** Sends the same change set again while its outcome is unknown: it is recognised by its operation id. */
const commit = Effect.fnUntraced(function* (set: ChangeSet) {
  const store = yield* Store
  for (let sent = 0; ; sent++) {
    const exit = yield* Effect.exit(store.commit(set))
    if (Exit.isSuccess(exit)) return exit.value
    const failure = Cause.squash(exit.cause)
    if (!(failure instanceof StoreUnavailable) || !failure.unknown || sent >= resendsMax) {
      return yield* Effect.failCause(exit.cause)
    }
    yield* pause(sent + 4)
  }
}, Effect.uninterruptible)

/** Runs one operation to its answer; a refusal fails with its code. */
export const run = <L, A, E, R>(options: OperationOptions<L, A, E, R>) =>
  Effect.gen(function* () {
    const store = yield* Store
    const wall = yield* WallTime
    const caller = yield* CurrentCaller
    const requestId = yield* RequestId
    const pool = yield* IdPool.make(options.ids ?? 16)
    const { keyed } = options
    const replayKey =
      keyed && Secrets.hash(CanonicalJson.stringify([ownerOf(caller), keyed.method, keyed.path, keyed.key]))
    const fingerprint = keyed && Secrets.hash(CanonicalJson.stringify(keyed.body ?? {}))

    const read: Read = (query) =>
      replayKey === undefined
        ? store.read(query)
        : store.read({ ...query, replay: replayKey }).pipe(
            // The signal is a defect on its way out of `load`, and is caught below: no load can swallow it.
            Effect.tap(({ replay }) => (replay === undefined ? Effect.void : Effect.die(new KeyUsed(replay)))),
          )

    const replay = (stored: StoredAnswer) =>
      stored.fingerprint === fingerprint
        ? answered<A>(stored.status, stored.answer, stored.facts, true)
        : Effect.fail(new ServiceError(otherBody))

    const rejections: Array<CommitRejection> = []
    for (let conflicts = 0; conflicts <= conflictsMax; conflicts++) {
      if (conflicts > 0) yield* pause(conflicts)
      const loading = yield* Effect.exit(options.load(read))
      if (Exit.isFailure(loading)) {
        const signal = Cause.squash(loading.cause)
        if (signal instanceof KeyUsed) return yield* replay(signal.stored)
        return yield* Effect.failCause(loading.cause)
      }
      yield* reachFailPoint("operation.loaded")
      const now = yield* Clock.currentTimeMillis
      const decision = options.decide(loading.value, {
        now,
        ids: pool.source(),
        caller,
        requestId,
        rejections: [...rejections],
      })
      const status = decision._tag === "Answer" ? decision.status : statusOf(decision.refusal.code)
      const template: Template =
        decision._tag === "Answer"
          ? { body: decision.body as CanonicalJson.Json, placeholders: decision.placeholders ?? [] }
          : withoutPlaceholders({ ...bodyOf(decision.refusal) })
      const remembered: ReplayRecord | undefined =
        replayKey !== undefined && fingerprint !== undefined && isRemembered(status)
          ? { key: replayKey, fingerprint, status, answer: template, expiresAt: (yield* wall.now) + keyLifetimeMillis }
          : undefined
      const changes = decision.changes ?? {}
      if (remembered === undefined && Changes.isEmpty(changes)) {
        return yield* answered<A>(status, template, { balances: {}, counters: {} }, false)
      }
      const set = Changes.toChangeSet(changes, {
        operationId: pool.operationId,
        at: now,
        ...(remembered === undefined ? {} : { replay: remembered }),
      })
      yield* reachFailPoint("operation.decided")
      const outcome = yield* commit(set)
      yield* Metrics.committed(options.name, outcome._tag, changes.transitions ?? [])
      yield* reachFailPoint("operation.committed")
      if (outcome._tag === "Committed") return yield* answered<A>(status, template, outcome.facts, false)
      if (outcome._tag === "Replayed") return yield* replay(outcome.stored)
      if (outcome._tag === "Conflict" && outcome.on.startsWith("job ")) return yield* new ServiceError(jobTakenOver)
      if (outcome._tag === "Taken") rejections.push({ _tag: "Taken", claim: outcome.claim })
      if (outcome._tag === "BoundViolated") rejections.push({ _tag: "Bound", bound: outcome.bound })
    }
    return yield* new ServiceError(tooContended)
  }).pipe(traced(options.name))

/** The answer with its placeholders filled; a refusal, stored or fresh, fails with its code. */
const answered = <A>(status: number, template: Template, facts: CommitFacts, replayed: boolean) => {
  const body = fill(template, facts)
  return status < 400
    ? Effect.succeed<Answered<A>>({ status, body: body as A, replayed })
    : Effect.fail(new ServiceError({ ...refusalOf(body), replayed }))
}
