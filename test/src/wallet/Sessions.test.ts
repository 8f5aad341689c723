/** Sessions over HTTP: list, refresh, revocation and expiry; wallet export and privacy. Wire contract 4.6, 4.8 and 4.10. */
import { NodeCrypto } from "@countersign/adapter-http"
import { ExportBundle, type KeyPair } from "@countersign/core/crypto"
import { SessionLifetime } from "@countersign/core/ports"
import { Sandbox } from "@countersign/core/sandbox"
import { validateMnemonic } from "@scure/bip39"
import { wordlist } from "@scure/bip39/wordlists/english.js"
import { Effect, Layer, Redacted } from "effect"
import { describe, expect, it } from "vitest"
import { type Harness, harness } from "../../../packages/test/src/harness/Harness.ts"
import { at } from "../customer/CustomerRequests.ts"
import { newKey, newWallet, signed, signIn, textAt } from "./People.ts"

const world = async (options: Parameters<typeof harness>[0] = {}) => {
  const pay = await harness(options)
  const wallet = await newWallet(pay)
  return { pay, wallet, session: await signIn(pay, wallet.emailId), [Symbol.asyncDispose]: pay[Symbol.asyncDispose] }
}

const active = async (pay: Harness, accountId: string) => {
  const data = at(await pay.send("GET", `/auth/sessions?accountId=${accountId}`), "data")
  return (data as ReadonlyArray<{ readonly id: string }>).map(({ id }) => id)
}

describe("session", () => {
  // Proves: RES-CRED-05, SIGN-09
  // Proves: STATE-SESSION-04, STATE-SESSION-07, STATE-SESSION-08, STATE-SESSION-10, EP-WALLET-30, EP-WALLET-32
  it("refreshes a session with a new key and expiry, and refuses the old key", async () => {
    await using it = await world()
    const { pay, session, wallet } = it
    await pay.clock.advance("10 minutes")
    const key = await newKey()
    const path = `/auth/sessions/${session.sessionId}/refresh`
    // A session of a code always uses the client's key, in either encoding.
    const body = { clientPublicKey: key.publicKey.uncompressed }
    const first = await pay.send("POST", path, { body })
    expect(JSON.parse(textAt(first, "payloadToSign"))).toMatchObject({
      type: "ACTIVITY_TYPE_CREATE_READ_WRITE_SESSION_V2",
      parameters: { targetPublicKey: key.publicKey.uncompressed },
    })
    const reply = await signed(pay, "POST", path, session.key, body)
    expect(reply.status).toBe(201)
    expect(reply.body).toEqual({
      ...(session.reply.body as object),
      updatedAt: "2026-11-21T12:10:00Z",
      expiresAt: "2026-11-21T12:25:00Z",
    })
    expect(await active(pay, wallet.accountId)).toEqual([session.sessionId])
    const old = await signed(pay, "DELETE", `/auth/sessions/${session.sessionId}`, session.key)
    expect(old).toMatchObject({ status: 401, body: { code: "WALLET_SIGNATURE_INVALID", reason: "Session not active" } })
    await pay.clock.advance("14 minutes")
    expect((await signed(pay, "DELETE", `/auth/sessions/${session.sessionId}`, key)).status).toBe(204)
    expect(await active(pay, wallet.accountId)).toEqual([])
  })

  // Proves: RES-CRED-05, SIGN-05, LIM-01
  // Proves: STATE-SESSION-02, STATE-SESSION-05, STATE-SESSION-13, STATE-SESSION-14, EP-WALLET-29
  it("neither lists, refreshes nor revokes an expired session", async () => {
    await using it = await world()
    const { pay, session, wallet } = it
    await pay.clock.advance("899999 millis")
    expect(await active(pay, wallet.accountId)).toEqual([session.sessionId])
    await pay.clock.advance("1 millis")
    expect(await active(pay, wallet.accountId)).toEqual([])
    const path = `/auth/sessions/${session.sessionId}`
    const body = { clientPublicKey: (await newKey()).publicKey.compressed }
    expect(await pay.send("POST", `${path}/refresh`, { body })).toMatchObject({
      status: 401,
      body: { code: "UNAUTHORIZED", reason: "Session not active" },
    })
    expect(await pay.send("DELETE", path)).toMatchObject({ status: 404 })
    expect((await signIn(pay, wallet.emailId)).reply.status).toBe(200)
  })

  // Proves: LIM-01
  it("expires a session after the configured lifetime", async () => {
    const ports = Layer.merge(Sandbox.layer, Layer.succeed(SessionLifetime, 60_000))
    await using it = await world({ ports })
    expect(it.session.reply.body).toMatchObject({ expiresAt: "2026-11-21T12:01:00Z" })
  })

  // Proves: EP-WALLET-30
  it("refuses to refresh a session to an invalid key", async () => {
    await using it = await world()
    const send = (body: object) => it.pay.send("POST", `/auth/sessions/${it.session.sessionId}/refresh`, { body })
    for (const body of [{}, { clientPublicKey: "x" }, { clientPublicKey: `02${"ff".repeat(32)}` }]) {
      expect(await send(body)).toMatchObject({
        status: 400,
        body: { code: "INVALID_INPUT", details: { errors: [{ field: "clientPublicKey" }] } },
      })
    }
  })

  // Proves: STATE-SESSION-08, STATE-SESSION-09, EP-WALLET-28, EP-WALLET-29
  it("revokes another session of its wallet, but none of another wallet", async () => {
    await using it = await world()
    const { pay, session, wallet } = it
    await pay.clock.advance("1 second")
    const second = await signIn(pay, wallet.emailId)
    const stranger = await newWallet(pay, { email: "stranger@example.com" })
    expect(await active(pay, stranger.accountId)).toEqual([])
    expect(await active(pay, wallet.accountId)).toEqual([second.sessionId, session.sessionId])
    expect((await signed(pay, "DELETE", `/auth/sessions/${second.sessionId}`, session.key)).status).toBe(204)
    expect(await active(pay, wallet.accountId)).toEqual([session.sessionId])
  })
})

const wordsOf = async (pay: Harness, accountId: string, signer: KeyPair) => {
  const client = await newKey()
  const body = { clientPublicKey: client.publicKey.uncompressed }
  const reply = await signed(pay, "POST", `/internal-accounts/${accountId}/export`, signer, body)
  expect(reply).toMatchObject({ status: 200, body: { id: accountId } })
  const expected = { organizationId: accountId }
  const bundle = ExportBundle.open(client, textAt(reply, "encryptedWalletCredentials"), expected)
  return Redacted.value(await Effect.runPromise(Effect.provide(bundle, NodeCrypto.layer())))
}

describe("wallet", () => {
  // Proves: EP-WALLET-35, EP-WALLET-37
  it("exports the same BIP-39 words each time, and different words for each wallet", async () => {
    await using it = await world()
    const { pay, session, wallet } = it
    const words = await wordsOf(pay, wallet.accountId, session.key)
    expect(words.split(" ")).toHaveLength(12)
    expect(validateMnemonic(words, wordlist)).toBe(true)
    expect(await wordsOf(pay, wallet.accountId, session.key)).toBe(words)
    const other = await newWallet(pay, { email: "other@example.com" })
    expect(await wordsOf(pay, other.accountId, (await signIn(pay, other.emailId)).key)).not.toBe(words)
  })

  // Proves: EP-WALLET-38
  it("changes the privacy of a wallet in every resource that shows it", async () => {
    await using it = await world()
    const { pay, session, wallet } = it
    await pay.send("POST", `/sandbox/internal-accounts/${wallet.accountId}/fund`, { body: { amount: 7 } })
    const path = `/internal-accounts/${wallet.accountId}`
    const first = await pay.send("PATCH", path, { body: { privateEnabled: true } })
    expect(JSON.parse(textAt(first, "payloadToSign"))).toMatchObject({
      type: "ACTIVITY_TYPE_SIGN_RAW_PAYLOAD_V2",
      parameters: { payload: expect.stringMatching(/^[0-9a-f]{64}$/u), signWith: wallet.accountId },
    })
    const reply = await signed(pay, "PATCH", path, session.key, { privateEnabled: true })
    expect(reply).toMatchObject({
      status: 200,
      body: { privateEnabled: true, type: "EMBEDDED_WALLET", balance: { amount: 7 }, totalBalance: { amount: 7 } },
    })
    expect((await pay.send("GET", path)).body).toEqual(reply.body)
    expect((await pay.send("PATCH", path, { body: {} })).status).toBe(400)
  })

  // Proves: EP-WALLET-36
  it("answers 404 to export and privacy of another account type", async () => {
    await using it = await world()
    const { pay, wallet } = it
    const usd = await pay.send("GET", `/customers/internal-accounts?customerId=${wallet.customerId}&currency=USD`)
    expect(at(usd, "data", 0)).not.toHaveProperty("privateEnabled")
    const clientPublicKey = (await newKey()).publicKey.uncompressed
    for (const id of [textAt(usd, "data", 0, "id"), "InternalAccount:00000000-0000-4000-8000-000000000009", "x"]) {
      const replies = [
        await pay.send("PATCH", `/internal-accounts/${id}`, { body: { privateEnabled: true } }),
        await pay.send("POST", `/internal-accounts/${id}/export`, { body: { clientPublicKey } }),
      ]
      for (const reply of replies) expect(reply).toMatchObject({ status: 404, body: { code: "REFERENCE_NOT_FOUND" } })
    }
    const compressed = { clientPublicKey: (await newKey()).publicKey.compressed }
    expect(await pay.send("POST", `/internal-accounts/${wallet.accountId}/export`, { body: compressed })).toMatchObject(
      {
        status: 400,
        body: { details: { errors: [{ field: "clientPublicKey" }] } },
      },
    )
  })
})
