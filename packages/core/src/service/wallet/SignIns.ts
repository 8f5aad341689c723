/**
 * How a credential becomes a session: it is challenged, and its answer is verified.
 * Spec: 4.5; wire contract 4.1, 4.4, 4.5 and 4.12.
 */
import { Clock, Context, Effect, Layer } from "effect"
import type { SecureRandom } from "effect/crypto"
import * as SessionChanges from "../../decision/wallet/SessionChanges.ts"
import type { Hpke } from "../../foundation/crypto/Hpke.ts"
import type { P256 } from "../../foundation/crypto/P256.ts"
import { ServiceError } from "../../foundation/errors/ServiceError.ts"
import { isOtp } from "../../model/wallet/Credential.ts"
import type {
  CredentialChallengeRequest,
  CredentialVerifyRequest,
  OAuthVerify,
} from "../../model/wallet/CredentialRequest.ts"
import type { AuthCredentialChallenge, AuthSession } from "../../model/wallet/CredentialResource.ts"
import { otherType } from "../../model/wallet/CredentialRules.ts"
import type { AuthSignedRequestChallenge, WalletHeaders } from "../../model/wallet/SignedRequest.ts"
import * as Operation from "../../operation/Operation.ts"
import { platformOnly } from "../../operation/PlatformOnly.ts"
import type { WallTime } from "../../ports/WallTime.ts"
import { SessionLifetime } from "../../settings/SessionLifetime.ts"
import type { CurrentCaller } from "../../store/Caller.ts"
import { Store, type StoreUnavailable } from "../../store/Store.ts"
import * as CredentialChecks from "./CredentialChecks.ts"
import * as OtpSignIns from "./OtpSignIns.ts"
import * as PasskeySignIns from "./PasskeySignIns.ts"
import { sessionKeyFor } from "./SessionKey.ts"
import { readCredential } from "./WalletReads.ts"

type Result<A> = Effect.Effect<A, ServiceError | StoreUnavailable, CurrentCaller>

const unchallengeable = new ServiceError({
  code: "INVALID_INPUT",
  message: "A credential of type OAUTH has no challenge: verify it with a fresh token.",
  details: { reason: "NO_CHALLENGE" },
})

export class SignIns extends Context.Service<
  SignIns,
  {
    /** A new code, or a WebAuthn challenge. Errors: 404, 429, `INVALID_INPUT`. */
    readonly challenge: (
      credentialId: string,
      request: CredentialChallengeRequest,
    ) => Result<Operation.Answered<AuthCredentialChallenge>>
    /** The session. Of codes first a 202 that their sealed key signs. Errors: 401 with the failed check, 404, 429. */
    readonly verify: (
      credentialId: string,
      request: CredentialVerifyRequest,
      headers: WalletHeaders,
    ) => Result<Operation.Answered<AuthSession | AuthSignedRequestChallenge>>
  }
>()("@countersign/core/SignIns") {
  static readonly layer = Layer.effect(
    SignIns,
    Effect.gen(function* () {
      const store = yield* Store
      const otps = yield* OtpSignIns.make
      const passkeys = yield* PasskeySignIns.make
      const checks = yield* CredentialChecks.make
      const lifetime = yield* SessionLifetime
      const services = yield* Effect.context<Store | WallTime | SecureRandom.SecureRandom | P256 | Hpke>()

      const challenge = Effect.fn("SignIns.challenge")(
        function* (credentialId: string, request: CredentialChallengeRequest) {
          const { data } = yield* readCredential(store.read, credentialId)
          if (data.type === "PASSKEY") return yield* passkeys.challenge(credentialId, request)
          return isOtp(data) ? yield* otps.challenge(credentialId) : yield* unchallengeable
        },
        platformOnly,
        Effect.provideContext(services),
      )

      const loadToken = Effect.fnUntraced(function* (
        read: Operation.Read,
        credentialId: string,
        { clientPublicKey, oidcToken }: OAuthVerify,
      ) {
        const credential = yield* readCredential(read, credentialId)
        const { data } = credential
        if (data.type !== "OAUTH") return yield* new ServiceError(otherType(data.type))
        const key = yield* sessionKeyFor(clientPublicKey, "OAUTH")
        const { identity } = data
        yield* checks.checkToken(oidcToken, yield* Clock.currentTimeMillis, { identity, clientPublicKey })
        return { credential, key }
      })

      const verifyToken = (credentialId: string, request: OAuthVerify) =>
        Operation.run({
          name: "SignIns.verifyToken",
          load: (read) => loadToken(read, credentialId, request),
          decide: ({ credential, key }, { ids, now }) => {
            const issued = SessionChanges.issue(ids, now, credential, key, lifetime)
            return Operation.answer(200, issued.answer, issued.changes)
          },
        })

      const verify = Effect.fn("SignIns.verify")(
        function* (credentialId: string, request: CredentialVerifyRequest, headers: WalletHeaders) {
          if (request.type === "OAUTH") return yield* verifyToken(credentialId, request)
          return request.type === "PASSKEY"
            ? yield* passkeys.verify(credentialId, request, headers)
            : yield* otps.verify(credentialId, request, headers)
        },
        platformOnly,
        Effect.provideContext(services),
      )

      return SignIns.of({ challenge, verify })
    }),
  )
}
