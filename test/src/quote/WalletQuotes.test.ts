/** Quotes out of an embedded wallet: their payload, and their execution with every wrong signature. Wire contract 4.8, 5.5; D-240. */
import { SignatureChecks, signatureChecks } from "@countersign/core/ports"
import { Layer } from "effect"
import { describe, expect, it } from "vitest"
import { at, type QuoteHarness } from "../../../packages/test/src/harness/QuoteHarness.ts"
import { newKey, newWallet, signed, signIn, stamp } from "../wallet/People.ts"
import { idOf, payloadOf, signs, walletHarness } from "./Wallets.ts"

const signature = "service-wallet-signature"
type Headers = { readonly [name: string]: string }

const verdict = (reply: { readonly status: number; readonly body: unknown }) => [
  reply.status,
  at(reply, "code"),
  at(reply, "reason") ?? null,
]
const unsigned = [401, "WALLET_SIGNATURE_INVALID", "Invalid wallet signature"]
const inactive = [401, "WALLET_SIGNATURE_INVALID", "Session not active"]
const malformed = [401, "WALLET_SIGNATURE_MALFORMED", null]
const missing = [401, "WALLET_SIGNATURE_MISSING", null]

const execute = (pay: QuoteHarness, quoteId: string, headers: Headers = {}) =>
  pay.send("POST", `/quotes/${quoteId}/execute`, { headers })

describe("the payload to sign", () => {
  // Proves: RES-PAYIN-10
  // Proves: EP-WALLET-46
  it("is in the quote's only instruction, minified and in the order of the sample", async () => {
    await using pay = await walletHarness()
    const quote = await pay.quote(await pay.quoteRequest())
    expect(quote).toMatchObject({
      status: 201,
      body: { status: "PENDING", sendingCurrency: { code: "USDB" }, totalSendingAmount: 10_000_000 },
    })
    expect(at(quote, "paymentInstructions")).toEqual([
      { accountOrWalletInfo: { accountType: "EMBEDDED_WALLET", payloadToSign: expect.any(String) } },
    ])
    const payload = payloadOf(quote)
    const read: unknown = JSON.parse(payload)
    expect(JSON.stringify(read)).toBe(payload)
    expect(Object.keys(read as object)).toEqual([
      "type",
      "timestampMs",
      "organizationId",
      "parameters",
      "generateAppProofs",
    ])
    expect(read).toEqual({
      type: "ACTIVITY_TYPE_SIGN_TRANSACTION_V2",
      timestampMs: String(await pay.clock.now()),
      organizationId: pay.walletId,
      parameters: {
        signWith: pay.walletId,
        unsignedTransaction: expect.stringMatching(/^[0-9a-f]{64}$/u),
        type: "TRANSACTION_TYPE_ETHEREUM",
      },
      generateAppProofs: true,
    })
    await pay.clock.advance("10 seconds")
    expect(payloadOf(await pay.getQuote(idOf(quote)))).toBe(payload)
  })

  it("differs between two quotes with the same terms", async () => {
    await using pay = await walletHarness()
    const [one, two] = [await pay.quote(await pay.quoteRequest()), await pay.quote(await pay.quoteRequest())]
    expect(payloadOf(one)).not.toBe(payloadOf(two))
    expect(verdict(await execute(pay, idOf(two), await signs(one, pay.session.key)))).toEqual(unsigned)
  })

  // Proves: EP-WALLET-44
  it("exists for wallets only; other quotes ignore a signature", async () => {
    await using pay = await walletHarness()
    await pay.fund("USD", 10_000)
    const source = { sourceType: "ACCOUNT", accountId: await pay.accountId("USD") }
    const quote = await pay.quote({ ...(await pay.quoteRequest(1000)), source })
    expect(quote.body).not.toHaveProperty("paymentInstructions")
    expect((await execute(pay, idOf(quote), { [signature]: "!" })).status).toBe(200)
  })

  it("cannot be signed at creation: immediatelyExecute is refused", async () => {
    await using pay = await walletHarness()
    expect(await pay.quote(await pay.quoteRequest(1_000_000, { immediatelyExecute: true }))).toMatchObject({
      status: 400,
      body: { code: "INVALID_INPUT", details: { errors: [{ field: "immediatelyExecute" }] } },
    })
  })
})

describe("execution", () => {
  // Proves: SIGN-34
  // Proves: EP-WALLET-42, EP-WALLET-43, EP-WALLET-47
  it("refuses every wrong signature without effect, then executes once", async () => {
    await using pay = await walletHarness()
    const quote = await pay.quote(await pay.quoteRequest())
    const right = await signs(quote, pay.session.key)
    const stranger = await signIn(pay, (await newWallet(pay, { email: "stranger@example.com" })).emailId)
    const wrong: ReadonlyArray<readonly [string, Headers, ReadonlyArray<unknown>]> = [
      ["no signature", {}, missing],
      ["an empty signature", { [signature]: "" }, missing],
      ["a request id alone", { "request-id": "Request:00000000-0000-4000-8000-000000000009" }, missing],
      ["no base64", { [signature]: "!" }, malformed],
      ["no JSON", { [signature]: btoa("x") }, malformed],
      ["no members", { [signature]: btoa("{}") }, malformed],
      ["a signature of something else", { [signature]: await stamp(pay.session.key, "something else") }, unsigned],
      [
        "a signature of the same JSON, written otherwise",
        { [signature]: await stamp(pay.session.key, `${payloadOf(quote)} `) },
        unsigned,
      ],
      ["a key that nobody knows", await signs(quote, await newKey()), inactive],
      ["the session of another wallet", await signs(quote, stranger.key), inactive],
    ]
    for (const [what, headers, expected] of wrong) {
      expect([what, ...verdict(await execute(pay, idOf(quote), headers))]).toEqual([what, ...expected])
    }
    expect(await pay.getQuote(idOf(quote))).toMatchObject({ body: { status: "PENDING" } })
    const done = await execute(pay, idOf(quote), { ...right, "request-id": "ignored" })
    expect(done).toMatchObject({ status: 200, body: { status: "PROCESSING" } })
    // The signature is checked before the state, so a caller that cannot sign learns nothing about the state.
    expect(verdict(await execute(pay, idOf(quote), { [signature]: "!" }))).toEqual(malformed)
    expect(await execute(pay, idOf(quote), right)).toMatchObject({
      status: 409,
      body: { code: "CONFLICT", details: { reason: "QUOTE_ALREADY_EXECUTED" } },
    })
    await pay.settle()
    expect(await pay.getQuote(idOf(quote))).toMatchObject({ body: { status: "COMPLETED" } })
    expect(await pay.transaction(quote)).toMatchObject({ body: { status: "COMPLETED", receivedAmount: {} } })
    await pay.checkBooks()
  })

  it("checks the signature after 404 and before the funds", async () => {
    await using pay = await walletHarness()
    expect(verdict(await execute(pay, "Quote:x", { [signature]: "!" }))).toEqual([404, "QUOTE_NOT_FOUND", null])
    const quote = await pay.quote(await pay.quoteRequest(50_000_001))
    expect(verdict(await execute(pay, idOf(quote)))).toEqual(missing)
    expect(await execute(pay, idOf(quote), await signs(quote, pay.session.key))).toMatchObject({
      status: 400,
      body: { code: "INVALID_INPUT", details: { reason: "INSUFFICIENT_FUNDS" } },
    })
  })

  it("refuses a revoked or expired session and accepts any other session of the wallet", async () => {
    await using pay = await walletHarness()
    const second = await signIn(pay, pay.emailId)
    await signed(pay, "DELETE", `/auth/sessions/${second.sessionId}`, pay.session.key)
    const quote = await pay.quote(await pay.quoteRequest())
    expect(verdict(await execute(pay, idOf(quote), await signs(quote, second.key)))).toEqual(inactive)
    await pay.clock.advance("15 minutes")
    const later = await pay.quote(await pay.quoteRequest())
    expect(verdict(await execute(pay, idOf(later), await signs(later, pay.session.key)))).toEqual(inactive)
    const third = await signIn(pay, pay.emailId)
    expect((await execute(pay, idOf(later), await signs(later, third.key))).status).toBe(200)
  })

  it("is refused after the quote expires, whatever the signature", async () => {
    await using pay = await walletHarness()
    const quote = await pay.quote(await pay.quoteRequest())
    const headers = await signs(quote, pay.session.key)
    await pay.clock.advance("5 minutes")
    expect(await execute(pay, idOf(quote), headers)).toMatchObject({
      status: 409,
      body: { details: { reason: "QUOTE_EXPIRED" } },
    })
  })

  it.each([1, 2, 3])(
    "executes once for one signature sent five times concurrently, with interleaving %i",
    async (interleave) => {
      await using pay = await walletHarness({ interleave })
      const quote = await pay.quote(await pay.quoteRequest())
      const headers = await signs(quote, pay.session.key)
      const replies = await Promise.all(Array.from({ length: 5 }, () => execute(pay, idOf(quote), headers)))
      expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409, 409])
      await pay.settle()
      await pay.checkBooks()
      const wallet = await pay.send("GET", `/internal-accounts/${pay.walletId}`)
      expect(at(wallet, "balance", "amount")).toBe(40_000_000)
    },
  )

  it("depends on its session until the commit", async () => {
    for (const interleave of [1, 2, 3, 4]) {
      await using pay = await walletHarness({ interleave })
      const quote = await pay.quote(await pay.quoteRequest())
      const headers = await signs(quote, pay.session.key)
      const [executed] = await Promise.all([
        execute(pay, idOf(quote), headers),
        signed(pay, "DELETE", `/auth/sessions/${pay.session.sessionId}`, pay.session.key),
      ])
      expect([[200, undefined, null], inactive]).toContainEqual(verdict(executed))
      const { body } = await pay.getQuote(idOf(quote))
      expect(at({ body }, "status")).toBe(executed.status === 200 ? "PROCESSING" : "PENDING")
    }
  })

  it("stores the response of a right signature under its key, not that of a wrong one", async () => {
    await using pay = await walletHarness()
    const quote = await pay.quote(await pay.quoteRequest())
    const key = { "idempotency-key": "rent" }
    expect(verdict(await execute(pay, idOf(quote), { ...key, [signature]: "!" }))).toEqual(malformed)
    const right = { ...key, ...(await signs(quote, pay.session.key)) }
    const first = await execute(pay, idOf(quote), right)
    const again = await execute(pay, idOf(quote), key)
    expect([first.status, again.status, again.body]).toEqual([200, 200, first.body])
  })

  it("accepts the sandbox's literal signature in the sandbox only, with an active session", async () => {
    const literal = { [signature]: "sandbox-valid-signature" }
    await using pay = await walletHarness()
    const quote = await pay.quote(await pay.quoteRequest())
    expect((await execute(pay, idOf(quote), literal)).status).toBe(200)
    await pay.clock.advance("15 minutes")
    const late = await pay.quote(await pay.quoteRequest())
    expect(verdict(await execute(pay, idOf(late), literal))).toEqual(inactive)
    await using live = await walletHarness({ ports: Layer.succeed(SignatureChecks, signatureChecks) })
    const other = await live.quote(await live.quoteRequest())
    expect(verdict(await execute(live, idOf(other), literal))).toEqual(malformed)
  })

  it("requires the signature first, then strong authentication", async () => {
    await using pay = await walletHarness({ scaRegions: ["EU"] }, { region: "EU" })
    const quote = await pay.quote(await pay.quoteRequest())
    expect(quote.status).toBe(201)
    expect(verdict(await execute(pay, idOf(quote)))).toEqual(missing)
    const challenged = await execute(pay, idOf(quote), await signs(quote, pay.session.key))
    expect(challenged).toMatchObject({ status: 200, body: { status: "PENDING_AUTHORIZATION", scaChallenge: {} } })
    expect(payloadOf(challenged)).toBe(payloadOf(quote))
    const authorize = await pay.send("POST", `/quotes/${idOf(quote)}/authorize`, { body: { code: "123456" } })
    expect(authorize).toMatchObject({ status: 200, body: { status: "PROCESSING" } })
  })
})
