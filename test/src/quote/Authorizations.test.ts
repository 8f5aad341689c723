/** Quotes of customers under strong authentication. Wire contract 5.5, 5.7 and 5.12; D-129. */

import { ScaProvider } from "@countersign/core/ports"
import { SandboxSca } from "@countersign/core/sandbox"
import { Effect, Layer } from "effect"
import { describe, expect, it } from "vitest"
import type { Reply } from "../../../packages/test/src/harness/Harness.ts"
import { at, between, type QuoteHarness, quoteHarness } from "../../../packages/test/src/harness/QuoteHarness.ts"
import type { WorldOptions } from "../../../packages/test/src/harness/World.ts"
import { serviceNames } from "../names/ServiceNames.ts"
import { atEachStoreCall } from "../operation/AtStoreCalls.ts"
import { recording } from "../sca/TrustWorld.ts"

const idOf = (reply: { readonly body: unknown }) => String(at(reply, "id"))
const person = { region: "EU", phoneNumber: "+14155550123" }

const regulated = async (options: WorldOptions = {}, customer: object = {}) => {
  const pay = await quoteHarness({ scaRegions: ["EU"], ...options }, { ...person, ...customer })
  await pay.fund("USD", 100_000)
  return pay
}

const quoteRequest = async (pay: QuoteHarness, more: object = {}) =>
  between(await pay.accountId("USD"), await pay.external("MXN"), 10_000, more)

const answer = (pay: QuoteHarness, quote: { readonly body: unknown }, body: object = { code: "123456" }) =>
  pay.send("POST", `/quotes/${idOf(quote)}/authorize`, { body })
const resend = (pay: QuoteHarness, quote: { readonly body: unknown }) =>
  pay.send("POST", `/quotes/${idOf(quote)}/authorize/resend`)

const payer = async (pay: QuoteHarness) => ({
  source: { sourceType: "REALTIME_FUNDING", currency: "USD", customerId: pay.customerId },
  destination: { destinationType: "ACCOUNT", accountId: await pay.external("MXN") },
  lockedCurrencySide: "SENDING",
  lockedCurrencyAmount: 10_000,
})

/** The sandbox's provider, which records its requests. */
const recordingProvider = (requests: Array<string>, purposes?: readonly [string, ...ReadonlyArray<string>]) =>
  Layer.effect(
    ScaProvider,
    Effect.map(ScaProvider, (provider) => ({
      ...provider,
      ...(purposes === undefined ? {} : { purposes: () => Effect.succeed(purposes) }),
      challenge: (request: Parameters<typeof provider.challenge>[0]) => {
        requests.push(`${request.factor} ${request.phoneNumber ?? ""}`.trim())
        return provider.challenge(request)
      },
    })),
  ).pipe(Layer.provide(SandboxSca.layer))

describe("an execution under strong authentication", () => {
  it("is challenged or executed when its customer leaves the region meanwhile", async () => {
    await atEachStoreCall(async ({ around, overlap }) => {
      await using pay = await regulated({ around })
      const quote = await pay.quote(await quoteRequest(pay))
      const body = { customerType: "INDIVIDUAL", region: "US" }
      let executed: Reply | undefined
      const isOverlapped = await overlap(
        async () => {
          executed = await pay.execute(idOf(quote))
        },
        () => pay.send("PATCH", `/customers/${pay.customerId}`, { body }),
      )
      // After the commit the operation reads the quote once more, to send the code: a change then leaves the challenge as it is.
      expect(executed?.status).toBe(200)
      expect(["PROCESSING", "PENDING_AUTHORIZATION"]).toContain(at(executed ?? { body: {} }, "status"))
      return isOverlapped
    })
  })

  // Proves: RES-QUOTE-04, RES-QUOTE-23
  it("requires a code and continues when it is right", async () => {
    const requests: Array<string> = []
    await using pay = await regulated({ ports: recordingProvider(requests) })
    const quote = await pay.quote(await quoteRequest(pay))
    expect(quote).toMatchObject({ status: 201, body: { status: "PENDING" } })
    expect(await answer(pay, quote)).toMatchObject({ status: 409, body: { code: "CONFLICT" } })
    const challenged = await pay.execute(idOf(quote))
    expect(challenged).toMatchObject({
      status: 200,
      body: {
        status: "PENDING_AUTHORIZATION",
        scaChallenge: {
          id: expect.stringMatching(/^ScaChallenge:/u),
          factor: "SMS_OTP",
          availableFactors: ["SMS_OTP"],
          expiresAt: "2026-11-21T12:05:00Z",
          purpose: "PAYMENT",
        },
      },
    })
    expect(requests).toEqual(["SMS_OTP +14155550123"])
    expect(await pay.transaction(quote)).toMatchObject({ body: { status: "PENDING_AUTHORIZATION" } })
    expect(await pay.balances("USD")).toEqual([100_000, 100_000])
    expect(await pay.execute(idOf(quote))).toMatchObject({
      status: 409,
      body: { details: { reason: "AUTHORIZATION_PENDING" } },
    })
    expect(await answer(pay, quote, { code: "000000" })).toMatchObject({
      status: 400,
      body: { code: "INVALID_INPUT", details: { errors: [{ field: "code" }] } },
    })
    const done = await answer(pay, quote)
    expect(done).toMatchObject({ status: 200, body: { status: "PROCESSING" } })
    expect(done.body).not.toHaveProperty("scaChallenge")
    await pay.settle()
    expect(pay.eventNames(at(quote, "transactionId"))).toEqual([
      "PENDING",
      "PENDING_AUTHORIZATION",
      "PROCESSING",
      "COMPLETED",
    ])
    expect(await answer(pay, quote)).toMatchObject({
      status: 409,
      body: { details: { reason: "NO_CHALLENGE_PENDING" } },
    })
    await pay.checkBooks()
  })

  it.each(serviceNames)(
    "requires a code for immediatelyExecute, and replays the challenge without sending another code, at the service %s",
    async (serviceName) => {
      const requests: Array<string> = []
      await using pay = await regulated({ serviceName, ports: recordingProvider(requests) })
      const body = await quoteRequest(pay, { immediatelyExecute: true })
      const headers = { "idempotency-key": "november" }
      const [first, again] = [await pay.quote(body, headers), await pay.quote(body, headers)]
      expect(first).toMatchObject({ status: 202, body: { status: "PENDING_AUTHORIZATION" } })
      expect([again.status, again.body]).toEqual([202, first.body])
      expect(requests).toHaveLength(1)
      expect((await answer(pay, first)).body).toMatchObject({ status: "PROCESSING" })
    },
  )

  it("hands the provider all that the customer answers, and nothing that it does not", async () => {
    const { checked, codes, ports } = recording()
    await using pay = await regulated({ ports })
    const quote = await pay.quote(await quoteRequest(pay))
    const challenged = await pay.execute(idOf(quote))
    const challenge = {
      customerId: pay.customerId,
      challengeId: at(challenged, "scaChallenge", "id"),
      factor: "SMS_OTP",
    }
    const origin = "https://sandbox.example"
    await answer(pay, quote, { code: "000000", origin, endUserIpAddress: "203.0.113.7" })
    await answer(pay, quote, { code: "000001", origin: null, endUserIpAddress: null, passkeyAssertion: null })
    const code = expect.anything()
    expect(checked).toEqual([
      { ...challenge, code, origin, endUserIpAddress: "203.0.113.7" },
      { ...challenge, code },
    ])
    expect(codes).toEqual(["000000", "000001"])
  })

  it("can require several challenges, each with an event", async () => {
    const requests: Array<string> = []
    await using pay = await regulated({ ports: recordingProvider(requests, ["CONVERSION", "PAYOUT"]) })
    const quote = await pay.quote(await quoteRequest(pay))
    const first = await pay.execute(idOf(quote))
    expect(at(first, "scaChallenge", "purpose")).toBe("CONVERSION")
    const second = await answer(pay, quote)
    expect(second).toMatchObject({
      status: 200,
      body: { status: "PENDING_AUTHORIZATION", scaChallenge: { purpose: "PAYOUT" } },
    })
    expect(at(second, "scaChallenge", "id")).not.toBe(at(first, "scaChallenge", "id"))
    expect(requests).toHaveLength(2)
    expect((await answer(pay, quote)).body).toMatchObject({ status: "PROCESSING" })
    await pay.settle()
    expect(pay.eventNames(at(quote, "transactionId")).join(" ")).toBe(
      "PENDING PENDING_AUTHORIZATION PENDING_AUTHORIZATION PROCESSING COMPLETED",
    )
  })

  it("shows the passkey options of each challenge", async () => {
    const requests: Array<string> = []
    await using pay = await regulated({ ports: recordingProvider(requests, ["CONVERSION", "PAYOUT"]) })
    const confirm = { type: "PASSKEY", origin: "https://sandbox.example", credential: { id: "key-1" } }
    const query = `?customerId=${pay.customerId}`
    const quote = await pay.quote(await quoteRequest(pay))
    expect(await pay.execute(idOf(quote), { scaFactor: "PASSKEY" })).toMatchObject({
      status: 409,
      body: { details: { reason: "FACTOR_NOT_ENROLLED" } },
    })
    await pay.send("POST", `/sca/factors${query}`, { body: { type: "PASSKEY" } })
    await pay.send("POST", `/sca/factors/confirm${query}`, { body: confirm })
    expect(await pay.execute(idOf(quote), { scaFactor: "TOTP" })).toMatchObject({
      status: 400,
      body: { details: { errors: [{ field: "scaFactor" }] } },
    })
    const challenged = await pay.execute(idOf(quote), { scaFactor: "PASSKEY" })
    expect(at(challenged, "scaChallenge")).toMatchObject({
      factor: "PASSKEY",
      availableFactors: ["SMS_OTP", "PASSKEY"],
      passkeyAssertionOptions: { rpId: "sandbox.example" },
      passkeyAllowedOrigins: ["https://sandbox.example"],
    })
    expect(at(await pay.getQuote(idOf(quote)), "scaChallenge")).toEqual(at(challenged, "scaChallenge"))
    expect(await answer(pay, quote)).toMatchObject({
      status: 400,
      body: { details: { errors: [{ field: "passkeyAssertion" }] } },
    })
    expect(await resend(pay, quote)).toMatchObject({ status: 409, body: { details: { reason: "NO_CODE_PENDING" } } })
    const assertion = { passkeyAssertion: { id: "key-1" }, origin: "https://sandbox.example" }
    const wrong = { ...assertion, passkeyAssertion: { type: "public-key" } }
    expect((await answer(pay, quote, wrong)).status).toBe(400)
    const second = await answer(pay, quote, assertion)
    expect(at(second, "scaChallenge")).toMatchObject({
      purpose: "PAYOUT",
      factor: "PASSKEY",
      passkeyAssertionOptions: { rpId: "sandbox.example" },
    })
    expect((await answer(pay, quote, assertion)).body).toMatchObject({ status: "PROCESSING" })
    // One challenge for each purpose: neither a wrong answer nor the last one asks for another.
    expect(requests.map((request) => request.split(" ", 1)[0])).toEqual(["PASSKEY", "PASSKEY"])
  })

  it("checks funds only after the challenge, so that missing funds can be paid in before", async () => {
    await using pay = await regulated()
    const quotes = [
      await pay.quote(await quoteRequest(pay, { lockedCurrencyAmount: 60_000 })),
      await pay.quote(await quoteRequest(pay, { lockedCurrencyAmount: 60_000 })),
    ]
    for (const quote of quotes) expect((await pay.execute(idOf(quote))).status).toBe(200)
    const [first, second] = quotes
    if (first === undefined || second === undefined) throw new Error("no quotes")
    expect((await answer(pay, first)).status).toBe(200)
    expect(await answer(pay, second)).toMatchObject({
      status: 400,
      body: { details: { reason: "INSUFFICIENT_FUNDS" } },
    })
    await pay.fund("USD", 50_000)
    expect((await answer(pay, second)).body).toMatchObject({ status: "PROCESSING" })
  })
})

describe("a payer's payment", () => {
  // Proves: RES-QUOTE-05
  it("shows its instructions only after the challenge", async () => {
    await using pay = await regulated()
    const quote = await pay.quote(await payer(pay))
    expect(quote).toMatchObject({ status: 202, body: { status: "PENDING_AUTHORIZATION", scaChallenge: {} } })
    expect(quote.body).not.toHaveProperty("paymentInstructions")
    expect((await pay.getQuote(idOf(quote))).body).not.toHaveProperty("paymentInstructions")
    const body = { quoteId: idOf(quote), currencyCode: "USD" }
    expect(await pay.send("POST", "/sandbox/send", { body })).toMatchObject({ status: 400 })
    const done = await answer(pay, quote)
    expect(done).toMatchObject({ status: 200, body: { status: "PENDING", paymentInstructions: [{}] } })
    expect((await pay.send("POST", "/sandbox/send", { body })).status).toBe(200)
    await pay.settle()
    expect(pay.eventNames(at(quote, "transactionId"))).toEqual([
      "PENDING",
      "PENDING_AUTHORIZATION",
      "PROCESSING",
      "COMPLETED",
    ])
  })
})

describe("a challenge", () => {
  it("fails the payment if it is not answered", async () => {
    await using pay = await regulated()
    await pay.clock.advance("1 minute")
    const quote = await pay.quote(await quoteRequest(pay))
    await pay.clock.advance("2 minutes")
    await pay.execute(idOf(quote))
    await pay.clock.advance("3 minutes")
    const ended = await pay.getQuote(idOf(quote))
    expect(ended).toMatchObject({ body: { status: "FAILED" } })
    expect(ended.body).not.toHaveProperty("scaChallenge")
    expect(await pay.transaction(quote)).toMatchObject({
      body: { status: "FAILED", failureReason: "SCA_NOT_COMPLETED" },
    })
    expect(pay.eventNames(at(quote, "transactionId"))).toEqual(["PENDING", "PENDING_AUTHORIZATION", "FAILED"])
    expect(await answer(pay, quote)).toMatchObject({ status: 409 })
    expect(await pay.balances("USD")).toEqual([100_000, 100_000])
  })

  it("locks the customer out after five wrong answers", async () => {
    await using pay = await regulated()
    const quote = await pay.quote(await quoteRequest(pay))
    await pay.execute(idOf(quote))
    for (let wrong = 0; wrong < 5; wrong++) expect((await answer(pay, quote, { code: "1" })).status).toBe(400)
    expect(await answer(pay, quote)).toMatchObject({
      status: 423,
      body: { code: "ACCOUNT_LOCKED", details: { failedAttempts: 5 } },
    })
    const other = await pay.quote(await quoteRequest(pay))
    expect(await pay.execute(idOf(other))).toMatchObject({ status: 423 })
  })

  it("can be sent again at most five times", async () => {
    const requests: Array<string> = []
    await using pay = await regulated({ ports: recordingProvider(requests) })
    const quote = await pay.quote(await quoteRequest(pay))
    expect(await resend(pay, quote)).toMatchObject({
      status: 409,
      body: { details: { reason: "NO_CHALLENGE_PENDING" } },
    })
    await pay.execute(idOf(quote))
    for (let again = 0; again < 5; again++) expect((await resend(pay, quote)).status).toBe(204)
    expect(await resend(pay, quote)).toMatchObject({ status: 429, body: { code: "RATE_LIMITED" } })
    expect(requests).toHaveLength(6)
  })

  it.each([
    [{}, "code"],
    [{ code: "1", passkeyAssertion: {} }, "code"],
    [{ passkeyAssertion: { id: "x" } }, "origin"],
    [{ code: 1 }, "code"],
  ])("rejects the answer %o", async (body, field) => {
    await using pay = await regulated()
    const quote = await pay.quote(await quoteRequest(pay))
    expect(await answer(pay, quote, body)).toMatchObject({ status: 400, body: { details: { errors: [{ field }] } } })
  })
})

describe("without strong authentication", () => {
  // Proves: RES-QUOTE-03, RES-QUOTE-24
  it("requires no challenge and rejects an answer to one", async () => {
    for (const region of ["US", undefined]) {
      await using pay = await quoteHarness({ scaRegions: ["EU"] }, region === undefined ? {} : { region })
      await pay.fund("USD", 100_000)
      const quote = await pay.quote(await quoteRequest(pay, { scaFactor: "SMS_OTP" }))
      expect(await answer(pay, quote)).toMatchObject({ status: 409, body: { details: { reason: "NOT_REQUIRED" } } })
      expect((await pay.execute(idOf(quote))).body).toMatchObject({ status: "PROCESSING" })
      expect(await resend(pay, quote)).toMatchObject({ status: 409 })
    }
  })

  it("refuses a customer without a phone number", async () => {
    await using pay = await quoteHarness({ scaRegions: ["EU"] }, { region: "EU" })
    expect(await pay.quote(await payer(pay))).toMatchObject({
      status: 409,
      body: { details: { reason: "FACTOR_NOT_ENROLLED" } },
    })
  })

  it("answers 404 for an unknown quote", async () => {
    await using pay = await regulated()
    const nothing = { body: { id: "Quote:00000000-0000-4000-8000-000000000009" } }
    expect(await answer(pay, nothing)).toMatchObject({ status: 404, body: { code: "QUOTE_NOT_FOUND" } })
    expect(await resend(pay, nothing)).toMatchObject({ status: 404, body: { code: "QUOTE_NOT_FOUND" } })
  })
})
