/**
 * What the registration, the revocation and the change of a credential store, and when they are refused.
 * Spec: 4.5; wire contract 4.1 to 4.3, 4.7, 5.11 and 11 (23).
 */
import { Result } from "effect"
import { describe, expect, it } from "vitest"
import { answer, refuse } from "../../../packages/core/src/decision/Decision.ts"
import {
  type ContactChange,
  contactMemo,
  decideContactChange,
} from "../../../packages/core/src/decision/wallet/ContactChanges.ts"
import {
  addCredential,
  assertNoAddedCredential,
  sendOf,
  startingCredential,
} from "../../../packages/core/src/decision/wallet/CredentialChanges.ts"
import {
  decideCredentialRevocation,
  decideRegistration,
  isRegistrable,
  otpCredential,
  type RegistrationFacts,
  type RegistrationLoaded,
} from "../../../packages/core/src/decision/wallet/CredentialDecision.ts"
import {
  type Credential,
  credentialClaims,
  isChallengeClaim,
  isOtp,
} from "../../../packages/core/src/model/wallet/Credential.ts"
import { toCredential, toSession } from "../../../packages/core/src/model/wallet/CredentialResource.ts"
import type { CredentialType } from "../../../packages/core/src/model/wallet/CredentialType.ts"
import { customerOf } from "../quote/CreationFacts.ts"
import {
  accountId,
  changesOf,
  contextOf,
  credentialOf,
  email,
  internalOf,
  minute,
  now,
  oauth,
  owner,
  passkey,
  requestOf,
  sessionOf,
  signingOf,
  sms,
  walletOf,
  writtenTo,
} from "./StoredCredentials.ts"

const ada = { ...customerOf(), data: { ...customerOf().data, email: "ada@example.com", phoneNumber: "+15550001" } }
const loaded: RegistrationLoaded = {
  account: internalOf(),
  customer: ada,
  wallet: undefined,
  credentials: [],
  rootId: "root",
}
const issued = {
  stored: { challengeId: "c", contact: "ada@example.com", codeMark: "m", expiresAt: now + minute },
  bundle: "bundle",
}
const unsigned = {
  credential: Result.succeed(email),
  issued: undefined,
  signing: undefined,
} satisfies RegistrationFacts

const registered = (
  facts: Partial<RegistrationFacts> = {},
  more: Partial<RegistrationLoaded> = {},
  type: CredentialType = "EMAIL_OTP",
) => decideRegistration(type)({ ...loaded, ...unsigned, ...facts, ...more }, contextOf())
const messageOf = (of: ReturnType<typeof registered>) =>
  of._tag === "Refuse" ? [of.refusal.code, of.refusal.message] : [of.status]

describe("the first credential of a wallet", () => {
  it("makes the wallet of the newest root, without a signature", () => {
    const decision = registered()
    expect(decision).toMatchObject({
      status: 201,
      body: { id: "AuthMethod:new", accountId, type: "EMAIL_OTP", createdAt: "2026-03-02T08:00:00Z" },
    })
    expect(writtenTo(decision, "Credential")).toEqual([email])
    expect(writtenTo(decision, "Wallet")).toEqual([{ credentialIds: ["AuthMethod:new"], rootId: "root" }])
    expect(writtenTo(registered({}, { rootId: undefined }), "Wallet")).toEqual([{ credentialIds: ["AuthMethod:new"] }])
    expect(changesOf(decision).guards?.map(({ id }) => id)).toEqual([accountId, "Customer:1"])
    expect([changesOf(decision).codeSends, writtenTo(decision, "OtpChallenge")]).toEqual([[], []])
    expect(Object(decision)).not.toHaveProperty("body.otpEncryptionTargetBundle")
  })

  it("is that of a customer's embedded wallet", () => {
    const notWallet = ["INVALID_INPUT", "accountId: must be an embedded wallet"]
    expect(messageOf(registered({}, { account: internalOf("INTERNAL_CRYPTO") }))).toEqual(notWallet)
    expect(messageOf(registered({}, { account: { ...internalOf(), customerId: null } }))).toEqual(notWallet)
    const unknown = ["REFERENCE_NOT_FOUND", expect.stringContaining("internal account")]
    expect(messageOf(registered({}, { customer: undefined }))).toEqual(unknown)
    expect(messageOf(registered({}, { customer: { ...ada, data: { ...ada.data, isDeleted: true } } }))).toEqual(unknown)
  })

  it("needs the contact that its codes are sent to", () => {
    const { email: _email, phoneNumber: _phone, ...data } = ada.data
    const silent = { ...loaded, customer: { ...ada, data } }
    const byEmail = ["INVALID_INPUT", "type: needs a customer with an e-mail address"]
    const bySms = ["INVALID_INPUT", "type: needs a customer with a telephone number"]
    expect(messageOf(registered({}, silent))).toEqual(byEmail)
    expect(messageOf(registered({ credential: Result.succeed(sms) }, silent, "SMS_OTP"))).toEqual(bySms)
    expect(messageOf(registered({ credential: Result.succeed(passkey) }, silent, "PASSKEY"))).toEqual([201])
    expect([
      isRegistrable(silent, "EMAIL_OTP"),
      isRegistrable(silent, "SMS_OTP"),
      isRegistrable(silent, "OAUTH"),
      isRegistrable(loaded, "SMS_OTP"),
    ]).toEqual([false, false, true, true])
    expect(otpCredential(silent, "SMS_OTP")).toEqual(Result.fail(expect.objectContaining({ message: bySms[1] })))
    const { nickname: _, ...common } = email
    expect(otpCredential(loaded, "EMAIL_OTP")).toEqual(Result.succeed({ ...common, nickname: "ada@example.com" }))
    expect(otpCredential(loaded, "SMS_OTP")).toMatchObject({ success: { type: "SMS_OTP", contact: "+15550001" } })
  })

  it("is refused for its check, and where no check is stored", () => {
    const refused = { code: "UNAUTHORIZED", message: "Token expired" } as const
    expect(registered({ credential: Result.fail(refused) })).toMatchObject({ refusal: refused })
    expect(registered({ credential: Result.succeed(undefined) })).toMatchObject({
      refusal: { code: "UNAUTHORIZED", details: { reason: "Request id unknown, expired or already used" } },
    })
  })
})

describe("another credential of a wallet", () => {
  const wallet = walletOf(["AuthMethod:1"])
  const more = { wallet, credentials: [credentialOf(sms)] }
  const signing = signingOf(
    { operation: "POST /auth/credentials" },
    { request: requestOf({ operation: "POST /auth/credentials" }) },
  )

  it("is added once it is signed, and its code is sent after the commit", () => {
    expect(registered({ signing: signingOf({ headers: {} }) }, more)).toMatchObject({
      status: 202,
      body: { type: "EMAIL_OTP" },
    })
    const decision = registered({ signing, issued }, more)
    expect(decision).toMatchObject({ status: 201, body: { otpEncryptionTargetBundle: "bundle" } })
    expect(writtenTo(decision, "Wallet")).toEqual([
      { credentialIds: ["AuthMethod:1", "AuthMethod:new"], rootId: "root" },
    ])
    expect(writtenTo(decision, "OtpChallenge")).toEqual([
      { ...issued.stored, isAnswered: false, wrongCodes: 0, wrongAt: [] },
    ])
    expect(changesOf(decision).codeSends).toEqual([
      { channel: "EMAIL", recipient: "ada@example.com", customerId: "Customer:1" },
    ])
  })

  it("is not one that the wallet has", () => {
    const code = (credential: Credential) =>
      messageOf(
        registered(
          { credential: Result.succeed(credential), signing },
          { ...more, credentials: [credentialOf(credential)] },
          credential.type,
        ),
      )[0]
    expect([email, sms, oauth].map(code)).toEqual([
      "EMAIL_OTP_CREDENTIAL_ALREADY_EXISTS",
      "SMS_OTP_CREDENTIAL_ALREADY_EXISTS",
      "INVALID_INPUT",
    ])
  })
})

describe("the unique keys of a credential", () => {
  it("are its type and identity in its wallet, and the challenge of a passkey for ever", () => {
    const keysOf = (credential: Credential) =>
      credentialClaims(credential).map(({ key, scope }) => [scope, key.split(":").slice(0, -1).join(":")])
    const own = (type: string) => ["platform", `credential:${accountId}:${type}`]
    expect(keysOf(email)).toEqual([own("EMAIL_OTP")])
    expect(keysOf(oauth)).toEqual([own("OAUTH")])
    expect(keysOf(passkey)).toEqual([own("PASSKEY"), ["platform", "passkey-registration"]])
    expect(keysOf({ ...passkey, isRevoked: true })).toEqual([["platform", "passkey-registration"]])
    expect(credentialClaims({ ...email, isRevoked: true })).toEqual([])
    expect(credentialClaims(passkey).map(isChallengeClaim)).toEqual([false, true])
    const keys = [email, oauth, passkey].map(
      (credential) => credentialClaims(credential)[0]?.key.split(":").at(-1)?.length,
    )
    expect(keys).toEqual([0, 64, 64])
    expect([email, sms, oauth, passkey].map(isOtp)).toEqual([true, true, false, false])
  })
})

describe("the revocation of a credential", () => {
  const revoked = (wallet: ReturnType<typeof walletOf> | undefined, sessions = [sessionOf()]) =>
    decideCredentialRevocation(
      { credential: credentialOf(), wallet, sessions, issuedSessions: 4, signing: signingOf() },
      contextOf(),
    )

  it("ends its sessions, and asserts that it has issued no other", () => {
    const decision = revoked(walletOf(["AuthMethod:1", "AuthMethod:2"]))
    expect(decision).toMatchObject({ status: 204, body: null })
    expect(writtenTo(decision, "Credential")).toEqual([{ ...email, isRevoked: true }])
    expect(writtenTo(decision, "Wallet")).toEqual([{ credentialIds: ["AuthMethod:2"], rootId: "root" }])
    expect(writtenTo(decision, "Session")).toEqual([{ ...sessionOf().data, status: "REVOKED" }])
    expect(changesOf(decision).counters).toContainEqual({
      key: "sessions:AuthMethod:1",
      customerId: "Customer:1",
      delta: 0,
      expected: 4,
    })
  })

  it("leaves at least one", () => {
    for (const wallet of [walletOf(["AuthMethod:1"]), undefined])
      expect(revoked(wallet)).toMatchObject({
        refusal: { code: "INVALID_INPUT", details: { reason: "LAST_CREDENTIAL" } },
      })
  })
})

describe("the change of a contact", () => {
  const change: ContactChange = {
    type: "EMAIL_OTP",
    contact: "new@example.com",
    credentials: [credentialOf(email, "AuthMethod:2"), credentialOf(email), credentialOf(passkey, "AuthMethod:3")],
    isTaken: false,
  }
  const updated = answer(200, "customer", { validUntil: 9 })
  const memo = ["AuthMethod:1", "AuthMethod:2", "AuthMethod:3"]

  it("changes the credentials of its type together with the customer", () => {
    expect(contactMemo(change)).toEqual(memo)
    for (const stored of [undefined, memo]) {
      const decision = decideContactChange(updated, change, stored)
      expect(decision).toMatchObject({ status: 200, body: "customer", changes: { validUntil: 9 } })
      const next = { ...email, contact: "new@example.com", nickname: "new@example.com" }
      expect(writtenTo(decision, "Credential")).toEqual([next, next])
    }
  })

  it("is refused with the customer's, for a taken contact, and for other credentials than at the first call", () => {
    const refused = refuse({ code: "INVALID_INPUT", message: "No." })
    expect(decideContactChange(refused, { ...change, isTaken: true }, memo)).toEqual(refused)
    for (const [type, field] of [
      ["EMAIL_OTP", "email"],
      ["SMS_OTP", "phoneNumber"],
    ] as const)
      expect(decideContactChange(updated, { ...change, type, isTaken: true }, memo)).toEqual(
        refuse({
          code: "EMAIL_OTP_EMAIL_ALREADY_EXISTS",
          message: "Another customer signs in by this address or number.",
          details: { field },
        }),
      )
    expect(decideContactChange(updated, change, memo.slice(1))).toEqual(
      refuse({
        code: "EMAIL_OTP_CREDENTIAL_SET_CHANGED",
        message: "The credentials tied to this contact have changed since the request was made: make it again.",
      }),
    )
  })
})

describe("the changes of credentials", () => {
  it("start a wallet with the address of its customer", () => {
    const { inserts } = startingCredential(contextOf().ids, owner, accountId, {
      email: "ada@example.com",
      rootId: undefined,
    })
    expect(inserts).toEqual([
      { ...owner, kind: "Credential", id: "AuthMethod:new", data: { ...email, nickname: "ada@example.com" } },
      { ...owner, kind: "Wallet", id: accountId, data: { credentialIds: ["AuthMethod:new"] } },
    ])
    expect(addCredential("AuthMethod:2", owner, { rootId: "root" }, sms).inserts?.[1]?.data).toEqual({
      credentialIds: ["AuthMethod:2"],
      rootId: "root",
    })
  })

  it("assert that none was added, and send codes by the channel of their type", () => {
    expect(assertNoAddedCredential("Customer:1", 3).counters).toMatchObject([
      { customerId: "Customer:1", delta: 0, expected: 3 },
    ])
    const sent = [email, sms].flatMap((credential) =>
      isOtp(credential) ? (sendOf(owner, credential).codeSends ?? []) : [],
    )
    expect(sent).toEqual([
      { channel: "EMAIL", recipient: "ada@example.com", customerId: "Customer:1" },
      { channel: "SMS", recipient: "+15550001", customerId: "Customer:1" },
    ])
  })
})

it("credentials and sessions show a passkey's id, and no other secret", () => {
  const dates = { createdAt: "2026-03-02T07:59:00Z", updatedAt: "2026-03-02T07:59:00Z" }
  const shown = { id: "AuthMethod:1", accountId, type: "EMAIL_OTP", nickname: "Phone", ...dates }
  expect(toCredential(credentialOf())).toEqual(shown)
  expect(toCredential(credentialOf(passkey))).toEqual({ ...shown, type: "PASSKEY", credentialId: "cred" })
  const session = { ...shown, id: "Session:1", expiresAt: "2026-03-02T08:01:00Z" }
  expect(toSession(sessionOf())).toEqual(session)
  expect(toSession(sessionOf({ credentialId: "cred" }))).toEqual({ ...session, credentialId: "cred" })
})
