/**
 * What each step of a sign-in stores: codes and their answers, challenges of passkeys and their assertions, and tokens.
 * Spec: Wallet action signing; Sandbox authentication behavior (2, 3); wire contract 4.4, 4.5, 4.9 and 11 (3, 26 to 28).
 */
import { Result } from "effect"
import { describe, expect, it } from "vitest"
import {
  decideOtpAnswer,
  decideOtpChallenge,
  type OtpAnswerFacts,
  otpMemo,
  otpTypeRefusal,
} from "../../../packages/core/src/decision/wallet/OtpSignInDecision.ts"
import {
  decidePasskeyAssertion,
  decidePasskeyChallenge,
  verifiableAssertion,
} from "../../../packages/core/src/decision/wallet/PasskeySignInDecision.ts"
import { decideTokenSignIn } from "../../../packages/core/src/decision/wallet/TokenSignInDecision.ts"
import { keyInBundle } from "../../../packages/core/src/model/wallet/SignedRequest.ts"
import { passkeyChallenge } from "../../../packages/core/src/model/wallet/SigningPayload.ts"
import {
  accountId,
  challengeOf,
  changesOf,
  contextOf,
  credentialOf,
  email,
  minute,
  now,
  oauth,
  passkey,
  requestOf,
  signed,
  signingOf,
  sms,
  writtenTo,
} from "./StoredCredentials.ts"

const refused = { code: "INVALID_INPUT", message: "No." } as const
const reason = (text: string) => ({ _tag: "Refuse", refusal: { code: "UNAUTHORIZED", details: { reason: text } } })
const otherType = (type: string) => ({
  refusal: { code: "INVALID_INPUT", message: `type: must be ${type}, as the credential's` },
})
const clientKey = { compressed: "02aa", uncompressed: "04aa" }
const session = {
  accountId,
  authMethodId: "AuthMethod:1",
  type: "EMAIL_OTP",
  nickname: "Phone",
  publicKey: "02aa",
  status: "ACTIVE",
  expiresAt: now + 7 * minute,
}
const issuedCounter = { key: "sessions:AuthMethod:1", customerId: "Customer:1", delta: 1 }

describe("a new code", () => {
  const issued = {
    stored: { challengeId: "d", contact: "ada@example.com", codeMark: "n", expiresAt: now + minute },
    bundle: "bundle",
  }
  const decided = (more: Partial<Parameters<typeof decideOtpChallenge>[0]> = {}) =>
    decideOtpChallenge({ credential: credentialOf(), challenge: undefined, issued, ...more }, contextOf())
  const fresh = { ...issued.stored, isAnswered: false, wrongCodes: 0, wrongAt: [] }

  it("is stored for its credential and sent, and the one before is erased", () => {
    expect(decided()).toMatchObject({
      status: 200,
      body: { id: "AuthMethod:1", type: "EMAIL_OTP", otpEncryptionTargetBundle: "bundle" },
    })
    expect(changesOf(decided()).inserts).toMatchObject([{ id: "AuthMethod:1", data: fresh }])
    expect(changesOf(decided()).guards).toEqual([{ kind: "Credential", id: "AuthMethod:1", version: 3 }])
    expect(changesOf(decided()).codeSends).toEqual([
      { channel: "EMAIL", recipient: "ada@example.com", customerId: "Customer:1" },
    ])
    const again = decided({ challenge: challengeOf({ wrongCodes: 3, wrongAt: [now - 1] }) })
    expect(changesOf(again).updates).toMatchObject([{ erasesHistory: true, data: { ...fresh, wrongAt: [now - 1] } }])
    expect(changesOf(again).inserts).toEqual([])
  })

  it("is refused for another credential, and after too many wrong ones", () => {
    expect(decided({ credential: credentialOf(passkey) })).toMatchObject(otherType("PASSKEY"))
    expect(decided({ issued: undefined })).toMatchObject(otherType("EMAIL_OTP"))
    expect(decided({ challenge: challengeOf({ wrongAt: Array.from({ length: 10 }, () => now) }) })).toMatchObject({
      refusal: { code: "RATE_LIMITED" },
    })
  })
})

describe("the answer to a code", () => {
  const memo = { publicKey: "02aa", token: "token", contact: "ada@example.com" }
  const allowedSigner = keyInBundle("02aa")
  const verify = { operation: "POST /auth/credentials/{id}/verify", target: credentialOf(), allowedSigner }
  const signingWith = (headers: object) =>
    signingOf({ ...verify, headers } as Parameters<typeof signingOf>[0], {
      request: requestOf({ operation: verify.operation, target: "AuthMethod:1" }),
      signature: { ...signed, allowedSigner },
    })
  const typed = (headers: object) => {
    const signing = signingWith(headers)
    return { ...signing, operation: { ...signing.operation, type: "EMAIL_OTP" as const } }
  }
  const [call, retry] = [typed({}), typed({ requestId: "Request:1", signature: "stamp" })]
  const decided = (
    facts: Partial<OtpAnswerFacts> = {},
    challenge: ReturnType<typeof challengeOf> | undefined = challengeOf(),
    credential = credentialOf(),
  ) =>
    decideOtpAnswer("EMAIL_OTP", 7 * minute)(
      { credential, challenge, clientKey: undefined, memo, signing: call, ...facts },
      contextOf(),
    )

  it("that is right is used up, and asks for the signature of the sealed key until the code ends", () => {
    for (const facts of [{}, { clientKey: Result.succeed(clientKey) }]) {
      const decision = decided(facts)
      expect(decision).toMatchObject({ status: 202, body: { type: "EMAIL_OTP" } })
      expect(writtenTo(decision, "OtpChallenge")).toEqual([{ ...challengeOf().data, isAnswered: true }])
      expect(writtenTo(decision, "SignedRequest")).toHaveLength(1)
      expect(changesOf(decision)).toMatchObject({
        validUntil: now + minute,
        guards: [{ kind: "Credential", id: "AuthMethod:1" }],
      })
    }
  })

  it("that is wrong is counted, and so is a right one beside another key", () => {
    const counted = [{ ...challengeOf().data, wrongCodes: 1, wrongAt: [now] }]
    const wrong = decided({ memo: undefined })
    expect(wrong).toMatchObject(reason("Invalid OTP code"))
    expect(writtenTo(wrong, "OtpChallenge")).toEqual(counted)
    const other = decided({ clientKey: Result.succeed({ ...clientKey, compressed: "02bb" }) })
    expect(other).toMatchObject({
      refusal: { message: "clientPublicKey: must be the key that is sealed in the bundle" },
    })
    expect(writtenTo(other, "OtpChallenge")).toEqual(counted)
    expect(decided({ memo: undefined, clientKey: Result.succeed(clientKey) })).toMatchObject(reason("Invalid OTP code"))
  })

  it("is refused without a count where no code is open", () => {
    const none = "No pending OTP for this credential"
    for (const [challenge, text] of [
      [challengeOf({ isAnswered: true }), none],
      [challengeOf({ wrongCodes: 5 }), none],
      [challengeOf({ contact: "old@example.com" }), none],
      [challengeOf({ expiresAt: now }), "OTP expired"],
    ] as const)
      for (const facts of [{}, { memo: undefined }]) {
        expect(decided(facts, challenge)).toMatchObject(reason(text))
        expect(changesOf(decided(facts, challenge))).toEqual({})
      }
    const absent = decideOtpAnswer("EMAIL_OTP", 1)(
      { credential: credentialOf(), challenge: undefined, clientKey: undefined, memo, signing: call },
      contextOf(),
    )
    expect(absent).toMatchObject(reason(none))
  })

  it("issues the session at its signed retry, while the contact is the same", () => {
    const decision = decided({ signing: retry })
    expect(decision).toMatchObject({ status: 200, body: { id: "Session:new", expiresAt: "2026-03-02T08:07:00Z" } })
    expect(Object(decision).body).not.toHaveProperty("encryptedSessionSigningKey")
    expect(writtenTo(decision, "Session")).toEqual([session])
    expect(changesOf(decision).counters).toContainEqual(issuedCounter)
    expect(changesOf(decision).guards).toContainEqual({ kind: "Credential", id: "AuthMethod:1", version: 3 })
    const spent = "Request id unknown, expired or already used"
    expect(decided({ signing: retry, memo: undefined })).toMatchObject(reason(spent))
    expect(decided({ signing: retry, memo: { ...memo, contact: "old@example.com" } })).toMatchObject(reason(spent))
  })

  it("is refused for another type and for the client's key", () => {
    expect(decided({}, challengeOf(), credentialOf(sms))).toMatchObject(otherType("SMS_OTP"))
    expect(decided({}, challengeOf(), credentialOf(oauth))).toMatchObject(otherType("OAUTH"))
    expect(decided({ clientKey: Result.fail(refused) })).toMatchObject({ refusal: refused })
    expect(() => decided({ signing: undefined })).toThrow("The signature of an acceptable OTP answer was not checked.")
    expect([
      otpTypeRefusal(email, "EMAIL_OTP"),
      otpTypeRefusal(email, "SMS_OTP")?.code,
      otpTypeRefusal(passkey, "EMAIL_OTP")?.code,
    ]).toEqual([undefined, "INVALID_INPUT", "INVALID_INPUT"])
  })

  it("keeps its facts with the request of the first call", () => {
    expect(otpMemo(requestOf({ memo }))).toEqual(memo)
    for (const request of [undefined, requestOf(), requestOf({ memo: { publicKey: "02aa" } })])
      expect(otpMemo(request)).toBeUndefined()
  })
})

describe("the challenge of a passkey", () => {
  const decided = (
    more: Partial<Parameters<ReturnType<typeof decidePasskeyChallenge>>[0]> = {},
    key: string | undefined = "04aa",
  ) =>
    decidePasskeyChallenge(key)(
      { credential: credentialOf(passkey), clientKey: Result.succeed(clientKey), ...more },
      contextOf(),
    )

  it("is the hash of the session to be created, and serves for five minutes", () => {
    expect(decided()).toMatchObject({
      status: 200,
      body: {
        id: "AuthMethod:1",
        type: "PASSKEY",
        credentialId: "cred",
        challenge: passkeyChallenge(accountId, "04aa", now),
        requestId: "Request:new",
        expiresAt: "2026-03-02T08:05:00Z",
      },
    })
    expect(writtenTo(decided(), "SignedRequest")).toEqual([
      {
        operation: "POST /auth/credentials/{id}/verify",
        target: "AuthMethod:1",
        bodyMark: "",
        expiresAt: now + 5 * minute,
        memo: { clientPublicKey: "04aa" },
      },
    ])
  })

  it("needs a valid key and a passkey", () => {
    const missing = decidePasskeyChallenge(undefined)(
      { credential: credentialOf(passkey), clientKey: undefined },
      contextOf(),
    )
    const errors = [{ field: "clientPublicKey", message: "is required", constraint: { required: true } }]
    expect(missing).toMatchObject({ refusal: { code: "INVALID_INPUT", details: { errors } } })
    expect(decided({ clientKey: Result.fail(refused) })).toMatchObject({ refusal: refused })
    expect(decided({ credential: credentialOf(oauth) })).toMatchObject(otherType("OAUTH"))
  })
})

describe("the assertion of a passkey", () => {
  const request = requestOf({ target: "AuthMethod:1", memo: { clientPublicKey: "04aa" } })
  const headers = { requestId: "Request:1" }
  const loaded = { credential: credentialOf(passkey), request }
  const use = { signatureCount: 2, userVerified: true }
  const facts = { use: Result.succeed(use), key: Result.succeed({ publicKey: "02aa", sealed: "sealed" }) }
  type Facts = Parameters<ReturnType<typeof decidePasskeyAssertion>>[0]
  const decided = (more: Partial<Facts> = {}, sent: { readonly requestId?: string } = headers) =>
    decidePasskeyAssertion(sent, 7 * minute)({ ...loaded, ...facts, ...more }, contextOf())

  it("issues a session, counts its signature and spends its challenge", () => {
    const decision = decided()
    expect(decision).toMatchObject({
      status: 200,
      body: { id: "Session:new", credentialId: "cred", encryptedSessionSigningKey: "sealed" },
    })
    expect(writtenTo(decision, "Session")).toEqual([{ ...session, type: "PASSKEY", credentialId: "cred" }])
    expect(writtenTo(decision, "Credential")).toEqual([{ ...passkey, passkey: { ...passkey.passkey, ...use } }])
    expect(writtenTo(decision, "SignedRequest")).toEqual([{ ...request.data, use: { at: now, actor: null } }])
    expect(changesOf(decision).validUntil).toBe(now + minute)
  })

  it("must answer a challenge that is open", () => {
    const challenge = passkeyChallenge(accountId, "04aa", now - minute)
    expect(verifiableAssertion(loaded, headers, now)).toEqual(
      Result.succeed({ passkey: passkey.passkey, challenge, clientPublicKey: "04aa", request }),
    )
    for (const other of [
      undefined,
      requestOf({ target: "AuthMethod:1" }),
      requestOf({ target: "AuthMethod:1", memo: {} }),
      requestOf({ target: "AuthMethod:2", memo: { clientPublicKey: "04aa" } }),
      requestOf({ ...request.data, expiresAt: now }),
      requestOf({ ...request.data, use: { at: 1, actor: null } }),
    ])
      expect(decided({ request: other })).toMatchObject(reason("Passkey challenge expired or already used"))
    expect(decided({ credential: credentialOf(email) })).toMatchObject(otherType("EMAIL_OTP"))
    expect(decided({}, {})).toMatchObject({
      refusal: {
        code: "REQUEST_ID_MISSING",
        message: "The header Request-Id is missing: send the requestId of the challenge.",
      },
    })
  })

  it("is refused by its check or the client's key", () => {
    expect(decided({ use: Result.fail(refused), key: undefined })).toMatchObject({ refusal: refused })
    expect(decided({ key: Result.fail(refused) })).toMatchObject({ refusal: refused })
    expect(() => decided({ use: undefined })).toThrow("The passkey assertion was not verified.")
    expect(() => decided({ key: undefined })).toThrow("The session of a valid assertion has no key.")
  })
})

describe("a token", () => {
  const decided = (more: Partial<Parameters<ReturnType<typeof decideTokenSignIn>>[0]> = {}) =>
    decideTokenSignIn(7 * minute)(
      {
        credential: credentialOf(oauth),
        key: Result.succeed({ publicKey: "02aa" }),
        identity: Result.succeed({ issuer: "i", audience: "a", subject: "s" }),
        ...more,
      },
      contextOf(),
    )

  it("issues a session for the client's key", () => {
    expect(decided()).toMatchObject({
      status: 200,
      body: { id: "Session:new", type: "OAUTH", createdAt: "2026-03-02T08:00:00Z" },
    })
    expect(writtenTo(decided(), "Session")).toEqual([{ ...session, type: "OAUTH" }])
    expect(changesOf(decided()).counters).toContainEqual(issuedCounter)
  })

  it("is refused for another type, the client's key, and its check, in this order", () => {
    const failed = Result.fail({ ...refused, message: "Second." })
    expect(decided({ credential: credentialOf(email), key: undefined })).toMatchObject(otherType("EMAIL_OTP"))
    expect(decided({ key: Result.fail(refused), identity: failed })).toMatchObject({ refusal: refused })
    expect(decided({ identity: failed })).toMatchObject({ refusal: { message: "Second." } })
    expect(() => decided({ identity: undefined })).toThrow("The token of an OAUTH sign-in was not checked.")
  })
})
