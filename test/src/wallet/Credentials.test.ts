/** Passkey and OIDC credentials, duplicates and revocation over HTTP. Spec: 4.5; wire contract 4.2 to 4.6. */
import { Sandbox } from "@countersign/core/sandbox"
import { Layer } from "effect"
import { describe, expect, it } from "vitest"
import { type Harness, harness } from "../../../packages/test/src/harness/Harness.ts"
import { at } from "../customer/CustomerRequests.ts"
import { fakeChecks, tokenOf } from "./FakeChecks.ts"
import {
  addSms,
  contacts,
  newKey,
  newWallet,
  opened,
  type SignedIn,
  signed,
  signIn,
  signing,
  textAt,
  type WalletOf,
} from "./People.ts"

const options = { ports: Layer.merge(Sandbox.layer, fakeChecks) }

const passkey = (accountId: string, name: string, challenge = `challenge-${name}`) =>
  ({
    type: "PASSKEY",
    accountId,
    nickname: ` ${name} `,
    challenge,
    attestation: {
      credentialId: `id-${name}`,
      clientDataJson: challenge,
      attestationObject: "x",
      transports: ["internal"],
    },
  }) as const

const world = async () => {
  const pay = await harness(options)
  const wallet = await newWallet(pay)
  return { pay, wallet, session: await signIn(pay, wallet.emailId), [Symbol.asyncDispose]: pay[Symbol.asyncDispose] }
}

/** Refusal of a used registration challenge. */
const used = {
  code: "INVALID_INPUT",
  details: { reason: "Passkey challenge expired or already used", errors: [{ field: "challenge" }] },
}

const add = (pay: Harness, session: SignedIn, body: object) =>
  signed(pay, "POST", "/auth/credentials", session.key, body)

const listed = async (pay: Harness, { accountId }: WalletOf, of = "credentials") =>
  at(await pay.send("GET", `/auth/${of}?accountId=${accountId}`), "data")

describe("passkey credential", () => {
  // Proves: RES-CRED-06, RES-CRED-07, RES-CRED-08, RES-CRED-13, SIGN-02, SIGN-04, SIGN-06
  // Proves: STATE-SESSION-01, STATE-SESSION-04, STATE-SESSION-06, EP-WALLET-07, EP-WALLET-12, EP-WALLET-13, EP-WALLET-23
  // Proves: EP-WALLET-24, EP-WALLET-25
  it("signs in by passkey with a generated key or with the client's key", async () => {
    await using it = await world()
    const { pay, session, wallet } = it
    const added = await add(pay, session, passkey(wallet.accountId, "Phone"))
    expect(added).toMatchObject({ status: 201, body: { type: "PASSKEY", nickname: "Phone", credentialId: "id-Phone" } })
    const id = textAt(added, "id")
    const signInBy = async (clientPublicKey: string, count: number) => {
      const challenge = await pay.send("POST", `/auth/credentials/${id}/challenge`, { body: { clientPublicKey } })
      expect(challenge).toMatchObject({
        status: 200,
        body: { id, type: "PASSKEY", credentialId: "id-Phone", expiresAt: "2026-11-21T12:05:00Z" },
      })
      expect(textAt(challenge, "challenge")).toMatch(/^[0-9a-f]{64}$/u)
      const assertion = {
        credentialId: "id-Phone",
        clientDataJson: "x",
        authenticatorData: String(count),
        signature: `signed ${textAt(challenge, "challenge")}`,
      }
      const send = (
        patch: object = {},
        headers: Record<string, string> = { "request-id": textAt(challenge, "requestId") },
      ) =>
        pay.send("POST", `/auth/credentials/${id}/verify`, {
          body: { type: "PASSKEY", assertion: { ...assertion, ...patch } },
          headers,
        })
      return send
    }
    const client = await newKey()
    const first = await signInBy(client.publicKey.uncompressed, 1)
    expect(await first({}, {})).toMatchObject({ status: 401, body: { code: "REQUEST_ID_MISSING" } })
    expect(await first({}, { "request-id": "x" })).toMatchObject({
      status: 401,
      body: { reason: "Passkey challenge expired or already used" },
    })
    expect(await first({ signature: "x" })).toMatchObject({
      status: 401,
      body: { code: "UNAUTHORIZED", reason: "Invalid assertion signature" },
    })
    const reply = await first()
    expect(reply).toMatchObject({ status: 200, body: { type: "PASSKEY", nickname: "Phone", credentialId: "id-Phone" } })
    const held = await opened(client, textAt(reply, "encryptedSessionSigningKey"))
    expect(await first()).toMatchObject({ status: 401, body: { reason: "Passkey challenge expired or already used" } })
    const refresh = await signed(pay, "POST", `/auth/sessions/${textAt(reply, "id")}/refresh`, held, {
      clientPublicKey: client.publicKey.uncompressed,
    })
    expect(refresh).toMatchObject({ status: 201, body: { id: textAt(reply, "id") } })
    expect(textAt(refresh, "encryptedSessionSigningKey")).not.toBe(textAt(reply, "encryptedSessionSigningKey"))

    const own = await (await signInBy(client.publicKey.compressed, 2))()
    expect(own.status).toBe(200)
    expect(own.body).not.toHaveProperty("encryptedSessionSigningKey")
    expect((await signed(pay, "DELETE", `/auth/sessions/${textAt(own, "id")}`, client)).status).toBe(204)
    const stale = await (await signInBy(client.publicKey.compressed, 2))()
    expect(stale).toMatchObject({ status: 401, body: { reason: "Signature counter did not increase" } })
    const late = await signInBy(client.publicKey.compressed, 3)
    await pay.clock.advance("5 minutes")
    expect(await late()).toMatchObject({ status: 401, body: { reason: "Passkey challenge expired or already used" } })
    for (const entry of (await listed(pay, wallet, "sessions")) as ReadonlyArray<object>) {
      expect(entry).not.toHaveProperty("encryptedSessionSigningKey")
    }
  })

  // Proves: SIGN-02, SIGN-06
  // Proves: EP-WALLET-07, EP-WALLET-12
  it("refuses an invalid client key, an invalid nickname and a used challenge", async () => {
    await using it = await world()
    const { pay, session, wallet } = it
    const added = await add(pay, session, passkey(wallet.accountId, "A"))
    const path = `/auth/credentials/${textAt(added, "id")}/challenge`
    for (const body of [undefined, {}, { clientPublicKey: "04" }, { clientPublicKey: `04${"11".repeat(64)}` }]) {
      expect(await pay.send("POST", path, body === undefined ? {} : { body })).toMatchObject({
        status: 400,
        body: { code: "INVALID_INPUT", details: { errors: [{ field: "clientPublicKey" }] } },
      })
    }
    for (const nickname of ["", "   ", "x".repeat(101), "a/b"]) {
      const body = { ...passkey(wallet.accountId, "B"), nickname }
      expect(await pay.send("POST", "/auth/credentials", { body })).toMatchObject({
        status: 400,
        body: { details: { errors: [{ field: "nickname" }] } },
      })
    }
    const transports = { ...passkey(wallet.accountId, "B").attestation, transports: ["pigeon"] }
    expect(
      (
        await pay.send("POST", "/auth/credentials", {
          body: { ...passkey(wallet.accountId, "B"), attestation: transports },
        })
      ).status,
    ).toBe(400)
    expect(await add(pay, session, { ...passkey(wallet.accountId, "C"), challenge: "other" })).toMatchObject({
      status: 400,
      body: { code: "INVALID_INPUT", details: { reason: "Challenge mismatch", errors: [{ field: "challenge" }] } },
    })
    expect(await add(pay, session, passkey(wallet.accountId, "D", "challenge-A"))).toMatchObject({
      status: 400,
      body: used,
    })
    const another = await newWallet(pay, {})
    const stolen = passkey(another.accountId, "A")
    expect(await pay.send("POST", "/auth/credentials", { body: stolen })).toMatchObject({ status: 400, body: used })
  })

  // Proves: ERR-PASSKEY_CREDENTIAL_ALREADY_EXISTS
  it("registers a passkey once and accepts a second passkey", async () => {
    await using it = await world()
    const { pay, session, wallet } = it
    expect((await add(pay, session, passkey(wallet.accountId, "A"))).status).toBe(201)
    const twice = { ...passkey(wallet.accountId, "A", "fresh") }
    expect(await pay.send("POST", "/auth/credentials", { body: twice })).toMatchObject({
      status: 400,
      body: { code: "PASSKEY_CREDENTIAL_ALREADY_EXISTS" },
    })
    expect((await add(pay, session, passkey(wallet.accountId, "B"))).status).toBe(201)
  })
})

describe("OIDC credential", () => {
  // Proves: RES-CRED-06, SIGN-08, SBXAUTH-17, SBXAUTH-20
  // Proves: STATE-SESSION-01, EP-WALLET-08, EP-WALLET-21, EP-WALLET-22
  it("checks a token at registration, and signs in by a fresh token for the client's key", async () => {
    await using it = await world()
    const { pay, session, wallet } = it
    const body = {
      type: "OAUTH",
      accountId: wallet.accountId,
      oidcToken: tokenOf({ sub: "ada", email: "ada@mail.example" }),
    }
    const added = await add(pay, session, body)
    expect(added).toMatchObject({ status: 201, body: { type: "OAUTH", nickname: "ada@mail.example" } })
    const id = textAt(added, "id")
    const client = await newKey()
    const clientPublicKey = client.publicKey.uncompressed
    const verify = (oidcToken: string, key = clientPublicKey) =>
      pay.send("POST", `/auth/credentials/${id}/verify`, { body: { type: "OAUTH", oidcToken, clientPublicKey: key } })
    // The form of a key, and no point of the curve.
    const noKey = `04${"0".repeat(128)}`
    expect(await verify(tokenOf({ sub: "ada", nonce: noKey }), noKey)).toMatchObject({
      status: 400,
      body: { code: "INVALID_INPUT", details: { errors: [{ field: "clientPublicKey" }] } },
    })
    expect(await verify("x")).toMatchObject({ status: 400, body: { details: { errors: [{ field: "oidcToken" }] } } })
    expect(await verify(tokenOf({ sub: "eve", nonce: clientPublicKey }))).toMatchObject({
      status: 401,
      body: { code: "UNAUTHORIZED", reason: "Identity mismatch" },
    })
    expect(await verify(tokenOf({ sub: "ada", nonce: "other" }))).toMatchObject({
      status: 401,
      body: { reason: "Nonce mismatch" },
    })
    const reply = await verify(tokenOf({ sub: "ada", nonce: clientPublicKey }))
    expect(reply).toMatchObject({ status: 200, body: { type: "OAUTH", nickname: "ada@mail.example" } })
    const held = await opened(client, textAt(reply, "encryptedSessionSigningKey"))
    expect((await signed(pay, "DELETE", `/auth/sessions/${textAt(reply, "id")}`, held)).status).toBe(204)
    expect(await pay.send("POST", `/auth/credentials/${id}/challenge`)).toMatchObject({
      status: 400,
      body: {
        code: "INVALID_INPUT",
        message: "A credential of type OAUTH has no challenge: verify it with a fresh token.",
        details: { reason: "NO_CHALLENGE" },
      },
    })
    const again = { ...body, oidcToken: tokenOf({ sub: "ada", email: "other@mail.example" }) }
    expect(await pay.send("POST", "/auth/credentials", { body: again })).toMatchObject({
      status: 400,
      body: { code: "INVALID_INPUT", details: { errors: [{ field: "oidcToken" }] } },
    })
    const old = { ...body, oidcToken: tokenOf({ sub: "new", isOld: true }) }
    expect(await pay.send("POST", "/auth/credentials", { body: old })).toMatchObject({
      body: { reason: "Token too old" },
    })
  })

  it("stores no token, and does not check the token's age again at the retry", async () => {
    await using it = await world()
    const { pay, session, wallet } = it
    const oidcToken = tokenOf({ sub: "ada" })
    const body = { type: "OAUTH", accountId: wallet.accountId, oidcToken }
    const first = await pay.send("POST", "/auth/credentials", { body })
    expect(JSON.parse(textAt(first, "payloadToSign"))).toMatchObject({
      type: "ACTIVITY_TYPE_CREATE_OAUTH_PROVIDERS",
      parameters: { oauthProviders: [{ oidcToken, providerName: "Google" }], userId: wallet.customerId },
    })
    const added = await pay.send("POST", "/auth/credentials", { body, headers: await signing(first, session.key) })
    expect(added).toMatchObject({ status: 201, body: { nickname: "Google" } })
  })
})

describe("duplicate credential", () => {
  // Proves: ERR-EMAIL_OTP_CREDENTIAL_ALREADY_EXISTS, ERR-SMS_OTP_CREDENTIAL_ALREADY_EXISTS
  it("refuses a duplicate at the first call, and at the retry if it was added meanwhile", async () => {
    await using it = await world()
    const { pay, session, wallet } = it
    const body = { type: "EMAIL_OTP", accountId: wallet.accountId }
    expect(await pay.send("POST", "/auth/credentials", { body })).toMatchObject({
      status: 400,
      body: { code: "EMAIL_OTP_CREDENTIAL_ALREADY_EXISTS" },
    })
    const sms = { type: "SMS_OTP", accountId: wallet.accountId }
    const [first, second] = [
      await pay.send("POST", "/auth/credentials", { body: sms }),
      await pay.send("POST", "/auth/credentials", { body: sms }),
    ]
    const send = async (challenge: typeof first) =>
      pay.send("POST", "/auth/credentials", { body: sms, headers: await signing(challenge, session.key) })
    expect((await send(first)).status).toBe(201)
    expect(await send(second)).toMatchObject({ status: 400, body: { code: "SMS_OTP_CREDENTIAL_ALREADY_EXISTS" } })
  })
})

describe("revoked credential", () => {
  // Proves: EP-WALLET-05, EP-WALLET-26, EP-WALLET-27
  it("revokes a credential with its sessions, after which it may be registered anew", async () => {
    await using it = await world()
    const { pay, session, wallet } = it
    const smsId = textAt(await addSms(pay, wallet, session), "id")
    const bySms = await signIn(pay, smsId, "SMS_OTP")
    const path = `/auth/credentials/${wallet.emailId}`
    // A credential's own session cannot revoke it.
    expect(await signed(pay, "DELETE", path, session.key)).toMatchObject({
      status: 401,
      body: { code: "WALLET_SIGNATURE_INVALID", reason: "Session not admitted" },
    })
    const first = await pay.send("DELETE", path)
    expect(first).toMatchObject({ status: 202, body: { type: "EMAIL_OTP" } })
    expect(JSON.parse(textAt(first, "payloadToSign"))).toEqual({
      organizationId: wallet.accountId,
      parameters: { userEmail: "", userId: wallet.customerId },
      timestampMs: String(Date.UTC(2026, 10, 21, 12)),
      type: "ACTIVITY_TYPE_UPDATE_USER_EMAIL",
    })
    expect((await pay.send("DELETE", path, { headers: await signing(first, bySms.key) })).status).toBe(204)
    expect(await listed(pay, wallet)).toMatchObject([{ id: smsId }])
    expect(await listed(pay, wallet, "sessions")).toMatchObject([{ id: bySms.sessionId }])
    for (const gone of ["/challenge", "/verify", ""]) {
      const method = gone === "" ? "DELETE" : "POST"
      const body = gone === "/verify" ? { body: { type: "EMAIL_OTP", encryptedOtpBundle: "x" } } : {}
      expect(await pay.send(method, `${path}${gone}`, body)).toMatchObject({
        status: 404,
        body: { code: "REFERENCE_NOT_FOUND" },
      })
    }
    expect(await pay.send("DELETE", `/auth/credentials/${smsId}`)).toMatchObject({
      status: 400,
      body: { code: "INVALID_INPUT", details: { reason: "LAST_CREDENTIAL" } },
    })
    const anew = await add(pay, bySms, { type: "EMAIL_OTP", accountId: wallet.accountId })
    expect(anew).toMatchObject({ status: 201, body: { nickname: contacts.email } })
    expect(textAt(anew, "id")).not.toBe(wallet.emailId)
  })

  it("answers 404 for credentials and sessions of another platform and for unknown ones", async () => {
    await using it = await world()
    const unknownId = "00000000-0000-4000-8000-000000000009"
    for (const [method, path] of [
      ["DELETE", `/auth/credentials/AuthMethod:${unknownId}`],
      ["POST", `/auth/credentials/AuthMethod:${unknownId}/challenge`],
      ["DELETE", `/auth/sessions/Session:${unknownId}`],
      ["DELETE", "/auth/sessions/x"],
    ] as const) {
      expect(await it.pay.send(method, path)).toMatchObject({
        status: 404,
        body: {
          code: "REFERENCE_NOT_FOUND",
          message: path.includes("sessions") ? "No such session." : "No such credential.",
        },
      })
    }
  })
})
