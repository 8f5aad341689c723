/**
 * Sign-in by a one-time code: a code is sent; the client answers with the code and its key, both sealed; then that key signs, and
 * becomes the session's.
 * Spec: Wallet action signing; wire contract 4.4, 4.5, 4.9 and 11 (3); D-143.
 */
import { Clock, Effect, Option, Schema } from "effect"
import * as SessionChanges from "../../decision/wallet/SessionChanges.ts"
import { decideSigned, pend, type Signing } from "../../decision/wallet/SignedDecision.ts"
import { invalidInput, ServiceError, unauthorizedFor } from "../../foundation/errors/ServiceError.ts"
import { isOtp, type OtpCredential } from "../../model/wallet/Credential.ts"
import type { OtpVerify } from "../../model/wallet/CredentialRequest.ts"
import { type AuthCredentialChallenge, type AuthSession, toCredential } from "../../model/wallet/CredentialResource.ts"
import { otherType } from "../../model/wallet/CredentialRules.ts"
import type { OtpType } from "../../model/wallet/CredentialType.ts"
import { limited, OtpRules, renewed, withWrongCode } from "../../model/wallet/OtpRules.ts"
import { type SignedOperation, sealedKey, type WalletHeaders } from "../../model/wallet/SignedRequest.ts"
import * as Operation from "../../operation/Operation.ts"
import { SessionLifetime } from "../../settings/SessionLifetime.ts"
import type { Stored } from "../../store/ChangeSet.ts"
import * as Changes from "../../store/Changes.ts"
import { type IssuedCode, OtpChallenges, type RightCode } from "./OtpChallenges.ts"
import { clientKey } from "./SessionKey.ts"
import { SignedRequests } from "./SignedRequests.ts"
import { isFirstCall, readCredential, readSettings } from "./WalletReads.ts"

/** What the first call found out: whose key has to sign what. The code went to `contact`. */
const Memo = Schema.Struct({ publicKey: Schema.String, token: Schema.String, contact: Schema.String })
const decodeMemo = Schema.decodeUnknownOption(Memo)
const memoOf = (request: Stored<"SignedRequest"> | undefined) => Option.getOrUndefined(decodeMemo(request?.data.memo))

interface Answer {
  readonly credential: Stored<"Credential">
  readonly otp: OtpCredential
  readonly challenge: Stored<"OtpChallenge"> | undefined
  readonly right: RightCode | undefined
  /** Compressed: the client's key, where it was sent beside the bundle. */
  readonly sentKey: string | undefined
  readonly signing: Signing<SignedOperation & { readonly type: OtpType }>
}

const otherKey = invalidInput([{ field: "clientPublicKey", message: "must be the key that is sealed in the bundle" }])

/** The first call: a right code is used up by it, a wrong one is counted. */
const decideCode = (
  { challenge, credential, otp, right, sentKey, signing }: Answer,
  context: Operation.DecisionContext,
) => {
  const { now } = context
  const facts = { challenge: challenge?.data, contact: otp.contact, now, isRight: right !== undefined }
  const failed = OtpRules.first(facts)
  if (failed !== undefined || challenge === undefined) {
    const isWrong = failed?.rule === "CODE_RIGHT" && challenge !== undefined
    const refusal = failed?.refusal ?? unauthorizedFor("OTP_NOT_PENDING")
    return Operation.refuse(refusal, isWrong ? Changes.update(challenge, withWrongCode(challenge.data, now)) : {})
  }
  if (sentKey !== undefined && sentKey !== right?.publicKey) return Operation.refuse(otherKey)
  const decision = pend(signing, context)
  if (decision._tag === "Refuse") return decision
  const answered = Changes.update(challenge, { ...challenge.data, isAnswered: true })
  const changes = Changes.combine(decision.changes, answered, Changes.guard(credential), {
    validUntil: challenge.data.expiresAt,
  })
  return { ...decision, changes }
}

export const make = Effect.gen(function* () {
  const codes = yield* OtpChallenges
  const requests = yield* SignedRequests
  const lifetime = yield* SessionLifetime

  const load = Effect.fnUntraced(function* (read: Operation.Read, credentialId: string) {
    const credential = yield* readCredential(read, credentialId)
    const otp = credential.data
    if (!isOtp(otp)) return yield* new ServiceError(otherType(otp.type))
    const found = yield* read({ records: [{ kind: "OtpChallenge", id: credentialId }] })
    return { credential, otp, challenge: found.record("OtpChallenge", credentialId) }
  })

  const loadChallenge = Effect.fnUntraced(function* (read: Operation.Read, credentialId: string) {
    const loaded = yield* load(read, credentialId)
    const refusal = limited(loaded.challenge?.data, yield* Clock.currentTimeMillis)
    if (refusal !== undefined) return yield* new ServiceError(refusal)
    const issued = yield* codes.issue(loaded.credential, loaded.otp, yield* readSettings(read))
    return { ...loaded, issued }
  })

  /** Sends a new code; the one before it is dead. */
  const challenge = Effect.fnUntraced(function* (credentialId: string) {
    let sent: IssuedCode | undefined
    const answered = yield* Operation.run({
      name: "OtpSignIns.challenge",
      load: (read) => loadChallenge(read, credentialId),
      decide: ({ challenge: before, credential, issued, otp }, { now }) => {
        sent = issued
        const data = renewed(before?.data, issued.kept, now)
        return Operation.answer<AuthCredentialChallenge>(
          200,
          { ...toCredential(credential), type: otp.type, otpEncryptionTargetBundle: issued.bundle },
          Changes.combine(
            before === undefined
              ? Changes.insert("OtpChallenge", credential.id, credential, data)
              : Changes.erase(before, data),
            Changes.guard(credential),
          ),
        )
      },
    })
    // After the commit: what is sent belongs to a challenge that is kept.
    if (sent !== undefined) yield* codes.send(sent)
    return answered
  })

  /** What the bundle holds, looked at only where a code could be right. */
  const opened = Effect.fnUntraced(function* (
    { challenge: stored, credential, otp }: Effect.Success<ReturnType<typeof load>>,
    bundle: string,
  ) {
    const now = yield* Clock.currentTimeMillis
    const failed = OtpRules.first({ challenge: stored?.data, contact: otp.contact, now, isRight: true })
    return stored === undefined || failed !== undefined
      ? undefined
      : yield* codes.open(credential.id, otp, stored.data, bundle)
  })

  const loadAnswer = Effect.fnUntraced(function* (
    read: Operation.Read,
    credentialId: string,
    request: OtpVerify,
    headers: WalletHeaders,
  ) {
    const loaded = yield* load(read, credentialId)
    const { credential, otp } = loaded
    if (otp.type !== request.type) return yield* new ServiceError(otherType(otp.type))
    const sentKey = request.clientPublicKey && (yield* clientKey(request.clientPublicKey)).compressed
    const isFirst = isFirstCall(headers)
    const right = isFirst ? yield* opened(loaded, request.encryptedOtpBundle) : undefined
    const memo = isFirst
      ? right && { ...right, contact: otp.contact }
      : memoOf(yield* requests.pending(read, headers.requestId))
    const signing = yield* requests.load(read, {
      operation: "POST /auth/credentials/{id}/verify",
      target: credential,
      body: request,
      headers,
      admits: sealedKey(memo?.publicKey ?? ""),
      payload: () => memo?.token ?? "",
      type: otp.type,
      ...(memo === undefined ? {} : { memo }),
    })
    return { ...loaded, right, sentKey, signing, memo }
  })

  const verify = Effect.fnUntraced(function* (credentialId: string, request: OtpVerify, headers: WalletHeaders) {
    return yield* Operation.run({
      name: "OtpSignIns.verify",
      load: (read) => loadAnswer(read, credentialId, request, headers),
      decide: ({ memo, ...answer }, context) => {
        if (isFirstCall(headers)) return decideCode(answer, context)
        const { credential, otp, signing } = answer
        return decideSigned(signing, context, (): Operation.Decision<AuthSession> => {
          // A code that went to an address that is the customer's no longer opens nothing.
          if (memo === undefined || memo.contact !== otp.contact) {
            return Operation.refuse(unauthorizedFor("REQUEST_SPENT"))
          }
          const { ids, now } = context
          const issued = SessionChanges.issue(ids, now, credential, { publicKey: memo.publicKey }, lifetime)
          return Operation.answer(200, issued.answer, issued.changes)
        })
      },
    })
  })

  return { challenge, verify }
})
