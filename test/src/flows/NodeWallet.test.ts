/**
 * A wallet client that has nothing but `node:crypto` and an address: it signs in with each type of credential, fills the wallet, pays out
 * of it, refreshes and revokes sessions and exports the words.
 * Source: wire contract areas 3.4, 3.5 and 3.8; wire contract 4.
 */
import { randomBytes } from "node:crypto"
import { describe, expect, it } from "vitest"
import { at } from "../e2e/Client.ts"
import { serviceNames } from "../names/ServiceNames.ts"
import {
  type Answer,
  type Foreign,
  foreignClient,
  intoWallet,
  newBankAccount,
  newCustomer,
  textAt,
} from "./ForeignClient.ts"
import { type NodeKeys, newKeys } from "./NodeHpke.ts"
import { newPasskey } from "./NodePasskey.ts"
import { exportedWords, sealedCode, sessionKeys, sha256, stamp } from "./NodeWallet.ts"

/** Makes both calls of a signed request; returns the second answer. */
const signedCall = async (
  { send, signatureHeader }: Foreign,
  keys: NodeKeys,
  method: string,
  path: string,
  body?: object,
): Promise<Answer> => {
  const first = await send(method, path, body)
  expect([first.status, method, path]).toEqual([202, method, path])
  const signature = stamp(keys, textAt(first, "payloadToSign"))
  return send(method, path, body, { [signatureHeader]: signature, "Request-Id": textAt(first, "requestId") })
}

/** Signs in with the sandbox's code. The client's key is the session's key. */
const signInByCode = async (client: Foreign, walletId: string) => {
  const listed = await client.get(`/auth/credentials?accountId=${walletId}`)
  const credentialId = textAt(listed, "data", 0, "id")
  const challenge = await client.post(`/auth/credentials/${credentialId}/challenge`)
  const keys = newKeys()
  const encryptedOtpBundle = sealedCode(textAt(challenge, "otpEncryptionTargetBundle"), keys)
  const body = { type: "EMAIL_OTP", encryptedOtpBundle }
  const session = await signedCall(client, keys, "POST", `/auth/credentials/${credentialId}/verify`, body)
  expect(session).toMatchObject({ status: 200, body: { type: "EMAIL_OTP", accountId: walletId } })
  expect(session.body).not.toHaveProperty("encryptedSessionSigningKey")
  return { keys, credentialId, sessionId: textAt(session, "id") }
}

/** Fills the wallet with 25 dollars by realtime funding. */
const fill = async (client: Foreign, customerId: string, walletId: string) => {
  const source = { sourceType: "REALTIME_FUNDING", customerId, currency: "USD" }
  const quote = await client.post("/quotes", intoWallet(source, walletId))
  await client.post("/sandbox/send", { quoteId: textAt(quote, "id"), currencyCode: "USD" })
  await client.pay.settle()
}

/** Pays a dollar out of the wallet with the signature of a session's key. Returns the answer of the execution. */
const payOut = async (client: Foreign, bank: string, customerId: string, walletId: string, keys: NodeKeys) => {
  const quote = await client.post("/quotes", {
    source: { sourceType: "ACCOUNT", accountId: walletId, customerId },
    destination: { destinationType: "ACCOUNT", accountId: bank },
    lockedCurrencySide: "SENDING",
    lockedCurrencyAmount: 1_000_000,
  })
  const payload = textAt(quote, "paymentInstructions", 0, "accountOrWalletInfo", "payloadToSign")
  return client.post(`/quotes/${textAt(quote, "id")}/execute`, {}, { [client.signatureHeader]: stamp(keys, payload) })
}

const started = async (serviceName: string) => {
  const client = await foreignClient({ serviceName })
  const { customerId, walletId } = await newCustomer(client)
  const session = await signInByCode(client, walletId)
  const bank = await newBankAccount(client, customerId, "000")
  const pay = (keys: NodeKeys) => payOut(client, bank, customerId, walletId, keys)
  return { client, customerId, walletId, session, pay, [Symbol.asyncDispose]: client[Symbol.asyncDispose] }
}

const executed = { status: 200, body: { status: "PROCESSING" } }

describe.each(serviceNames)("a wallet client with node:crypto alone, at the service %s", (serviceName) => {
  it("fills a wallet, pays with the key of its code, and with that of a refreshed session only", async () => {
    await using it = await started(serviceName)
    const { client, customerId, pay, session, walletId } = it
    await fill(client, customerId, walletId)
    expect(await pay(session.keys)).toMatchObject(executed)
    const fresh = newKeys()
    const path = `/auth/sessions/${session.sessionId}/refresh`
    const clientPublicKey = fresh.uncompressed
    const refreshed = await signedCall(client, session.keys, "POST", path, { clientPublicKey })
    expect(refreshed).toMatchObject({ status: 201, body: { id: session.sessionId } })
    // The key of a code's session is the client's own, also after a refresh.
    expect(refreshed.body).not.toHaveProperty("encryptedSessionSigningKey")
    expect(await pay(session.keys)).toMatchObject({ status: 401, body: { code: "WALLET_SIGNATURE_INVALID" } })
    expect(await pay(fresh)).toMatchObject(executed)
    await client.pay.settle()
    const accounts = await client.get(`/customers/internal-accounts?customerId=${customerId}&type=EMBEDDED_WALLET`)
    expect(at(accounts.body, "data", 0, "balance", "amount")).toBe(23_000_000)
  })

  it("exports the words of the wallet, and revokes its session", async () => {
    await using it = await started(serviceName)
    const { client, session, walletId } = it
    const keys = newKeys()
    const body = { clientPublicKey: keys.uncompressed }
    const exported = await signedCall(client, session.keys, "POST", `/internal-accounts/${walletId}/export`, body)
    expect(exported).toMatchObject({ status: 200, body: { id: walletId } })
    expect(exportedWords(keys, textAt(exported, "encryptedWalletCredentials")).split(" ")).toHaveLength(12)
    const path = `/auth/sessions/${session.sessionId}`
    expect(await signedCall(client, session.keys, "DELETE", path)).toEqual({ status: 204, body: undefined })
    expect(await client.get(`/auth/sessions?accountId=${walletId}`)).toMatchObject({ status: 200, body: { data: [] } })
  })

  it("adds a passkey, signs in with it and with the legacy value, and pays with the keys of both sessions", async () => {
    await using it = await started(serviceName)
    const { client, customerId, pay, session, walletId } = it
    await fill(client, customerId, walletId)
    const passkey = newPasskey()
    const challenge = randomBytes(32).toString("base64url")
    const registration = { nickname: "Phone", challenge, attestation: passkey.attestation(challenge) }
    const body = { type: "PASSKEY", accountId: walletId, ...registration }
    const added = await signedCall(client, session.keys, "POST", "/auth/credentials", body)
    expect(added).toMatchObject({ status: 201, body: { type: "PASSKEY", nickname: "Phone" } })
    const path = `/auth/credentials/${textAt(added, "id")}`
    const legacy = { credentialId: "x", clientDataJson: "x", authenticatorData: "x" }
    for (const assertionOf of [
      passkey.assertion,
      () => ({ ...legacy, signature: "sandbox-valid-passkey-signature" }),
    ]) {
      const keys = newKeys()
      const asked = await client.post(`${path}/challenge`, { clientPublicKey: keys.uncompressed })
      const verify = { type: "PASSKEY", assertion: assertionOf(textAt(asked, "challenge")) }
      const headers = { "Request-Id": textAt(asked, "requestId") }
      const opened = await client.post(`${path}/verify`, verify, headers)
      expect(opened).toMatchObject({ status: 200, body: { type: "PASSKEY" } })
      expect(await pay(sessionKeys(keys, textAt(opened, "encryptedSessionSigningKey")))).toMatchObject(executed)
    }
  })

  it("adds an account at an OIDC provider, signs in with its token, refreshes, and revokes the first credential", async () => {
    await using it = await started(serviceName)
    const { client, customerId, pay, session, walletId } = it
    await fill(client, customerId, walletId)
    const now = Math.floor((await client.pay.clock.now()) / 1000)
    const part = (json: object) => Buffer.from(JSON.stringify(json)).toString("base64url")
    const tokenOf = (more: object = {}) => {
      const claims = {
        iss: "https://accounts.google.com",
        aud: "wallet",
        sub: "ada",
        iat: now,
        exp: now + 600,
        ...more,
      }
      return `${part({ alg: "RS256", typ: "JWT" })}.${part(claims)}.dummy`
    }
    const body = { type: "OAUTH", accountId: walletId, oidcToken: tokenOf() }
    const added = await signedCall(client, session.keys, "POST", "/auth/credentials", body)
    expect(added).toMatchObject({ status: 201, body: { type: "OAUTH" } })
    const keys = newKeys()
    const clientPublicKey = keys.uncompressed
    const oidcToken = tokenOf({ nonce: sha256(clientPublicKey).toString("hex") })
    const verify = { type: "OAUTH", oidcToken, clientPublicKey }
    const opened = await client.post(`/auth/credentials/${textAt(added, "id")}/verify`, verify)
    expect(opened).toMatchObject({ status: 200, body: { type: "OAUTH" } })
    const first = sessionKeys(keys, textAt(opened, "encryptedSessionSigningKey"))
    expect(await pay(first)).toMatchObject(executed)
    const fresh = newKeys()
    const refresh = { clientPublicKey: fresh.uncompressed }
    const refreshed = await signedCall(client, first, "POST", `/auth/sessions/${textAt(opened, "id")}/refresh`, refresh)
    const own = sessionKeys(fresh, textAt(refreshed, "encryptedSessionSigningKey"))
    expect(await pay(own)).toMatchObject(executed)
    expect(await signedCall(client, own, "DELETE", `/auth/credentials/${session.credentialId}`)).toMatchObject({
      status: 204,
    })
    expect(await pay(session.keys)).toMatchObject({ status: 401, body: { code: "WALLET_SIGNATURE_INVALID" } })
  })
})
