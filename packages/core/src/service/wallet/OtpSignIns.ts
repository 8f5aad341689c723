/**
 * Signs in by one-time code: the service sends a code, the client answers with the code and its key, both sealed, and that key
 * signs and becomes the session's key.
 * Spec: Wallet action signing; wire contract 4.4, 4.5, 4.9 and 11 (3); D-143.
 */
import { Clock, Context, Effect, Layer, Result } from "effect"
import type { SecureRandom } from "effect/crypto"
import {
  decideOtpAnswer,
  decideOtpChallenge,
  type OtpLoaded,
  otpMemo,
  otpTypeRefusal,
} from "../../decision/wallet/OtpSignInDecision.ts"
import type { P256 } from "../../foundation/crypto/P256.ts"
import type { ServiceError } from "../../foundation/errors/ServiceError.ts"
import { isOtp } from "../../model/wallet/Credential.ts"
import type { OtpVerify } from "../../model/wallet/CredentialRequest.ts"
import type { AuthCredentialChallenge, AuthSession } from "../../model/wallet/CredentialResource.ts"
import { OtpRules } from "../../model/wallet/OtpRules.ts"
import {
  type AuthSignedRequestChallenge,
  isFirstCall,
  keyInBundle,
  type WalletHeaders,
} from "../../model/wallet/SignedRequest.ts"
import { fixedText } from "../../model/wallet/SigningPayload.ts"
import * as Operation from "../../operation/Operation.ts"
import type { WallTime } from "../../ports/WallTime.ts"
import { SessionLifetime } from "../../settings/SessionLifetime.ts"
import type { CurrentCaller } from "../../store/Caller.ts"
import type { Store, StoreUnavailable } from "../../store/Store.ts"
import { type IssuedCode, OtpChallenges } from "./OtpChallenges.ts"
import { parseClientKey } from "./SessionKeys.ts"
import { SignedRequests } from "./SignedRequests.ts"
import { readCredential, readSettings } from "./WalletReads.ts"

type Reply<A> = Effect.Effect<Operation.Answered<A>, ServiceError | StoreUnavailable, CurrentCaller>

const load = Effect.fnUntraced(function* (read: Operation.Read, credentialId: string) {
  const credential = yield* readCredential(read, credentialId)
  const found = yield* read({ records: [{ kind: "OtpChallenge", id: credentialId }] })
  return { credential, challenge: found.record("OtpChallenge", credentialId) }
})

export class OtpSignIns extends Context.Service<
  OtpSignIns,
  {
    /** Sends a new code; the previous one becomes invalid. Errors: 404, `RATE_LIMITED`. */
    readonly challenge: (credentialId: string) => Reply<AuthCredentialChallenge>
    /** 202 for the right code, then the session. Errors: 401 with the failed check, 404, `RATE_LIMITED`. */
    readonly verify: (
      credentialId: string,
      request: OtpVerify,
      headers: WalletHeaders,
    ) => Reply<AuthSession | AuthSignedRequestChallenge>
  }
>()("@countersign/core/OtpSignIns") {
  static readonly layer = Layer.effect(
    OtpSignIns,
    Effect.gen(function* () {
      const codes = yield* OtpChallenges
      const requests = yield* SignedRequests
      const lifetimeMillis = yield* SessionLifetime
      const services = yield* Effect.context<Store | WallTime | SecureRandom.SecureRandom | P256>()

      const askCode = Effect.fnUntraced(function* (read: Operation.Read, { credential }: OtpLoaded) {
        const { data } = credential
        return { issued: isOtp(data) ? yield* codes.issue(credential, data, yield* readSettings(read)) : undefined }
      })

      const challenge = Effect.fnUntraced(function* (credentialId: string) {
        let issued: IssuedCode | undefined
        const answered = yield* Operation.run({
          name: "OtpSignIns.challenge",
          load: (read) => load(read, credentialId),
          ask: (loaded, read) =>
            Effect.tap(askCode(read, loaded), (facts) =>
              Effect.sync(() => {
                issued = facts.issued
              }),
            ),
          decide: decideOtpChallenge,
        })
        // Sent after the commit, so that every code that is sent belongs to a stored challenge.
        if (issued !== undefined) yield* codes.send(issued)
        return answered
      }, Effect.provideContext(services))

      /** Opens the bundle, unless the rules refuse its code whatever it is. */
      const openBundle = Effect.fnUntraced(function* ({ challenge: stored, credential }: OtpLoaded, bundle: string) {
        const { data, id } = credential
        if (!isOtp(data) || stored === undefined) return undefined
        const { contact } = data
        const now = yield* Clock.currentTimeMillis
        const failed = OtpRules.first({ challenge: stored.data, contact, now, isCorrect: true })
        const verified = failed === undefined ? yield* codes.open(id, data, stored.data, bundle) : undefined
        return verified && { ...verified, contact }
      })

      const askAnswer = Effect.fnUntraced(function* (
        read: Operation.Read,
        loaded: OtpLoaded,
        request: OtpVerify,
        headers: WalletHeaders,
      ) {
        const { credential } = loaded
        const { clientPublicKey, encryptedOtpBundle, type } = request
        const refused = { clientKey: undefined, memo: undefined, signing: undefined }
        if (otpTypeRefusal(credential.data, type) !== undefined) return refused
        const clientKey = clientPublicKey === undefined ? undefined : yield* parseClientKey(clientPublicKey)
        if (clientKey !== undefined && Result.isFailure(clientKey)) return { ...refused, clientKey }
        const memo = isFirstCall(headers)
          ? yield* openBundle(loaded, encryptedOtpBundle)
          : otpMemo(yield* requests.findPending(read, headers.requestId))
        const signing = yield* requests.verify(read, {
          operation: "POST /auth/credentials/{id}/verify",
          target: credential,
          body: request,
          headers,
          allowedSigner: keyInBundle(memo?.publicKey ?? ""),
          payload: fixedText(memo?.token ?? ""),
          type,
          ...(memo === undefined ? {} : { memo }),
        })
        return { clientKey, memo, signing }
      })

      const verify = Effect.fnUntraced(function* (credentialId: string, request: OtpVerify, headers: WalletHeaders) {
        return yield* Operation.run({
          name: "OtpSignIns.verify",
          load: (read) => load(read, credentialId),
          ask: (loaded, read) => askAnswer(read, loaded, request, headers),
          decide: decideOtpAnswer(request.type, lifetimeMillis),
        })
      }, Effect.provideContext(services))

      return OtpSignIns.of({ challenge, verify })
    }),
  )
}
