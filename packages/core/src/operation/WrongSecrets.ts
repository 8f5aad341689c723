/**
 * Throttles wrong secrets by subject and source. Each process counts them in a bounded map and adds its counts up with those of the others
 * once a second, in one commit. What passes a limit is logged and audited once per window.
 * Source: D-337.
 */
import { Clock, Context, Effect, Layer, Queue } from "effect"
import type { SecureRandom } from "effect/crypto"
import { auditRecord } from "../decision/audit/Audit.ts"
import { answer } from "../decision/Decision.ts"
import * as Secrets from "../foundation/crypto/Secrets.ts"
import { ServiceError } from "../foundation/errors/ServiceError.ts"
import * as IdPool from "../foundation/ids/IdPool.ts"
import * as BoundedWindows from "../foundation/kit/BoundedWindows.ts"
import { endOfWindow, limitKey, limitRefusal } from "../model/limit/LimitCounter.ts"
import { countOf, type UseLimitName } from "../model/limit/UseLimits.ts"
import type { Owner } from "../model/record/Record.ts"
import { WallTime } from "../ports/WallTime.ts"
import { UseLimitSettings } from "../settings/UseLimitSettings.ts"
import { CurrentCaller, tenant } from "../store/Caller.ts"
import * as Changes from "../store/Changes.ts"
import type { Store } from "../store/Store.ts"
import { commit } from "./Commit.ts"
import * as Metrics from "./Metrics.ts"
import * as Operation from "./Operation.ts"

type SecretLimit = Extract<
  UseLimitName,
  "WRONG_CLIENT_SECRETS" | "WRONG_DEVICE_CODES" | "WRONG_INVITATION_CODES" | "WRONG_CREDENTIALS"
>

/** An attempt to use a secret. */
export interface SecretAttempt {
  /** The limit of its kind of secret. */
  readonly limit: SecretLimit
  /** The client id; absent: the secret alone identifies its owner. */
  readonly subject?: string
  /** The network, or the platform, that it comes from; absent: the embedding program does not say. */
  readonly source?: string | undefined
}

/** The credential that a wrong secret was meant for. */
interface Target extends Owner {
  readonly id: string
}

/** More than a window's attackers usually are; an entry has about 200 bytes. */
const keysMax = 20_000
/** The most counters of one commit. */
const keysPerCommit = 200
const sharedEveryMillis = 1000
/** A key is watched once a fourth of its limit is used. */
const watchedPart = 4

/** Counters of sources belong to no platform: they are kept under an id that no platform has. */
const nobody = tenant("Service:limits")

interface Counted {
  readonly limit: SecretLimit
  readonly key: string
}

/** The report of a limit that was passed: `due` until it was made, once per window. */
interface Report {
  readonly make: Effect.Effect<void>
  isDue: boolean
}

/** What this process has counted since it last shared a key. */
interface Unshared {
  readonly count: number
  readonly endsAt: number
  readonly limit: SecretLimit
}

/** Keys contain a hash, because sources are personal data and client ids of attackers can be long. */
const countedOf = (attempt: SecretAttempt, now: number): ReadonlyArray<Counted> => {
  const { limit, source = "", subject = "" } = attempt
  const keyOf = (name: SecretLimit, text: string): Counted => ({
    limit: name,
    key: limitKey(name, Secrets.hash(text).slice(0, 32), now),
  })
  const own = keyOf(limit, `${subject}\u0000${source}`)
  return limit === "WRONG_CREDENTIALS" || attempt.source === undefined
    ? [own]
    : [own, keyOf("WRONG_CREDENTIALS", `\u0000${source}`)]
}

/**
 * Whether attempts beyond the limit are refused. Without a source that would refuse the right holder as well; only device codes, which are
 * short, then count as of one source.
 */
const isThrottled = ({ limit, source }: SecretAttempt): boolean =>
  source !== undefined || limit === "WRONG_DEVICE_CODES"

export class WrongSecrets extends Context.Service<
  WrongSecrets,
  {
    /** Fails with `RATE_LIMITED` if too many secrets of this subject and source, or of this source, were wrong. */
    readonly admit: (attempt: SecretAttempt) => Effect.Effect<void, ServiceError>
    /** Counts a wrong secret. Fails with `RATE_LIMITED` if there were too many before. */
    readonly count: (attempt: SecretAttempt, target?: Target) => Effect.Effect<void, ServiceError>
  }
>()("@countersign/core/WrongSecrets") {
  static readonly layer = Layer.effect(
    WrongSecrets,
    Effect.gen(function* () {
      const { counts } = yield* UseLimitSettings
      const wall = yield* WallTime
      const services = yield* Effect.context<Store | WallTime | SecureRandom.SecureRandom>()
      const windows = BoundedWindows.make<Report>(keysMax)
      const unshared = new Map<string, Unshared>()
      let sharedAt = 0
      const wakeUp = yield* Queue.sliding<void>(1)

      const exceeded = (attempt: SecretAttempt, now: number) => {
        for (const { key, limit } of countedOf(attempt, now)) {
          const found = windows.find(key, now)
          const max = countOf(limit, counts) ?? 0
          if (found !== undefined && found.count >= max) {
            return new ServiceError(limitRefusal(limit, { availableAt: found.endsAt, count: max, now }))
          }
        }
        return undefined
      }

      const admit = Effect.fnUntraced(function* (attempt: SecretAttempt) {
        if (windows.size() === 0 || !isThrottled(attempt)) return
        const refusal = exceeded(attempt, yield* Clock.currentTimeMillis)
        if (refusal !== undefined) return yield* refusal
      })

      const reportOnce = (limit: SecretLimit, { count, note }: BoundedWindows.WindowCount<Report>) => {
        if (note?.isDue !== true || count < (countOf(limit, counts) ?? 0)) return Effect.void
        note.isDue = false
        return note.make
      }

      /** Whether so much of a limit is used that other processes may use the rest: their counts are read every second. */
      const isWatched = (key: string, { endsAt, limit }: Unshared, now: number): boolean =>
        endsAt > now && (windows.find(key, now)?.count ?? 0) * watchedPart >= (countOf(limit, counts) ?? 0)

      /** Adds this process's new counts to the store, and takes over the sums of all processes. */
      const share = Effect.gen(function* () {
        const now = yield* Clock.currentTimeMillis
        for (const [key, entry] of unshared) if (entry.count === 0 && !isWatched(key, entry, now)) unshared.delete(key)
        const sent = [...unshared].toSorted(([, a], [, b]) => b.count - a.count).slice(0, keysPerCommit)
        if (sent.length === 0) return
        const { operationId } = yield* IdPool.make(0)
        const counters = sent.map(([key, { count }]) => ({ key, delta: count }))
        const outcome = yield* commit(Changes.toChangeSet({ counters }, { operationId, at: now }))
        if (outcome._tag !== "Committed") return
        for (const [key, entry] of sent) {
          const pending = (unshared.get(key)?.count ?? 0) - entry.count
          unshared.set(key, { ...entry, count: pending })
          const found = windows.find(key, now)
          if (found === undefined) continue
          found.count = Math.max(found.count, (outcome.facts.counters[key] ?? 0) + pending)
          yield* reportOnce(entry.limit, found)
        }
        const hasNew = unshared.values().some(({ count }) => count > 0)
        // A clock that a test has stopped would never end a window.
        const hasWatched = now > sharedAt && unshared.entries().some(([key, entry]) => isWatched(key, entry, now))
        sharedAt = now
        if (hasNew || hasWatched) Queue.offerUnsafe(wakeUp, undefined)
      }).pipe(
        Effect.provideService(CurrentCaller, nobody),
        Effect.provideContext(services),
        Effect.catchCause((cause) => Effect.logDebug("the counts of wrong secrets were not shared", cause)),
      )

      yield* Queue.take(wakeUp).pipe(
        Effect.andThen(wall.sleep(sharedEveryMillis)),
        Effect.andThen(share),
        Effect.forever,
        Effect.forkScoped,
      )

      /** Audits at the platform of the credential, once per window whatever the number of processes. */
      const audit = (limit: SecretLimit, key: string, target: Target) =>
        Operation.run({
          name: "WrongSecrets.audit",
          load: () => Effect.succeed({}),
          decide: (_loaded, context) =>
            answer(
              204,
              null,
              Changes.combine(
                { counters: [{ key, delta: 1, max: 1 }] },
                auditRecord(context, "CREDENTIAL_REFUSE", target, {
                  outcome: "REFUSED",
                  details: { rule: limit, limit: countOf(limit, counts) ?? 0 },
                }),
              ),
            ),
        }).pipe(
          Effect.provideService(CurrentCaller, tenant(target.platformId)),
          Effect.provideContext(services),
          // Another process has audited this window.
          Effect.catchIf(
            (error) => error._tag === "ServiceError" && error.code === "RATE_LIMITED",
            () => Effect.void,
          ),
          Effect.catchCause((cause) => Effect.logWarning("a refused credential was not audited", cause)),
        )

      const report = (limit: SecretLimit, key: string, attempt: SecretAttempt, target: Target | undefined) => {
        const { source = "unknown" } = attempt
        const logged = Effect.logWarning("too many wrong secrets", {
          limit,
          source,
          credential: target?.id ?? "unknown",
        })
        return target === undefined ? logged : Effect.andThen(logged, audit(limit, key, target))
      }

      const count = Effect.fnUntraced(function* (attempt: SecretAttempt, target?: Target) {
        const now = yield* Clock.currentTimeMillis
        const refusal = isThrottled(attempt) ? exceeded(attempt, now) : undefined
        yield* Metrics.secretWasWrong(attempt.limit)
        for (const { key, limit } of countedOf(attempt, now)) {
          const endsAt = endOfWindow(limit, now)
          const found = windows.add(key, endsAt, now)
          found.note ??= {
            isDue: true,
            make: report(limit, key, attempt, limit === attempt.limit ? target : undefined),
          }
          if (unshared.has(key) || unshared.size < keysMax) {
            unshared.set(key, { count: (unshared.get(key)?.count ?? 0) + 1, endsAt, limit })
          }
          yield* reportOnce(limit, found)
        }
        Queue.offerUnsafe(wakeUp, undefined)
        if (refusal !== undefined) return yield* refusal
      })

      return WrongSecrets.of({ admit, count })
    }),
  )
}
