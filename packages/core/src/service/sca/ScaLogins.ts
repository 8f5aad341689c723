/**
 * A customer proves itself by one of its factors; failures lock it out.
 * Source: wire contract 5.12 and B; D-086.
 */
import { Clock, Context, Effect, Layer, Redacted } from "effect"
import type { SecureRandom } from "effect/crypto"
import { invalidInput, ServiceError } from "../../foundation/errors/ServiceError.ts"
import * as IdPool from "../../foundation/ids/IdPool.ts"
import { iso } from "../../foundation/kit/Instant.ts"
import { cleared, failed, lockedOut } from "../../model/sca/LockoutRules.ts"
import { hasFactor, notEnrolled } from "../../model/sca/ScaFactorRules.ts"
import type { ScaFactor } from "../../model/sca/ScaProfile.ts"
import type {
  RecordSecurityEventResponse,
  ScaLoginComplete,
  ScaLoginCompleteRequest,
  ScaLoginStart,
  SecurityEventType,
} from "../../model/sca/ScaResource.ts"
import * as Operation from "../../operation/Operation.ts"
import { platformOnly } from "../../operation/PlatformOnly.ts"
import { type ScaAnswer, ScaProvider } from "../../ports/ScaProvider.ts"
import type { WallTime } from "../../ports/WallTime.ts"
import { ScaRegions } from "../../settings/ScaRegions.ts"
import type { CurrentCaller } from "../../store/Caller.ts"
import type { Store, StoreUnavailable } from "../../store/Store.ts"
import { loadSca, write } from "./ScaProfiles.ts"

type Result<A> = Effect.Effect<A, ServiceError | StoreUnavailable, CurrentCaller>

const challengeMillis = 5 * 60 * 1000
const sessionMillis = 15 * 60 * 1000

const answerOf = (customerId: string, challengeId: string, request: ScaLoginCompleteRequest): ScaAnswer => {
  const { code, endUserIpAddress, factor, origin, passkeyAssertion } = request
  return {
    customerId,
    challengeId,
    factor,
    endUserIpAddress,
    ...(typeof code === "string" ? { code: Redacted.make(code) } : {}),
    ...(passkeyAssertion === undefined || passkeyAssertion === null ? {} : { passkeyAssertion }),
    ...(typeof origin === "string" ? { origin } : {}),
  }
}

export class ScaLogins extends Context.Service<
  ScaLogins,
  {
    /** Errors: `CONFLICT` (not required here, or no such factor), `ACCOUNT_LOCKED`. */
    readonly start: (customerId: string, factor: ScaFactor) => Result<Operation.Answered<ScaLoginStart>>
    /** Errors: `CONFLICT`, `INVALID_INPUT` for a wrong answer, which counts; `ACCOUNT_LOCKED`. */
    readonly complete: (
      customerId: string,
      request: ScaLoginCompleteRequest,
    ) => Result<Operation.Answered<ScaLoginComplete>>
    /** What happened at the platform's own sign-in. Errors: `CONFLICT`, `ACCOUNT_LOCKED`. */
    readonly recordEvent: (
      customerId: string,
      eventType: SecurityEventType,
    ) => Result<Operation.Answered<RecordSecurityEventResponse>>
  }
>()("@countersign/core/ScaLogins") {
  static readonly layer = Layer.effect(
    ScaLogins,
    Effect.gen(function* () {
      const provider = yield* ScaProvider
      const regions = yield* ScaRegions
      const services = yield* Effect.context<Store | WallTime | SecureRandom.SecureRandom>()

      /** A customer that is not locked out. */
      const load = Effect.fnUntraced(function* (read: Operation.Read, customerId: string) {
        const loaded = yield* loadSca(read, regions, customerId)
        const locked = lockedOut(loaded.profile, yield* Clock.currentTimeMillis)
        return locked === undefined ? loaded : yield* new ServiceError(locked)
      })

      const start = Effect.fnUntraced(
        function* (customerId: string, factor: ScaFactor) {
          const challengeId = (yield* IdPool.make(1)).source()("ScaChallenge")
          const begun = yield* Operation.run({
            name: "ScaLogins.start",
            load: (read) => load(read, customerId),
            decide: (loaded, { now }) => {
              if (!hasFactor(loaded, factor)) return Operation.refuse(notEnrolled(factor))
              const expiresAt = now + challengeMillis
              const { phoneNumber } = loaded.customer.data
              return Operation.answer(
                200,
                { expiresAt, phoneNumber },
                write(loaded, { ...loaded.profile, challenge: { id: challengeId, factor, expiresAt } }),
              )
            },
          })
          // After the commit: what is sent belongs to a challenge that is kept.
          const { expiresAt, phoneNumber } = begun.body
          const challenge = yield* provider.challenge({
            customerId,
            challengeId,
            factor,
            ...(phoneNumber === undefined ? {} : { phoneNumber }),
          })
          const body: ScaLoginStart = { factor, challengeId, expiresAt: iso(expiresAt), ...challenge }
          return { ...begun, body }
        },
        platformOnly,
        Effect.provideContext(services),
      )

      const loadAndCheck = Effect.fnUntraced(function* (
        read: Operation.Read,
        customerId: string,
        request: ScaLoginCompleteRequest,
      ) {
        const loaded = yield* load(read, customerId)
        const { challenge } = loaded.profile
        const isOpen =
          challenge !== undefined &&
          challenge.factor === request.factor &&
          (request.challengeId ?? challenge.id) === challenge.id &&
          (yield* Clock.currentTimeMillis) < challenge.expiresAt
        if (!isOpen) {
          const message = "must be the open challenge of this factor"
          return yield* new ServiceError(invalidInput([{ field: "challengeId", message }]))
        }
        return { loaded, isRight: yield* provider.check(answerOf(customerId, challenge.id, request)) }
      })

      const complete = Effect.fnUntraced(
        function* (customerId: string, request: ScaLoginCompleteRequest) {
          return yield* Operation.run({
            name: "ScaLogins.complete",
            load: (read) => loadAndCheck(read, customerId, request),
            decide: ({ isRight, loaded }, { now }) => {
              const { profile } = loaded
              if (isRight) {
                const done: ScaLoginComplete = { status: "AUTHENTICATED", sessionExpiresAt: iso(now + sessionMillis) }
                return Operation.answer(200, done, write(loaded, cleared(profile)))
              }
              const field = request.factor === "PASSKEY" ? "passkeyAssertion" : "code"
              const refusal = invalidInput([{ field, message: "must answer the challenge" }])
              return Operation.refuse(refusal, write(loaded, failed(profile, now)))
            },
          })
        },
        platformOnly,
        Effect.provideContext(services),
      )

      const recordEvent = Effect.fnUntraced(
        function* (customerId: string, eventType: SecurityEventType) {
          return yield* Operation.run({
            name: "ScaLogins.recordEvent",
            load: (read) => loadSca(read, regions, customerId),
            decide: (loaded, { now }) => {
              const locked = lockedOut(loaded.profile, now)
              // A new password unlocks; a suspension ends by no event.
              if (locked !== undefined && (eventType === "FAILED_LOGIN_ATTEMPT" || loaded.profile.suspended)) {
                return Operation.refuse(locked)
              }
              const next = eventType === "FAILED_LOGIN_ATTEMPT" ? failed(loaded.profile, now) : cleared(loaded.profile)
              const { failedAttempts, lockedUntil, suspended } = next
              const isLocked = lockedUntil !== undefined && now < lockedUntil
              return Operation.answer<RecordSecurityEventResponse>(
                200,
                { eventType, suspended, lockedUntil: isLocked ? iso(lockedUntil) : null, failedAttempts },
                write(loaded, next),
              )
            },
          })
        },
        platformOnly,
        Effect.provideContext(services),
      )

      return ScaLogins.of({ start, complete, recordEvent })
    }),
  )
}
