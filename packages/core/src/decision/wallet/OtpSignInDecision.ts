/**
 * Decides a sign-in by one-time code: the code that is sent, its answer, and the session of the key that the answer contained.
 * Spec: Wallet action signing; wire contract 4.4, 4.5, 4.9 and 11 (3); D-143, D-334.
 */
import { Option, Result, Schema } from "effect"
import type { PublicKey } from "../../foundation/crypto/PublicKey.ts"
import { invalidInput, type Refusal, unauthorizedFor } from "../../foundation/errors/ServiceError.ts"
import { type Credential, isOtp } from "../../model/wallet/Credential.ts"
import { type AuthCredentialChallenge, type AuthSession, toCredential } from "../../model/wallet/CredentialResource.ts"
import { typeMismatch } from "../../model/wallet/CredentialRules.ts"
import type { OtpType } from "../../model/wallet/CredentialType.ts"
import { newChallenge, OtpRules, rateLimitRefusal, withWrongCode } from "../../model/wallet/OtpRules.ts"
import { type AuthSignedRequestChallenge, isFirstCall, type SignedOperation } from "../../model/wallet/SignedRequest.ts"
import type { Stored } from "../../store/ChangeSet.ts"
import * as Changes from "../../store/Changes.ts"
import { answer, type Decision, type DecisionContext, refuse } from "../Decision.ts"
import { decideGuess } from "../GuessDecision.ts"
import { sendOf } from "./CredentialChanges.ts"
import type { IssuedChallenge } from "./CredentialDecision.ts"
import { issueSession } from "./SessionChanges.ts"
import { decideSigned, type SigningFacts } from "./SignedDecision.ts"
import { createPendingRequest } from "./SignedRequestChanges.ts"

/** Facts of the first call, stored until the retry: which key must sign which token, and where the code was sent. */
const Memo = Schema.Struct({ publicKey: Schema.String, token: Schema.String, contact: Schema.String })
export type OtpMemo = typeof Memo.Type
const decodeMemo = Schema.decodeUnknownOption(Memo)

/** Returns the facts that the first call stored with its request. */
export const otpMemo = (request: Stored<"SignedRequest"> | undefined): OtpMemo | undefined =>
  Option.getOrUndefined(decodeMemo(request?.data.memo))

type OtpOperation = SignedOperation & { readonly type: OtpType }

export interface OtpLoaded {
  readonly credential: Stored<"Credential">
  readonly challenge: Stored<"OtpChallenge"> | undefined
}

/** Replaces the credential's code by a new one. `issued` is `undefined` for a credential that is not an OTP credential. */
export const decideOtpChallenge = (
  { challenge, credential, issued }: OtpLoaded & { readonly issued: IssuedChallenge | undefined },
  { now }: DecisionContext,
): Decision<AuthCredentialChallenge> => {
  const { data: otp } = credential
  if (!isOtp(otp) || issued === undefined) return refuse(typeMismatch(otp.type))
  const refusal = rateLimitRefusal(challenge?.data, now)
  if (refusal !== undefined) return refuse(refusal)
  const data = newChallenge(challenge?.data, issued.stored, now)
  return answer<AuthCredentialChallenge>(
    200,
    { ...toCredential(credential), type: otp.type, otpEncryptionTargetBundle: issued.bundle },
    Changes.combine(
      challenge === undefined
        ? Changes.insert("OtpChallenge", credential.id, credential, data)
        : Changes.erase(challenge, data),
      Changes.guard(credential),
      sendOf(credential, otp),
    ),
  )
}

/** Returns the refusal of a credential of another type than the request's. */
export const otpTypeRefusal = (credential: Credential, type: OtpType): Refusal | undefined =>
  isOtp(credential) && credential.type === type ? undefined : typeMismatch(credential.type)

export interface OtpAnswerFacts {
  /** Key that was sent beside the bundle, or the refusal of an invalid one. */
  readonly clientKey: Result.Result<PublicKey, Refusal> | undefined
  /** Key and token of a bundle with the right code; `undefined` if the code is wrong or was not checked. */
  readonly memo: OtpMemo | undefined
  /** `undefined` if the type of the credential or the client's key is refused. */
  readonly signing: SigningFacts<OtpOperation> | undefined
}

const keyMismatch = invalidInput([
  { field: "clientPublicKey", message: "must be the key that is sealed in the bundle" },
])

/** First call: a right code is used up, a wrong one is counted, and so is a right one beside another key. */
const acceptCode = (
  {
    challenge,
    clientKey,
    contact,
    credential,
    memo,
    signing,
  }: OtpLoaded & {
    readonly clientKey: PublicKey | undefined
    readonly contact: string
    readonly memo: OtpMemo | undefined
    readonly signing: SigningFacts<OtpOperation>
  },
  context: DecisionContext,
): Decision<AuthSignedRequestChallenge> => {
  const { now } = context
  const failed = OtpRules.first({ challenge: challenge?.data, contact, now, isCorrect: memo !== undefined })
  if (challenge === undefined) return refuse(failed?.refusal ?? unauthorizedFor("OTP_NOT_PENDING"))
  const isMismatch = clientKey !== undefined && clientKey.compressed !== memo?.publicKey
  const wrong = Changes.update(challenge, withWrongCode(challenge.data, now))
  return decideGuess({
    refused: failed?.rule === "CODE_RIGHT" ? undefined : failed?.refusal,
    isRight: memo !== undefined,
    wrong: { refusal: failed?.refusal ?? unauthorizedFor("INVALID_OTP_CODE"), counted: wrong },
    right: () => {
      if (isMismatch) return { decision: refuse(keyMismatch), counted: wrong }
      const pending = createPendingRequest(signing, context)
      const validity = { validUntil: challenge.data.expiresAt }
      return {
        decision: { ...pending, changes: Changes.combine(pending.changes, Changes.guard(credential), validity) },
        counted: Changes.update(challenge, { ...challenge.data, isAnswered: true }),
      }
    },
  })
}

/** Issues the session. A code sent to a former contact of the customer is not valid any more. */
const issue = (
  credential: Stored<"Credential">,
  contact: string,
  memo: OtpMemo | undefined,
  { ids, now }: DecisionContext,
  lifetimeMillis: number,
): Decision<AuthSession> => {
  if (memo === undefined || memo.contact !== contact) return refuse(unauthorizedFor("REQUEST_SPENT"))
  const issued = issueSession(ids, now, credential, { publicKey: memo.publicKey }, lifetimeMillis)
  return answer(200, issued.resource, issued.changes)
}

/** First call: 202 for a right code. Retry: the session, once the sealed key has signed. */
export const decideOtpAnswer =
  (type: OtpType, lifetimeMillis: number) =>
  (
    { challenge, clientKey, credential, memo, signing }: OtpLoaded & OtpAnswerFacts,
    context: DecisionContext,
  ): Decision<AuthSession | AuthSignedRequestChallenge> => {
    const otp = credential.data
    if (!isOtp(otp) || otp.type !== type) return refuse(typeMismatch(otp.type))
    if (clientKey !== undefined && Result.isFailure(clientKey)) return refuse(clientKey.failure)
    if (signing === undefined) throw new Error("The signature of an acceptable OTP answer was not checked.")
    const { contact } = otp
    if (isFirstCall(signing.operation.headers)) {
      return acceptCode({ challenge, clientKey: clientKey?.success, contact, credential, memo, signing }, context)
    }
    return decideSigned(signing, context, issue(credential, contact, memo, context, lifetimeMillis))
  }
