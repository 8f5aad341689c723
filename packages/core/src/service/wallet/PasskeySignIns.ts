/**
 * Signs in by passkey: the challenge is the hash of the session to be created, and can be used once.
 * Spec: Sandbox authentication behavior (2); wire contract 4.4, 4.5 and 11 (26 to 28).
 */
import { Clock, Context, Effect, Layer, Result } from "effect"
import type { SecureRandom } from "effect/crypto"
import {
  decidePasskeyAssertion,
  decidePasskeyChallenge,
  type PasskeyAssertionLoaded,
  verifiableAssertion,
} from "../../decision/wallet/PasskeySignInDecision.ts"
import type { Hpke } from "../../foundation/crypto/Hpke.ts"
import type { P256 } from "../../foundation/crypto/P256.ts"
import type { ServiceError } from "../../foundation/errors/ServiceError.ts"
import type { CredentialChallengeRequest, PasskeyVerify } from "../../model/wallet/CredentialRequest.ts"
import type { AuthSession, PasskeyAuthChallenge } from "../../model/wallet/CredentialResource.ts"
import type { WalletHeaders } from "../../model/wallet/SignedRequest.ts"
import * as Operation from "../../operation/Operation.ts"
import type { WallTime } from "../../ports/WallTime.ts"
import { SessionLifetime } from "../../settings/SessionLifetime.ts"
import type { CurrentCaller } from "../../store/Caller.ts"
import type { Store, StoreUnavailable } from "../../store/Store.ts"
import { CredentialChecks } from "./CredentialChecks.ts"
import { makeSessionKey, parseClientKey } from "./SessionKeys.ts"
import { SignedRequests } from "./SignedRequests.ts"
import { readCredential } from "./WalletReads.ts"

type Reply<A> = Effect.Effect<Operation.Answered<A>, ServiceError | StoreUnavailable, CurrentCaller>

export class PasskeySignIns extends Context.Service<
  PasskeySignIns,
  {
    /** Returns a WebAuthn challenge for the client's key. Errors: 404, `INVALID_INPUT`. */
    readonly challenge: (credentialId: string, request: CredentialChallengeRequest) => Reply<PasskeyAuthChallenge>
    /** Issues the session of a valid assertion. Errors: 401 with the failed check, 404. */
    readonly verify: (credentialId: string, request: PasskeyVerify, headers: WalletHeaders) => Reply<AuthSession>
  }
>()("@countersign/core/PasskeySignIns") {
  static readonly layer = Layer.effect(
    PasskeySignIns,
    Effect.gen(function* () {
      const checks = yield* CredentialChecks
      const requests = yield* SignedRequests
      const lifetimeMillis = yield* SessionLifetime
      const services = yield* Effect.context<Store | WallTime | SecureRandom.SecureRandom | P256 | Hpke>()

      const loadChallenge = Effect.fnUntraced(function* (read: Operation.Read, credentialId: string) {
        return { credential: yield* readCredential(read, credentialId) }
      })

      const askChallenge = Effect.fnUntraced(function* (clientPublicKey: string | undefined) {
        return { clientKey: clientPublicKey === undefined ? undefined : yield* parseClientKey(clientPublicKey) }
      })

      const challenge = Effect.fnUntraced(function* (
        credentialId: string,
        { clientPublicKey }: CredentialChallengeRequest,
      ) {
        return yield* Operation.run({
          name: "PasskeySignIns.challenge",
          load: (read) => loadChallenge(read, credentialId),
          ask: () => askChallenge(clientPublicKey),
          decide: decidePasskeyChallenge(clientPublicKey),
        })
      }, Effect.provideContext(services))

      const loadAssertion = Effect.fnUntraced(function* (
        read: Operation.Read,
        credentialId: string,
        { requestId }: WalletHeaders,
      ) {
        const credential = yield* readCredential(read, credentialId)
        return { credential, request: yield* requests.findPending(read, requestId) }
      })

      const askAssertion = Effect.fnUntraced(function* (
        loaded: PasskeyAssertionLoaded,
        { assertion }: PasskeyVerify,
        headers: WalletHeaders,
      ) {
        const verifiable = verifiableAssertion(loaded, headers, yield* Clock.currentTimeMillis)
        if (Result.isFailure(verifiable)) return { use: undefined, key: undefined }
        const { challenge: expected, clientPublicKey, passkey } = verifiable.success
        const use = yield* checks.assertPasskey(assertion, expected, passkey)
        const key = Result.isFailure(use) ? undefined : yield* makeSessionKey(clientPublicKey, "PASSKEY")
        return { use, key }
      })

      const verify = Effect.fnUntraced(function* (
        credentialId: string,
        request: PasskeyVerify,
        headers: WalletHeaders,
      ) {
        return yield* Operation.run({
          name: "PasskeySignIns.verify",
          load: (read) => loadAssertion(read, credentialId, headers),
          ask: (loaded) => askAssertion(loaded, request, headers),
          decide: decidePasskeyAssertion(headers, lifetimeMillis),
        })
      }, Effect.provideContext(services))

      return PasskeySignIns.of({ challenge, verify })
    }),
  ).pipe(Layer.provide(CredentialChecks.layer))
}
