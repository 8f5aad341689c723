/**
 * Authorizations of quotes under strong authentication: a challenge is answered, or its code is sent again.
 * Source: wire contract 5.1, 5.5 and 5.12; D-129.
 */
import { Clock, Context, Effect, Layer, Redacted } from "effect"
import type { SecureRandom } from "effect/crypto"
import {
  type AuthorizationFacts,
  type AuthorizationRecords,
  authorizeQuote,
  openChallenge,
  resendCode,
} from "../../decision/quote/QuoteAuthorizationDecision.ts"
import type { ServiceError } from "../../foundation/errors/ServiceError.ts"
import type { QuoteChallenge } from "../../model/quote/Quote.ts"
import type { QuoteResource, ScaAuthorization } from "../../model/quote/QuoteResource.ts"
import * as Operation from "../../operation/Operation.ts"
import { platformOnly } from "../../operation/PlatformOnly.ts"
import { type ScaAnswer, ScaProvider } from "../../ports/ScaProvider.ts"
import type { WallTime } from "../../ports/WallTime.ts"
import { ScaRegions } from "../../settings/ScaRegions.ts"
import type { CurrentCaller } from "../../store/Caller.ts"
import type { Store, StoreUnavailable } from "../../store/Store.ts"
import { loadSca } from "../sca/ScaProfiles.ts"
import { drawChallengeId, sendCode, sendCodeOfQuote } from "./QuoteChallenges.ts"
import { loadQuoteRecords } from "./QuoteReads.ts"

type Result<A> = Effect.Effect<A, ServiceError | StoreUnavailable, CurrentCaller>

const isPasskeyAnswer = ({ passkeyAssertion }: ScaAuthorization): boolean =>
  passkeyAssertion !== undefined && passkeyAssertion !== null

/** Returns the answer in the form that the provider checks. */
const providerAnswer = (
  customerId: string,
  { factor, id }: QuoteChallenge,
  { code, endUserIpAddress, origin, passkeyAssertion }: ScaAuthorization,
): ScaAnswer => ({
  customerId,
  challengeId: id,
  factor,
  ...(typeof endUserIpAddress === "string" ? { endUserIpAddress } : {}),
  ...(typeof code === "string" ? { code: Redacted.make(code) } : {}),
  ...(passkeyAssertion === undefined || passkeyAssertion === null ? {} : { passkeyAssertion }),
  ...(typeof origin === "string" ? { origin } : {}),
})

/** Errors: `QUOTE_NOT_FOUND`; `CONFLICT` if the customer's region does not require strong authentication. */
const loadAuthorization = Effect.fnUntraced(function* (read: Operation.Read, quoteId: string) {
  const regions = yield* ScaRegions
  const records = yield* loadQuoteRecords(read, quoteId)
  const { customer } = records
  const sca = customer === undefined ? undefined : yield* loadSca(read, regions, customer.id)
  return { records, sca } satisfies AuthorizationRecords
})

/** Asks the provider whether the answer is right, and for the next challenge if it is answered by passkey, too. */
const askAuthorization = Effect.fnUntraced(function* (
  { records, sca }: AuthorizationRecords,
  authorization: ScaAuthorization,
  challengeId: string,
) {
  const unanswered: AuthorizationFacts = { isRight: false, passkeyChallenge: undefined }
  const challenge = openChallenge(records, yield* Clock.currentTimeMillis)
  if (sca === undefined || "code" in challenge) return unanswered
  const provider = yield* ScaProvider
  const customerId = sca.customer.id
  const { factor, remaining } = challenge
  const isRight = yield* provider.check(providerAnswer(customerId, challenge, authorization))
  const hasNext = isRight && remaining.length > 0 && factor === "PASSKEY"
  const facts: AuthorizationFacts = {
    isRight,
    passkeyChallenge: hasNext ? yield* provider.challenge({ customerId, challengeId, factor }) : undefined,
  }
  return facts
})

const loadForResend = (read: Operation.Read, quoteId: string) =>
  Effect.map(loadQuoteRecords(read, quoteId), (records) => ({ records }))

export class QuoteAuthorizations extends Context.Service<
  QuoteAuthorizations,
  {
    /** Errors: `CONFLICT` without an open challenge, `INVALID_INPUT` for a wrong answer, which is counted; `ACCOUNT_LOCKED`. */
    readonly authorize: (quoteId: string, authorization: ScaAuthorization) => Result<Operation.Answered<QuoteResource>>
    /** Sends the code again. Errors: `CONFLICT` without an open challenge by text message, `RATE_LIMITED`. */
    readonly resend: (quoteId: string) => Result<void>
  }
>()("@countersign/core/QuoteAuthorizations") {
  static readonly layer = Layer.effect(
    QuoteAuthorizations,
    Effect.gen(function* () {
      const services = yield* Effect.context<Store | WallTime | SecureRandom.SecureRandom | ScaProvider>()

      const authorize = Effect.fnUntraced(
        function* (quoteId: string, authorization: ScaAuthorization) {
          const challengeId = yield* drawChallengeId
          const answered = yield* Operation.run({
            name: "QuoteAuthorizations.authorize",
            ids: 24,
            load: (read) => loadAuthorization(read, quoteId),
            ask: (loaded) => askAuthorization(loaded, authorization, challengeId),
            decide: authorizeQuote({ challengeId, isPasskey: isPasskeyAnswer(authorization) }),
          })
          if (answered.body.scaChallenge?.id === challengeId) yield* sendCodeOfQuote(quoteId)
          return answered
        },
        platformOnly,
        Effect.provideContext(services),
      )

      const resend = Effect.fnUntraced(
        function* (quoteId: string) {
          const { body } = yield* Operation.run({
            name: "QuoteAuthorizations.resend",
            load: (read) => loadForResend(read, quoteId),
            decide: resendCode,
          })
          return yield* sendCode(body.customer, body.challenge)
        },
        platformOnly,
        Effect.provideContext(services),
      )

      return QuoteAuthorizations.of({ authorize, resend })
    }),
  )
}
