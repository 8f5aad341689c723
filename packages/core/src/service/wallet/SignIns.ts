/**
 * Signs in with a credential: challenges it, verifies the answer and issues a session.
 * Spec: 4.5; wire contract 4.1, 4.4, 4.5 and 4.12.
 */
import { Clock, Context, Effect, Layer, Result } from "effect"
import type { SecureRandom } from "effect/crypto"
import { decideTokenSignIn } from "../../decision/wallet/TokenSignInDecision.ts"
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
import type { AuthSignedRequestChallenge, WalletHeaders } from "../../model/wallet/SignedRequest.ts"
import * as Operation from "../../operation/Operation.ts"
import { platformOnly } from "../../operation/PlatformOnly.ts"
import type { WallTime } from "../../ports/WallTime.ts"
import { SessionLifetime } from "../../settings/SessionLifetime.ts"
import type { CurrentCaller } from "../../store/Caller.ts"
import type { Stored } from "../../store/ChangeSet.ts"
import { Store, type StoreUnavailable } from "../../store/Store.ts"
import { CredentialChecks } from "./CredentialChecks.ts"
import { OtpSignIns } from "./OtpSignIns.ts"
import { PasskeySignIns } from "./PasskeySignIns.ts"
import { makeSessionKey } from "./SessionKeys.ts"
import { readCredential } from "./WalletReads.ts"

type Reply<A> = Effect.Effect<A, ServiceError | StoreUnavailable, CurrentCaller>

const hasNoChallenge = new ServiceError({
  code: "INVALID_INPUT",
  message: "A credential of type OAUTH has no challenge: verify it with a fresh token.",
  details: { reason: "NO_CHALLENGE" },
})

export class SignIns extends Context.Service<
  SignIns,
  {
    /** Sends a new code, or returns a WebAuthn challenge. Errors: 404, 429, `INVALID_INPUT`. */
    readonly challenge: (
      credentialId: string,
      request: CredentialChallengeRequest,
    ) => Reply<Operation.Answered<AuthCredentialChallenge>>
    /** Issues the session. A code first answers 202, which its sealed key signs. Errors: 401 with the failed check, 404, 429. */
    readonly verify: (
      credentialId: string,
      request: CredentialVerifyRequest,
      headers: WalletHeaders,
    ) => Reply<Operation.Answered<AuthSession | AuthSignedRequestChallenge>>
  }
>()("@countersign/core/SignIns") {
  static readonly layer = Layer.effect(
    SignIns,
    Effect.gen(function* () {
      const store = yield* Store
      const otps = yield* OtpSignIns
      const passkeys = yield* PasskeySignIns
      const checks = yield* CredentialChecks
      const lifetimeMillis = yield* SessionLifetime
      const services = yield* Effect.context<Store | WallTime | SecureRandom.SecureRandom | P256 | Hpke>()

      const challenge = Effect.fn("SignIns.challenge")(
        function* (credentialId: string, request: CredentialChallengeRequest) {
          const { data } = yield* readCredential(store.read, credentialId)
          if (data.type === "PASSKEY") return yield* passkeys.challenge(credentialId, request)
          return isOtp(data) ? yield* otps.challenge(credentialId) : yield* hasNoChallenge
        },
        platformOnly,
        Effect.provideContext(services),
      )

      const loadToken = Effect.fnUntraced(function* (read: Operation.Read, credentialId: string) {
        return { credential: yield* readCredential(read, credentialId) }
      })

      const askToken = Effect.fnUntraced(function* (
        { data }: Stored<"Credential">,
        { clientPublicKey, oidcToken }: OAuthVerify,
      ) {
        if (data.type !== "OAUTH") return { key: undefined, identity: undefined }
        const key = yield* makeSessionKey(clientPublicKey, "OAUTH")
        if (Result.isFailure(key)) return { key, identity: undefined }
        const expected = { identity: data.identity, clientPublicKey }
        return { key, identity: yield* checks.checkToken(oidcToken, yield* Clock.currentTimeMillis, expected) }
      })

      const verifyToken = (credentialId: string, request: OAuthVerify) =>
        Operation.run({
          name: "SignIns.verifyToken",
          load: (read) => loadToken(read, credentialId),
          ask: ({ credential }) => askToken(credential, request),
          decide: decideTokenSignIn(lifetimeMillis),
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
  ).pipe(Layer.provide(Layer.mergeAll(OtpSignIns.layer, PasskeySignIns.layer, CredentialChecks.layer)))
}
