/**
 * Idempotency keys: what a key stores, and the stored answer of a key that was used before.
 * Source: wire contract 0.4 and 11 (1).
 */
import { Data, Effect } from "effect"
import * as Secrets from "../foundation/crypto/Secrets.ts"
import { type Refusal, refusalOf, ServiceError } from "../foundation/errors/ServiceError.ts"
import * as CanonicalJson from "../foundation/kit/CanonicalJson.ts"
import type { Caller } from "../store/Caller.ts"
import type { CommitFacts, StoredAnswer, Template } from "../store/ChangeSet.ts"
import { fill } from "../store/Placeholders.ts"
import type { ReadQuery, ReadResult, StoreUnavailable } from "../store/Store.ts"

/** A request under an idempotency key. */
export interface Keyed {
  readonly key: string
  readonly method: string
  readonly path: string
  readonly body: unknown
  /** How long the answer is stored (wall ms); absent: 24 hours. */
  readonly keptMillis?: number
}

/** An answer as the wire carries it. */
export interface Answered<A = CanonicalJson.Json> {
  readonly status: number
  readonly body: A
  /** Whether this is the stored answer of an earlier request with the same key. */
  readonly replayed: boolean
}

/** The idempotency key has a stored answer. `Operation.run` catches this failure and returns the answer; a load lets it pass. */
export class AlreadyAnswered extends Data.TaggedError("AlreadyAnswered")<{ readonly stored: StoredAnswer }> {}

export const isAlreadyAnswered = (error: unknown): error is AlreadyAnswered => error instanceof AlreadyAnswered

/** `key` is the hash of caller, method, path and key; `fingerprint` is the hash of the body. */
export interface ReplayKey {
  readonly key: string
  readonly fingerprint: string
}

const lifetimeMillis = 24 * 60 * 60 * 1000

const ownerOf = (caller: Caller): string => (caller._tag === "Agent" ? caller.agentId : caller.platformId)

export const replayKeyOf = (caller: Caller, { body, key, method, path }: Keyed): ReplayKey => ({
  key: Secrets.hash(CanonicalJson.stringify([ownerOf(caller), method, path, key])),
  fingerprint: Secrets.hash(CanonicalJson.stringify(body ?? {})),
})

/** Answers that depend on more than the request are not stored. Source: wire contract 11 (1). */
export const isStored = (status: number): boolean => status !== 401 && status !== 429 && status < 500

/** Wall time (ms) until which an answer of `now` is stored. */
export const expiryAt = (now: number, keyed: Pick<Keyed, "keptMillis"> = {}): number =>
  now + (keyed.keptMillis ?? lifetimeMillis)

type StoreRead<E, R> = (query: ReadQuery) => Effect.Effect<ReadResult, StoreUnavailable | E, R>

/** A read that also looks for the key's stored answer, in the same trip, and fails with the answer that it finds. */
export const lookingUp =
  <E, R>(read: StoreRead<E, R>, replayKey: ReplayKey | undefined) =>
  (query: ReadQuery): Effect.Effect<ReadResult, StoreUnavailable | AlreadyAnswered | E, R> =>
    replayKey === undefined
      ? read(query)
      : Effect.tap(read({ ...query, replay: replayKey.key }), ({ replay }) =>
          replay === undefined ? Effect.void : Effect.fail(new AlreadyAnswered({ stored: replay })),
        )

export const otherBody: Refusal = {
  code: "CONFLICT",
  message: "This Idempotency-Key was used with another body.",
  details: { reason: "IDEMPOTENCY_KEY_REUSED" },
}

/** Returns the answer with its placeholders filled; a refusal, stored or fresh, fails with its code. */
export const answered = <A>(status: number, template: Template, facts: CommitFacts, replayed: boolean) => {
  const body = fill(template, facts)
  return status < 400
    ? Effect.succeed<Answered<A>>({ status, body: body as A, replayed })
    : Effect.fail(new ServiceError({ ...refusalOf(body), replayed }))
}

/** Returns the stored answer; a request with another body than the first fails with `CONFLICT`. */
export const replay = <A>({ answer, facts, fingerprint, status }: StoredAnswer, replayKey: ReplayKey | undefined) =>
  fingerprint === replayKey?.fingerprint
    ? answered<A>(status, answer, facts, true)
    : Effect.fail(new ServiceError(otherBody))
