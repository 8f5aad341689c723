/**
 * Authenticates a customer by one of its factors, and locks it out after failed attempts.
 * Source: wire contract 5.12 and B; D-086.
 */
import { Clock, Context, Effect, Layer, Redacted, Result } from "effect"
import type { SecureRandom } from "effect/crypto"
import {
  decideLoginCompletion,
  decideLoginStart,
  decideSecurityEvent,
  openChallengeId,
} from "../../decision/sca/ScaLoginDecision.ts"
import type { StoredSca } from "../../decision/sca/ScaProfileChanges.ts"
import type { ServiceError } from "../../foundation/errors/ServiceError.ts"
import * as IdPool from "../../foundation/ids/IdPool.ts"
import { iso } from "../../foundation/kit/Instant.ts"
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
import { loadProfile } from "./ScaProfiles.ts"

type Reply<A> = Effect.Effect<A, ServiceError | StoreUnavailable, CurrentCaller>

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
    /** Errors: `CONFLICT` (not required for the region, or no such factor), `ACCOUNT_LOCKED`. */
    readonly start: (customerId: string, factor: ScaFactor) => Reply<Operation.Answered<ScaLoginStart>>
    /** Errors: `CONFLICT`, `INVALID_INPUT` for a wrong answer, which is counted; `ACCOUNT_LOCKED`. */
    readonly complete: (
      customerId: string,
      request: ScaLoginCompleteRequest,
    ) => Reply<Operation.Answered<ScaLoginComplete>>
    /** Records an event of the platform's own sign-in. Errors: `CONFLICT`, `ACCOUNT_LOCKED`. */
    readonly recordEvent: (
      customerId: string,
      eventType: SecurityEventType,
    ) => Reply<Operation.Answered<RecordSecurityEventResponse>>
  }
>()("@countersign/core/ScaLogins") {
  static readonly layer = Layer.effect(
    ScaLogins,
    Effect.gen(function* () {
      const provider = yield* ScaProvider
      const regions = yield* ScaRegions
      const services = yield* Effect.context<Store | WallTime | SecureRandom.SecureRandom>()

      const start = Effect.fnUntraced(
        function* (customerId: string, factor: ScaFactor) {
          const challengeId = yield* IdPool.draw("ScaChallenge", customerId)
          const started = yield* Operation.run({
            name: "ScaLogins.start",
            load: (read) => loadProfile(read, customerId),
            decide: decideLoginStart(challengeId, factor, regions),
          })
          // Sent after the commit, so that every code that is sent belongs to a stored challenge.
          const { expiresAt, phoneNumber } = started.body
          const challenge = yield* provider.challenge({
            customerId,
            challengeId,
            factor,
            ...(phoneNumber === undefined ? {} : { phoneNumber }),
          })
          const body: ScaLoginStart = { factor, challengeId, expiresAt: iso(expiresAt), ...challenge }
          return { ...started, body }
        },
        platformOnly,
        Effect.provideContext(services),
      )

      const askAnswer = Effect.fnUntraced(function* (sca: StoredSca, request: ScaLoginCompleteRequest) {
        const open = openChallengeId(sca, request, regions, yield* Clock.currentTimeMillis)
        if (Result.isFailure(open)) return { isCorrect: Result.fail(open.failure) }
        const isCorrect = yield* provider.check(answerOf(sca.customer.id, open.success, request))
        return { isCorrect: Result.succeed(isCorrect) }
      })

      const complete = Effect.fnUntraced(
        function* (customerId: string, request: ScaLoginCompleteRequest) {
          return yield* Operation.run({
            name: "ScaLogins.complete",
            load: (read) => loadProfile(read, customerId),
            ask: (sca) => askAnswer(sca, request),
            decide: decideLoginCompletion(request, regions),
          })
        },
        platformOnly,
        Effect.provideContext(services),
      )

      const recordEvent = Effect.fnUntraced(
        function* (customerId: string, eventType: SecurityEventType) {
          return yield* Operation.run({
            name: "ScaLogins.recordEvent",
            load: (read) => loadProfile(read, customerId),
            decide: decideSecurityEvent(eventType, regions),
          })
        },
        platformOnly,
        Effect.provideContext(services),
      )

      return ScaLogins.of({ start, complete, recordEvent })
    }),
  )
}
