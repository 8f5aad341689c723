/** Sign-in by one-time codes over HTTP: e-mail, text message and wrong codes. Wire contract 4.3 to 4.6. */
import { Platforms } from "@countersign/core"
import { OtpSender } from "@countersign/core/ports"
import { Sandbox } from "@countersign/core/sandbox"
import { Effect, Layer, Redacted } from "effect"
import { TestClock } from "effect/testing"
import { describe, expect, it } from "vitest"
import { harness } from "../../../packages/test/src/harness/Harness.ts"
import { at } from "../customer/CustomerRequests.ts"
import { atEachStoreCall } from "../operation/AtStoreCalls.ts"
import {
  addSms,
  answerCode,
  contacts,
  newKey,
  newWallet,
  sealedCode,
  signed,
  signIn,
  signing,
  textAt,
} from "./People.ts"

const verifyPath = (credentialId: string) => `/auth/credentials/${credentialId}/verify`
const email = "EMAIL_OTP"

describe("first credential of a wallet", () => {
  it("creates an EMAIL_OTP credential for a customer with an e-mail address", async () => {
    await using pay = await harness()
    const { accountId, emailId } = await newWallet(pay)
    const listed = await pay.send("GET", `/auth/credentials?accountId=${accountId}`)
    expect(listed).toMatchObject({ status: 200 })
    expect(listed.body).toEqual({
      data: [
        {
          id: emailId,
          accountId,
          type: "EMAIL_OTP",
          nickname: contacts.email,
          createdAt: "2026-11-21T12:00:00Z",
          updatedAt: "2026-11-21T12:00:00Z",
        },
      ],
    })
    expect((await pay.send("GET", `/internal-accounts/${accountId}`)).body).toMatchObject({ privateEnabled: false })
  })

  // Proves: EP-WALLET-05, EP-WALLET-06, EP-WALLET-09, EP-WALLET-15, EP-WALLET-20
  it("creates no credential for a customer without an e-mail address, and registers the first without a signature", async () => {
    await using pay = await harness()
    const { accountId, customerId, emailId } = await newWallet(pay, { phoneNumber: contacts.phoneNumber })
    expect(emailId).toBe("")
    const noEmail = await pay.send("POST", "/auth/credentials", { body: { type: email, accountId } })
    expect(noEmail).toMatchObject({ status: 400, body: { details: { errors: [{ field: "type" }] } } })
    const first = await pay.send("POST", "/auth/credentials", { body: { type: "SMS_OTP", accountId } })
    expect(first).toMatchObject({ status: 201, body: { type: "SMS_OTP", nickname: contacts.phoneNumber, accountId } })
    expect(first.body).not.toHaveProperty("otpEncryptionTargetBundle")
    const session = await signIn(pay, textAt(first, "id"), "SMS_OTP")
    expect(session.reply).toMatchObject({ status: 200, body: { type: "SMS_OTP", nickname: contacts.phoneNumber } })
    await pay.send("PATCH", `/customers/${customerId}`, { body: { customerType: "INDIVIDUAL", email: contacts.email } })
    const added = await signed(pay, "POST", "/auth/credentials", session.key, { type: email, accountId })
    expect(added).toMatchObject({ status: 201, body: { type: email, nickname: contacts.email } })
  })

  // Proves: EP-WALLET-10, EP-WALLET-11
  it("registers a first EMAIL_OTP credential without sending a code", async () => {
    await using pay = await harness()
    const { accountId, customerId } = await newWallet(pay, {})
    await pay.send("PATCH", `/customers/${customerId}`, { body: { customerType: "INDIVIDUAL", email: contacts.email } })
    const first = await pay.send("POST", "/auth/credentials", { body: { type: email, accountId } })
    expect(first).toMatchObject({ status: 201, body: { type: email, accountId, nickname: contacts.email } })
    expect(first.body).not.toHaveProperty("otpEncryptionTargetBundle")
    const id = textAt(first, "id")
    const early = { type: email, encryptedOtpBundle: JSON.stringify({ encappedPublic: "x", ciphertext: "x" }) }
    expect(await pay.send("POST", verifyPath(id), { body: early })).toMatchObject({
      status: 401,
      body: { reason: "No pending OTP for this credential" },
    })
    expect((await signIn(pay, id)).reply).toMatchObject({ status: 200, body: { type: email } })
  })

  it("refuses a credential for another account type, an unknown account and an invalid id", async () => {
    await using pay = await harness()
    const { customerId } = await newWallet(pay)
    const usd = await pay.send("GET", `/customers/internal-accounts?customerId=${customerId}&currency=USD`)
    const send = (accountId: string) => pay.send("POST", "/auth/credentials", { body: { type: email, accountId } })
    expect(await send(textAt(usd, "data", 0, "id"))).toMatchObject({
      status: 400,
      body: { code: "INVALID_INPUT", details: { errors: [{ field: "accountId" }] } },
    })
    const unknownId = "InternalAccount:00000000-0000-4000-8000-000000000009"
    expect(await send(unknownId)).toMatchObject({
      status: 404,
      body: { code: "REFERENCE_NOT_FOUND", message: "No such internal account." },
    })
    for (const path of ["/auth/credentials", "/auth/sessions"]) {
      expect(await pay.send("GET", `${path}?accountId=${unknownId}`)).toMatchObject({ status: 200, body: { data: [] } })
      expect(await pay.send("GET", `${path}?accountId=x`)).toMatchObject({ status: 400 })
      expect(await pay.send("GET", path)).toMatchObject({ status: 400 })
    }
  })
})

describe("code by e-mail", () => {
  // Proves: RES-CRED-03, RES-CRED-04, RES-CRED-09, RES-CRED-10, RES-CRED-12, SIGN-14, SIGN-21, SBXAUTH-01
  // Proves: STATE-SESSION-01, STATE-SESSION-02, EP-WALLET-14, EP-WALLET-17, EP-WALLET-18, EP-WALLET-19, EP-WALLET-28
  it("issues a session for the key that was sealed with the code and has signed", async () => {
    await using pay = await harness()
    const { accountId, emailId } = await newWallet(pay)
    const challenge = await pay.send("POST", `/auth/credentials/${emailId}/challenge`)
    expect(challenge).toMatchObject({ status: 200, body: { id: emailId, type: email } })
    const key = await newKey()
    const clientPublicKey = key.publicKey.uncompressed
    const encryptedOtpBundle = await sealedCode(textAt(challenge, "otpEncryptionTargetBundle"), key)
    const body = { type: email, encryptedOtpBundle, clientPublicKey }
    const first = await pay.send("POST", verifyPath(emailId), { body })
    expect(first).toMatchObject({ status: 202, body: { type: email, expiresAt: "2026-11-21T12:05:00Z" } })
    const [, claims = ""] = textAt(first, "payloadToSign").split(".")
    expect(JSON.parse(atob(claims.replaceAll("-", "+").replaceAll("_", "/")))).toMatchObject({
      sub: emailId,
      organization_id: accountId,
      contact: contacts.email,
      verification_type: "OTP_TYPE_EMAIL",
      public_key: key.publicKey.compressed,
      exp: String(Date.UTC(2026, 10, 21, 12, 5)),
    })
    const second = await pay.send("POST", verifyPath(emailId), { body, headers: await signing(first, key) })
    expect(second.status).toBe(200)
    expect(second.body).toEqual({
      id: expect.stringMatching(/^Session:/u),
      accountId,
      type: email,
      nickname: contacts.email,
      createdAt: "2026-11-21T12:00:00Z",
      updatedAt: "2026-11-21T12:00:00Z",
      expiresAt: "2026-11-21T12:15:00Z",
    })
    expect((await pay.send("GET", `/auth/sessions?accountId=${accountId}`)).body).toEqual({ data: [second.body] })
    // Code and signature can be used once.
    expect(await pay.send("POST", verifyPath(emailId), { body, headers: await signing(first, key) })).toMatchObject({
      status: 401,
      body: { code: "UNAUTHORIZED", reason: "Request id unknown, expired or already used" },
    })
    expect(await pay.send("POST", verifyPath(emailId), { body })).toMatchObject({
      status: 401,
      body: { code: "UNAUTHORIZED", reason: "No pending OTP for this credential" },
    })
  })

  // Proves: SBXAUTH-01, ERR-RULE-04
  // Proves: EP-WALLET-17
  it("gives one reason for every invalid bundle", async () => {
    await using pay = await harness()
    const { emailId } = await newWallet(pay)
    const key = await newKey()
    const right = await answerCode(pay, emailId, key)
    const wrong = [
      "x",
      "{}",
      right.replace(/.{4}"\}$/u, '0000"}'),
      JSON.stringify({ ...JSON.parse(right), encappedPublic: key.publicKey.uncompressed }),
    ]
    for (const encryptedOtpBundle of wrong) {
      const reply = await pay.send("POST", verifyPath(emailId), { body: { type: email, encryptedOtpBundle } })
      expect(reply).toMatchObject({ status: 401, body: { code: "UNAUTHORIZED", reason: "Invalid OTP code" } })
    }
    const body = { type: email, encryptedOtpBundle: right }
    expect((await pay.send("POST", verifyPath(emailId), { body })).status).toBe(202)
  })

  // Proves: SIGN-07, SIGN-11
  it("requires the credential's type and the key that is sealed in the bundle", async () => {
    await using pay = await harness()
    const { emailId } = await newWallet(pay)
    const key = await newKey()
    const encryptedOtpBundle = await answerCode(pay, emailId, key)
    const send = (body: object) => pay.send("POST", verifyPath(emailId), { body })
    expect(await send({ type: "SMS_OTP", encryptedOtpBundle })).toMatchObject({
      status: 400,
      body: { details: { errors: [{ field: "type" }] } },
    })
    const clientPublicKey = (await newKey()).publicKey.uncompressed
    const other = await send({ type: email, encryptedOtpBundle, clientPublicKey })
    expect(other).toMatchObject({ status: 400, body: { details: { errors: [{ field: "clientPublicKey" }] } } })
    expect(await send({ type: email, encryptedOtpBundle: 5 })).toMatchObject({ status: 400 })
    expect(await send({ type: email })).toMatchObject({ status: 400 })
    expect((await send({ type: email, encryptedOtpBundle })).status).toBe(202)
  })

  // Proves: EP-WALLET-16
  it("invalidates a code with the next one and at its expiry", async () => {
    await using pay = await harness()
    const { emailId } = await newWallet(pay)
    const key = await newKey()
    const older = { type: email, encryptedOtpBundle: await answerCode(pay, emailId, key) }
    const newer = { type: email, encryptedOtpBundle: await answerCode(pay, emailId, key) }
    const send = (body: object) => pay.send("POST", verifyPath(emailId), { body })
    expect(await send(older)).toMatchObject({ status: 401, body: { reason: "Invalid OTP code" } })
    await pay.clock.advance("299999 millis")
    expect((await send(newer)).status).toBe(202)
    const late = { type: email, encryptedOtpBundle: await answerCode(pay, emailId, key) }
    await pay.clock.advance("5 minutes")
    expect(await send(late)).toMatchObject({ status: 401, body: { reason: "OTP expired" } })
  })

  // Proves: SBXAUTH-02
  it("closes a code after five wrong answers, and answers 429 after ten within 15 minutes", async () => {
    await using pay = await harness()
    const { emailId } = await newWallet(pay)
    const key = await newKey()
    const guess = async (body: object) => {
      const { body: answer, status } = await pay.send("POST", verifyPath(emailId), { body })
      return [status, at({ body: answer }, "reason") ?? at({ body: answer }, "code")]
    }
    const wrong = { type: email, encryptedOtpBundle: await answerCode(pay, emailId, key, "111111") }
    const tries = []
    for (let tried = 0; tried < 6; tried++) tries.push(await guess(wrong))
    expect(tries).toEqual([
      ...Array.from({ length: 5 }, () => [401, "Invalid OTP code"]),
      [401, "No pending OTP for this credential"],
    ])
    await pay.clock.advance("1 minute")
    const again = { type: email, encryptedOtpBundle: await answerCode(pay, emailId, key, "222222") }
    for (let tried = 0; tried < 5; tried++) expect(await guess(again)).toEqual([401, "Invalid OTP code"])
    const limited = await pay.send("POST", verifyPath(emailId), { body: again })
    expect(limited).toMatchObject({ status: 429, body: { code: "RATE_LIMITED" } })
    expect(limited.headers.get("retry-after")).toBe(String(14 * 60))
    expect(await pay.send("POST", `/auth/credentials/${emailId}/challenge`)).toMatchObject({ status: 429 })
    await pay.clock.advance("14 minutes")
    const right = { type: email, encryptedOtpBundle: await answerCode(pay, emailId, key) }
    expect((await pay.send("POST", verifyPath(emailId), { body: right })).status).toBe(202)
  })

  it("counts every wrong code of concurrent requests", async () => {
    await using pay = await harness({ interleave: 7 })
    const { emailId } = await newWallet(pay)
    const key = await newKey()
    const wrong = { type: email, encryptedOtpBundle: await answerCode(pay, emailId, key, "111111") }
    const replies = await Promise.all(
      Array.from({ length: 12 }, () => pay.send("POST", verifyPath(emailId), { body: wrong })),
    )
    const reasons = replies.map((reply) => at(reply, "reason"))
    expect(reasons.filter((reason) => reason === "Invalid OTP code")).toHaveLength(5)
    expect(reasons.filter((reason) => reason === "No pending OTP for this credential")).toHaveLength(7)
  })

  it("generates each code in the platform's format and sends it to the contact", async () => {
    const sent: Array<{ readonly type: string; readonly contact: string; readonly code: string }> = []
    const sender = Layer.succeed(OtpSender, {
      send: ({ code, contact, type }) =>
        Effect.sync(() => void sent.push({ type, contact, code: Redacted.value(code) })),
    })
    await using pay = await harness({ ports: Layer.merge(Sandbox.layer, sender) })
    const { emailId } = await newWallet(pay)
    await pay.send("POST", `/auth/credentials/${emailId}/challenge`)
    const settings = { otpLength: 10, alphanumeric: true, expirationSeconds: 60 }
    await pay.run(Platforms.use((platforms) => platforms.updateConfig({ embeddedWalletConfig: settings })))
    const key = await newKey()
    const challenge = await pay.send("POST", `/auth/credentials/${emailId}/challenge`)
    const [first, second] = sent
    expect([first?.code, second?.code]).toEqual([
      expect.stringMatching(/^\d{6}$/u),
      expect.stringMatching(/^(?=.*[A-Z])[0-9A-Z]{10}$/u),
    ])
    expect(second).toMatchObject({ type: email, contact: contacts.email })
    const bundle = textAt(challenge, "otpEncryptionTargetBundle")
    const body = { type: email, encryptedOtpBundle: await sealedCode(bundle, key, second?.code) }
    await pay.clock.advance("60 seconds")
    expect(await pay.send("POST", verifyPath(emailId), { body })).toMatchObject({ body: { reason: "OTP expired" } })
  })
})

describe("code by text message", () => {
  // Proves: RES-CRED-04, RES-CRED-12
  // Proves: EP-WALLET-06, EP-WALLET-20
  it("sends a code with an added SMS_OTP credential and issues a separate session", async () => {
    await using pay = await harness()
    const wallet = await newWallet(pay)
    const session = await signIn(pay, wallet.emailId)
    const added = await addSms(pay, wallet, session)
    expect(added).toMatchObject({ status: 201, body: { type: "SMS_OTP", nickname: contacts.phoneNumber } })
    await pay.clock.advance("1 second")
    const key = await newKey()
    const encryptedOtpBundle = await sealedCode(textAt(added, "otpEncryptionTargetBundle"), key)
    const body = { type: "SMS_OTP", encryptedOtpBundle }
    const reply = await signed(pay, "POST", verifyPath(textAt(added, "id")), key, body)
    expect(reply).toMatchObject({ status: 200, body: { type: "SMS_OTP", nickname: contacts.phoneNumber } })
    const sessions = await pay.send("GET", `/auth/sessions?accountId=${wallet.accountId}`)
    expect(at(sessions, "data")).toMatchObject([{ id: textAt(reply, "id") }, { id: session.sessionId }])
    expect(await addSms(pay, wallet, session)).toMatchObject({
      status: 400,
      body: { code: "SMS_OTP_CREDENTIAL_ALREADY_EXISTS" },
    })
  })
})

describe("a code that expires while it is answered", () => {
  it("is answered in time or refused, at whatever step of the answer it expires", async () => {
    await atEachStoreCall(async ({ around, overlap }) => {
      await using pay = await harness({ around, tape: false })
      const { emailId } = await newWallet(pay)
      const key = await newKey()
      const body = { type: email, encryptedOtpBundle: await answerCode(pay, emailId, key) }
      let reply: unknown
      const isOverlapped = await overlap(
        async () => {
          reply = await pay.send("POST", verifyPath(emailId), { body })
        },
        () => pay.run(TestClock.adjust("5 minutes")),
      )
      expect(reply).toMatchObject(isOverlapped ? { status: 401, body: { reason: "OTP expired" } } : { status: 202 })
      return isOverlapped
    })
  })
})
