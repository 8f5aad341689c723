/**
 * Decides a sign-in by passkey: the challenge, and the session of a valid assertion.
 * Spec: Sandbox authentication behavior (2); wire contract 4.4, 4.5 and 11 (26 to 28).
 */
import { Option, Result, Schema } from "effect"
import type { PublicKey } from "../../foundation/crypto/PublicKey.ts"
import { invalidInput, type Refusal, unauthorizedFor } from "../../foundation/errors/ServiceError.ts"
import { iso } from "../../foundation/kit/Instant.ts"
import type { RegisteredPasskey } from "../../model/wallet/Credential.ts"
import { type AuthSession, type PasskeyAuthChallenge, toCredential } from "../../model/wallet/CredentialResource.ts"
import { typeMismatch } from "../../model/wallet/CredentialRules.ts"
import { pendingMillis, type WalletHeaders } from "../../model/wallet/SignedRequest.ts"
import { passkeyChallenge } from "../../model/wallet/SigningPayload.ts"
import type { Stored } from "../../store/ChangeSet.ts"
import * as Changes from "../../store/Changes.ts"
import { answer, type Decision, type DecisionContext, refuse } from "../Decision.ts"
import { issueSession, type SessionKey } from "./SessionChanges.ts"
import { consumeRequest, usableRequest } from "./SignedRequestChanges.ts"

const operation = "POST /auth/credentials/{id}/verify"

const Memo = Schema.Struct({ clientPublicKey: Schema.String })
const decodeMemo = Schema.decodeUnknownOption(Memo)

const missingKey = invalidInput([{ field: "clientPublicKey", message: "is required", constraint: { required: true } }])

const missingRequestId: Refusal = {
  code: "REQUEST_ID_MISSING",
  message: "The header Request-Id is missing: send the requestId of the challenge.",
}

export interface PasskeyChallengeFacts {
  readonly credential: Stored<"Credential">
  /** The client's key, or the refusal of an invalid one; `undefined` if none was sent. */
  readonly clientKey: Result.Result<PublicKey, Refusal> | undefined
}

/** Stores a pending request whose challenge is the hash of the session to be created. */
export const decidePasskeyChallenge =
  (clientPublicKey: string | undefined) =>
  ({ clientKey, credential }: PasskeyChallengeFacts, { ids, now }: DecisionContext): Decision<PasskeyAuthChallenge> => {
    const { data: passkey, id: credentialId } = credential
    if (clientPublicKey === undefined) return refuse(missingKey)
    if (clientKey !== undefined && Result.isFailure(clientKey)) return refuse(clientKey.failure)
    if (passkey.type !== "PASSKEY") return refuse(typeMismatch(passkey.type))
    const id = ids("Request")
    const expiresAt = now + pendingMillis
    const data = { operation, target: credentialId, bodyMark: "", expiresAt, memo: { clientPublicKey } }
    return answer<PasskeyAuthChallenge>(
      200,
      {
        ...toCredential(credential),
        type: "PASSKEY",
        credentialId: passkey.passkey.credentialId,
        challenge: passkeyChallenge(passkey.accountId, clientPublicKey, now),
        requestId: id,
        expiresAt: iso(expiresAt),
      },
      Changes.insert("SignedRequest", id, credential, data),
    )
  }

export interface PasskeyAssertionLoaded {
  readonly credential: Stored<"Credential">
  /** Pending request that the header names. */
  readonly request: Stored<"SignedRequest"> | undefined
}

/** An assertion that can be verified: the registered passkey, and the challenge that the assertion must answer. */
export interface VerifiableAssertion {
  readonly passkey: RegisteredPasskey
  readonly challenge: string
  readonly clientPublicKey: string
  readonly request: Stored<"SignedRequest">
}

/** Returns what the assertion must answer, or the refusal of a request that no assertion can answer. */
export const verifiableAssertion = (
  { credential, request }: PasskeyAssertionLoaded,
  { requestId }: WalletHeaders,
  now: number,
): Result.Result<VerifiableAssertion, Refusal> => {
  const { data, id } = credential
  if (data.type !== "PASSKEY") return Result.fail(typeMismatch(data.type))
  if (requestId === undefined) return Result.fail(missingRequestId)
  const pending = usableRequest(request, now)
  const memo = Option.getOrUndefined(decodeMemo(pending?.data.memo))
  if (pending === undefined || pending.data.target !== id || memo === undefined) {
    return Result.fail(unauthorizedFor("PASSKEY_CHALLENGE_SPENT"))
  }
  const { clientPublicKey } = memo
  const challenge = passkeyChallenge(data.accountId, clientPublicKey, pending.createdAt)
  return Result.succeed({ passkey: data.passkey, challenge, clientPublicKey, request: pending })
}

/** Result of an assertion. */
export type PasskeyUse = Pick<RegisteredPasskey, "signatureCount" | "userVerified">

export interface PasskeyAssertionFacts {
  /** `undefined` if the request cannot be answered. */
  readonly use: Result.Result<PasskeyUse, Refusal> | undefined
  /** Key of the session; `undefined` if the assertion was refused. */
  readonly key: Result.Result<SessionKey, Refusal> | undefined
}

/** Issues the session of a valid assertion and consumes the challenge. */
export const decidePasskeyAssertion =
  (headers: WalletHeaders, lifetimeMillis: number) =>
  (
    { credential, key, request, use }: PasskeyAssertionLoaded & PasskeyAssertionFacts,
    context: DecisionContext,
  ): Decision<AuthSession> => {
    const { ids, now } = context
    const { data } = credential
    const verifiable = verifiableAssertion({ credential, request }, headers, now)
    if (Result.isFailure(verifiable)) return refuse(verifiable.failure)
    if (use === undefined || data.type !== "PASSKEY") throw new Error("The passkey assertion was not verified.")
    if (Result.isFailure(use)) return refuse(use.failure)
    if (key === undefined) throw new Error("The session of a valid assertion has no key.")
    if (Result.isFailure(key)) return refuse(key.failure)
    const issued = issueSession(ids, now, credential, key.success, lifetimeMillis)
    return answer(
      200,
      issued.resource,
      Changes.combine(
        issued.changes,
        Changes.update(credential, { ...data, passkey: { ...data.passkey, ...use.success } }),
        consumeRequest(verifiable.success.request, undefined, context),
      ),
    )
  }
