/**
 * Sign-in by a passkey: the challenge is the hash of the session that is to be created, and serves once.
 * Spec: Sandbox authentication behavior (2); wire contract 4.4, 4.5 and 11 (26 to 28).
 */
import { Clock, Effect, Option, Schema } from "effect"
import * as SessionChanges from "../../decision/wallet/SessionChanges.ts"
import { usable, used } from "../../decision/wallet/SignedDecision.ts"
import { invalidInput, ServiceError, unauthorized, unauthorizedFor } from "../../foundation/errors/ServiceError.ts"
import { iso } from "../../foundation/kit/Instant.ts"
import type { CredentialChallengeRequest, PasskeyVerify } from "../../model/wallet/CredentialRequest.ts"
import { type AuthSession, type PasskeyAuthChallenge, toCredential } from "../../model/wallet/CredentialResource.ts"
import { otherType } from "../../model/wallet/CredentialRules.ts"
import { pendingMillis, type WalletHeaders } from "../../model/wallet/SignedRequest.ts"
import * as SigningPayload from "../../model/wallet/SigningPayload.ts"
import * as Operation from "../../operation/Operation.ts"
import { SessionLifetime } from "../../settings/SessionLifetime.ts"
import * as Changes from "../../store/Changes.ts"
import * as CredentialChecks from "./CredentialChecks.ts"
import { clientKey, sessionKeyFor } from "./SessionKey.ts"
import { SignedRequests } from "./SignedRequests.ts"
import { readCredential } from "./WalletReads.ts"

const operation = "POST /auth/credentials/{id}/verify"

const Memo = Schema.Struct({ clientPublicKey: Schema.String })
const decodeMemo = Schema.decodeUnknownOption(Memo)

const noKey = new ServiceError(
  invalidInput([{ field: "clientPublicKey", message: "is required", constraint: { required: true } }]),
)
const noRequestId = new ServiceError({
  code: "REQUEST_ID_MISSING",
  message: "The header Request-Id is missing: send the requestId of the challenge.",
})

export const make = Effect.gen(function* () {
  const checks = yield* CredentialChecks.make
  const requests = yield* SignedRequests
  const lifetime = yield* SessionLifetime

  const load = Effect.fnUntraced(function* (read: Operation.Read, credentialId: string) {
    const credential = yield* readCredential(read, credentialId)
    const { data } = credential
    if (data.type !== "PASSKEY") return yield* new ServiceError(otherType(data.type))
    return { credential, passkey: data }
  })

  const challenge = Effect.fnUntraced(function* (
    credentialId: string,
    { clientPublicKey }: CredentialChallengeRequest,
  ) {
    if (clientPublicKey === undefined) return yield* noKey
    yield* clientKey(clientPublicKey)
    return yield* Operation.run({
      name: "PasskeySignIns.challenge",
      load: (read) => load(read, credentialId),
      decide: ({ credential, passkey }, { ids, now }) => {
        const id = ids("Request")
        const expiresAt = now + pendingMillis
        const data = { operation, target: credentialId, bodyMark: "", expiresAt, memo: { clientPublicKey } }
        return Operation.answer<PasskeyAuthChallenge>(
          200,
          {
            ...toCredential(credential),
            type: "PASSKEY",
            credentialId: passkey.passkey.credentialId,
            challenge: SigningPayload.passkeyChallenge(passkey.accountId, clientPublicKey, now),
            requestId: id,
            expiresAt: iso(expiresAt),
          },
          Changes.insert("SignedRequest", id, credential, data),
        )
      },
    })
  })

  const loadAssertion = Effect.fnUntraced(function* (
    read: Operation.Read,
    credentialId: string,
    { assertion }: PasskeyVerify,
    { requestId }: WalletHeaders,
  ) {
    const { credential, passkey } = yield* load(read, credentialId)
    if (requestId === undefined) return yield* noRequestId
    const request = usable(yield* requests.pending(read, requestId), yield* Clock.currentTimeMillis)
    const memo = Option.getOrUndefined(decodeMemo(request?.data.memo))
    if (request === undefined || request.data.target !== credentialId || memo === undefined) {
      return yield* unauthorized("PASSKEY_CHALLENGE_SPENT")
    }
    const { clientPublicKey } = memo
    const expected = SigningPayload.passkeyChallenge(passkey.accountId, clientPublicKey, request.createdAt)
    const use = yield* checks.assertPasskey(assertion, expected, passkey.passkey)
    return { credential, passkey, request, use, key: yield* sessionKeyFor(clientPublicKey, "PASSKEY") }
  })

  const verify = Effect.fnUntraced(function* (credentialId: string, request: PasskeyVerify, headers: WalletHeaders) {
    return yield* Operation.run({
      name: "PasskeySignIns.verify",
      load: (read) => loadAssertion(read, credentialId, request, headers),
      decide: ({ credential, key, passkey, request: pending, use }, context): Operation.Decision<AuthSession> => {
        const { ids, now } = context
        if (usable(pending, now) === undefined) return Operation.refuse(unauthorizedFor("PASSKEY_CHALLENGE_SPENT"))
        const issued = SessionChanges.issue(ids, now, credential, key, lifetime)
        const data = { ...passkey, passkey: { ...passkey.passkey, ...use } }
        return Operation.answer(
          200,
          issued.answer,
          Changes.combine(issued.changes, Changes.update(credential, data), used(pending, undefined, context)),
        )
      },
    })
  })

  return { challenge, verify }
})
