/**
 * Quotes of customers under strong authentication: their challenges answered, and codes sent again.
 * Source: wire contract 5.1, 5.5 and 5.12; D-129.
 */
import { Clock, Context, Effect, Layer, Redacted } from "effect"
import type { SecureRandom } from "effect/crypto"
import { authorize, openChallenge } from "../../decision/quote/QuoteAuthorizationDecision.ts"
import type { QuoteParts } from "../../decision/quote/QuoteExecutionDecision.ts"
import { ServiceError } from "../../foundation/errors/ServiceError.ts"
import type { QuoteChallenge } from "../../model/quote/Quote.ts"
import type { QuoteResource, ScaAuthorization } from "../../model/quote/QuoteResource.ts"
import { scaConflict } from "../../model/sca/ScaFactorRules.ts"
import * as Operation from "../../operation/Operation.ts"
import { platformOnly } from "../../operation/PlatformOnly.ts"
import { type ScaAnswer, ScaProvider } from "../../ports/ScaProvider.ts"
import type { WallTime } from "../../ports/WallTime.ts"
import { ScaRegions } from "../../settings/ScaRegions.ts"
import type { CurrentCaller } from "../../store/Caller.ts"
import * as Changes from "../../store/Changes.ts"
import { Store, type StoreUnavailable } from "../../store/Store.ts"
import { loadSca } from "../sca/ScaProfiles.ts"
import { drawChallenge, sendCode } from "./QuoteChallenges.ts"
import { readQuoteParts } from "./QuoteReads.ts"

type Result<A> = Effect.Effect<A, ServiceError | StoreUnavailable, CurrentCaller>

/** How often a code may be sent again. */
const resendsMax = 5

const answerOf = (customerId: string, challenge: QuoteChallenge, given: ScaAuthorization): ScaAnswer => {
  const { code, endUserIpAddress, origin, passkeyAssertion } = given
  return {
    customerId,
    challengeId: challenge.id,
    factor: challenge.factor,
    ...(typeof endUserIpAddress === "string" ? { endUserIpAddress } : {}),
    ...(typeof code === "string" ? { code: Redacted.make(code) } : {}),
    ...(passkeyAssertion === undefined || passkeyAssertion === null ? {} : { passkeyAssertion }),
    ...(typeof origin === "string" ? { origin } : {}),
  }
}

export class QuoteAuthorizations extends Context.Service<
  QuoteAuthorizations,
  {
    /** Errors: `CONFLICT` without an open challenge, `INVALID_INPUT` for a wrong answer, which counts; `ACCOUNT_LOCKED`. */
    readonly authorize: (quoteId: string, given: ScaAuthorization) => Result<Operation.Answered<QuoteResource>>
    /** Sends the code again. Errors: `CONFLICT` without an open challenge by text message, `RATE_LIMITED`. */
    readonly resend: (quoteId: string) => Result<void>
  }
>()("@countersign/core/QuoteAuthorizations") {
  static readonly layer = Layer.effect(
    QuoteAuthorizations,
    Effect.gen(function* () {
      const provider = yield* ScaProvider
      const regions = yield* ScaRegions
      const store = yield* Store
      const services = yield* Effect.context<Store | WallTime | SecureRandom.SecureRandom | ScaProvider>()

      const customerOf = ({ customer }: QuoteParts) =>
        customer === undefined
          ? Effect.fail(new ServiceError(scaConflict("NOT_REQUIRED", "A platform's own quote needs no challenge.")))
          : Effect.succeed(customer)

      const loadWithCustomer = Effect.fnUntraced(function* (read: Operation.Read, quoteId: string) {
        const parts = yield* readQuoteParts(read, quoteId)
        return { parts, customer: yield* customerOf(parts) }
      })

      const load = Effect.fnUntraced(function* (
        read: Operation.Read,
        quoteId: string,
        given: ScaAuthorization,
        challengeId: string,
      ) {
        const { customer, parts } = yield* loadWithCustomer(read, quoteId)
        const sca = yield* loadSca(read, regions, customer.id)
        const challenge = openChallenge(parts, yield* Clock.currentTimeMillis)
        const isPasskey = given.passkeyAssertion !== undefined && given.passkeyAssertion !== null
        if ("code" in challenge) return { parts, sca, isPasskey, isRight: false, challengeId, asked: undefined }
        const { factor, remaining } = challenge
        const isRight = yield* provider.check(answerOf(customer.id, challenge, given))
        // The next one is answered by the same factor.
        const isAsked = isRight && remaining.length > 0 && factor === "PASSKEY"
        const asked = isAsked ? yield* provider.challenge({ customerId: customer.id, challengeId, factor }) : undefined
        return { parts, sca, isPasskey, isRight, challengeId, asked }
      })

      const authorized = Effect.fnUntraced(
        function* (quoteId: string, given: ScaAuthorization) {
          const challengeId = yield* drawChallenge
          const answered = yield* Operation.run({
            name: "QuoteAuthorizations.authorize",
            ids: 24,
            load: (read) => load(read, quoteId, given, challengeId),
            decide: authorize,
          })
          if (answered.body.scaChallenge?.id === challengeId) {
            const { customer, quote } = yield* readQuoteParts(store.read, quoteId)
            const { challenge } = quote.data
            if (customer !== undefined && challenge !== undefined) yield* sendCode(customer, challenge)
          }
          return answered
        },
        platformOnly,
        Effect.provideContext(services),
      )

      const resend = Effect.fnUntraced(
        function* (quoteId: string) {
          const { body } = yield* Operation.run({
            name: "QuoteAuthorizations.resend",
            load: (read) => loadWithCustomer(read, quoteId),
            decide: ({ customer, parts }, { now }) => {
              const challenge = openChallenge(parts, now)
              if ("code" in challenge) return Operation.refuse(challenge)
              if (challenge.factor !== "SMS_OTP") {
                const message = "The challenge that waits is not answered by a code."
                return Operation.refuse(scaConflict("NO_CODE_PENDING", message))
              }
              if (challenge.resends >= resendsMax) {
                const message = `A code is sent again ${resendsMax} times at the most.`
                return Operation.refuse({ code: "RATE_LIMITED", message })
              }
              const again = { ...challenge, resends: challenge.resends + 1 }
              const changes = Changes.update(parts.quote, { ...parts.quote.data, challenge: again })
              return Operation.answer(204, { customer, challenge: again }, { ...changes, validUntil: again.expiresAt })
            },
          })
          return yield* sendCode(body.customer, body.challenge)
        },
        platformOnly,
        Effect.provideContext(services),
      )

      return QuoteAuthorizations.of({ authorize: authorized, resend })
    }),
  )
}
