/** Quotes over HTTP: made from every source to every destination, executed, expired, refused. Spec: Quote; wire contract 5.1 to 5.5. */
import { ExchangeRates, type OfferedRate } from "@countersign/core"
import { Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { describe, expect, it } from "vitest"
import { agentHarness } from "../harness/AgentHarness.ts"
import { at, between, type QuoteHarness, quoteHarness } from "../harness/QuoteHarness.ts"

const idOf = (reply: { readonly body: unknown }) => String(at(reply, "id"))
const unknown = (type: string) => `${type}:00000000-0000-4000-8000-000000000009`

/** A funded customer with a quote of 100.00 dollars to pesos outside. */
const begin = async (pay: QuoteHarness, more: object = {}) => {
  await pay.fund("USD", 100_000)
  return pay.quote(between(await pay.accountId("USD"), await pay.external("MXN"), 10_000, more))
}

describe("a quote", () => {
  it("shows its price, and its transaction exists from the beginning", async () => {
    await using pay = await quoteHarness()
    const reply = await begin(pay, {
      description: "Invoice 12",
      remittanceInformation: "INV-12",
      purposeOfPayment: "SALARY_PAYMENT",
    })
    const source = { sourceType: "ACCOUNT", accountId: await pay.accountId("USD") }
    expect(reply).toMatchObject({
      status: 201,
      body: {
        id: expect.stringMatching(/^Quote:/u),
        status: "PENDING",
        createdAt: "2026-11-21T12:00:00Z",
        expiresAt: "2026-11-21T12:05:00Z",
        source,
        destination: { destinationType: "ACCOUNT" },
        sendingCurrency: { code: "USD", name: "United States Dollar", symbol: "$", decimals: 2 },
        receivingCurrency: { code: "MXN", decimals: 2 },
        totalSendingAmount: 10_000,
        totalReceivingAmount: 174_125,
        exchangeRate: 0.0571428571428571,
        feesIncluded: 50,
        platformFeesIncluded: 0,
        remittanceInformation: "INV-12",
        rateDetails: { serviceApiVariableFeeRate: 0.005, serviceApiVariableFeeAmount: 50, serviceApiFixedFee: 0 },
      },
    })
    for (const absent of ["paymentInstructions", "scaChallenge", "counterpartyInformation"]) {
      expect(reply.body).not.toHaveProperty(absent)
    }
    expect(await pay.getQuote(idOf(reply))).toMatchObject({ status: 200, body: reply.body })
    expect(await pay.transaction(reply)).toMatchObject({
      body: {
        type: "OUTGOING",
        status: "PENDING",
        quoteId: idOf(reply),
        source: { ...source, currency: "USD" },
        sentAmount: { amount: 10_000 },
        receivedAmount: { amount: 174_125, currency: { code: "MXN" } },
        destination: { currency: "MXN" },
        fees: 50,
        platformFees: 0,
        exchangeRate: 0.0571428571428571,
        paymentRail: "SPEI",
        railSelectionMode: "AUTO",
        description: "Invoice 12",
        remittanceInformation: "INV-12",
        purposeOfPayment: "SALARY_PAYMENT",
        rateDetails: at(reply, "rateDetails"),
      },
    })
    await pay.settle()
    expect(pay.told(at(reply, "transactionId"))).toEqual(["PENDING"])
    expect(await pay.balances("USD")).toEqual([100_000, 100_000])
    expect((await pay.send("GET", "/quotes")).status).toBe(405)
  })

  it("with the receiving amount fixed brings exactly that", async () => {
    await using pay = await quoteHarness()
    const reply = await begin(pay, { lockedCurrencySide: "RECEIVING", lockedCurrencyAmount: 174_125 })
    expect(reply.body).toMatchObject({ totalSendingAmount: 10_000, totalReceivingAmount: 174_125, feesIncluded: 50 })
  })

  it("takes the platform's fee, which reaches its account", async () => {
    await using pay = await quoteHarness()
    const fee = { feeType: "CROSS_CURRENCY_TRANSACTION", sourceCurrency: "USD", variableFeeBps: 100 }
    const feeConfigs = [{ ...fee, fixedFee: { amount: 25, currency: "USD" } }]
    await pay.send("PATCH", "/config", { body: { feeConfigs } })
    const configured = await begin(pay)
    // 0.5 % and 1 % of 99.75, and 0.25
    expect(configured.body).toMatchObject({ feesIncluded: 50 + 100 + 25, platformFeesIncluded: 125 })
    const platformFeeOverride = { platformFixedFee: { amount: 7, currency: "USD" }, platformVariableFeeBps: 0 }
    const overridden = await begin(pay, { platformFeeOverride })
    expect(overridden.body).toMatchObject({ platformFeesIncluded: 7 })
    for (const quote of [configured, overridden]) await pay.execute(idOf(quote))
    await pay.settle()
    const platform = await pay.send("GET", "/platform/internal-accounts?currency=USD")
    expect(at(platform, "data", 0, "balance", "amount")).toBe(132)
    expect(await pay.transaction(configured)).toMatchObject({ body: { status: "COMPLETED", platformFees: 125 } })
    await pay.checkBooks()
  })

  it("between accounts of one currency costs nothing", async () => {
    await using pay = await quoteHarness()
    await pay.fund("USD", 1000)
    const reply = await pay.quote(between(await pay.accountId("USD"), await pay.external("USD"), 1000))
    expect(reply.body).toMatchObject({ exchangeRate: 1, feesIncluded: 0, totalReceivingAmount: 1000 })
    await pay.execute(idOf(reply))
    await pay.settle()
    expect(await pay.transaction(reply)).toMatchObject({ body: { status: "COMPLETED" } })
    await pay.checkBooks()
  })

  it("to an account of the customer's own, or of another customer, arrives there", async () => {
    await using pay = await quoteHarness()
    await pay.fund("USD", 100_000)
    const other = await pay.send("POST", "/customers", { body: { customerType: "INDIVIDUAL", fullName: "Charles" } })
    const source = await pay.accountId("USD")
    for (const owner of [pay.customerId, idOf(other)]) {
      const reply = await pay.quote(between(source, await pay.accountId("EUR", undefined, owner), 10_000))
      expect(reply.body).toMatchObject({ totalReceivingAmount: 9154 })
      await pay.execute(idOf(reply))
      await pay.settle()
      expect(await pay.transaction(reply)).toMatchObject({ body: { status: "COMPLETED" } })
      expect(await pay.balances("EUR", owner)).toEqual([9154, 9154])
    }
    expect(await pay.balances("USD")).toEqual([80_000, 80_000])
    const told = pay.inbox.ofType("INTERNAL_ACCOUNT.BALANCE_UPDATED").filter(({ data }) => data["id"] !== source)
    expect(told.map(({ data }) => data["balance"])).toMatchObject([{ amount: 9154 }, { amount: 9154 }])
    await pay.checkBooks()
  })

  it("from a pooled account of the platform is the named customer's", async () => {
    await using pay = await quoteHarness()
    const pooled = String(at(await pay.send("GET", "/platform/internal-accounts?currency=USD"), "data", 0, "id"))
    await pay.send("POST", `/sandbox/internal-accounts/${pooled}/fund`, { body: { amount: 10_000 } })
    const source = { sourceType: "ACCOUNT", accountId: pooled, customerId: pay.customerId }
    const reply = await pay.quote({ ...between(pooled, await pay.external("MXN", "002"), 10_000), source })
    await pay.execute(idOf(reply))
    expect(await pay.transaction(reply)).toMatchObject({ body: { customerId: pay.customerId, status: "PROCESSING" } })
    await pay.clock.advance("1 second")
    const after = await pay.send("GET", "/platform/internal-accounts?currency=USD")
    expect(at(after, "data", 0, "balance", "amount")).toBe(10_000)
    await pay.checkBooks()
  })

  it("tells of the receiving side what the platform requires", async () => {
    await using pay = await quoteHarness()
    const config = at(await pay.send("GET", "/config"), "supportedCurrencies") as ReadonlyArray<object>
    const requiredCounterpartyFields = ["FULL_NAME", "ACCOUNT_IDENTIFIER", "BIRTH_DATE"].map((name) => ({
      name,
      mandatory: true,
    }))
    const supportedCurrencies = config.map((one) =>
      at({ body: one }, "currencyCode") === "MXN" ? { ...one, requiredCounterpartyFields } : one,
    )
    await pay.send("PATCH", "/config", { body: { supportedCurrencies } })
    expect(at(await begin(pay), "counterpartyInformation")).toEqual({
      FULL_NAME: "Ada Lovelace",
      ACCOUNT_IDENTIFIER: "032180000118359000",
    })
  })

  it("holds two minutes where both sides are there at once", async () => {
    await using pay = await quoteHarness()
    await pay.fund("BTC", 1000)
    const reply = await pay.quote(between(await pay.accountId("BTC"), await pay.accountId("USDC"), 1000))
    expect(at(reply, "expiresAt")).toBe("2026-11-21T12:02:00Z")
  })

  it("that pulls its source is paid by it", async () => {
    await using pay = await quoteHarness()
    const [good, bad] = [await pay.external("USD", "000"), await pay.external("USD", "002")]
    const receiver = await pay.accountId("EUR")
    const paid = await pay.quote(between(good, receiver, 10_000))
    expect(paid.body).not.toHaveProperty("paymentInstructions")
    expect((await pay.execute(idOf(paid))).body).toMatchObject({ status: "PROCESSING" })
    await pay.settle()
    expect(await pay.transaction(paid)).toMatchObject({ body: { status: "COMPLETED", source: { accountId: good } } })
    expect(await pay.balances("EUR")).toEqual([9154, 9154])
    const failed = await pay.quote(between(bad, receiver, 10_000))
    await pay.execute(idOf(failed))
    await pay.settle()
    expect(await pay.transaction(failed)).toMatchObject({
      body: { status: "FAILED", failureReason: "QUOTE_EXECUTION_FAILED" },
    })
    expect((await pay.transaction(failed)).body).not.toHaveProperty("refund")
    expect(pay.told(at(failed, "transactionId"))).toEqual(["PENDING", "PROCESSING", "FAILED"])
    expect(await pay.getQuote(idOf(failed))).toMatchObject({ body: { status: "FAILED" } })
    await pay.checkBooks()
  })

  it("that pulls slowly is neither cancelled nor expired on the way", async () => {
    await using pay = await quoteHarness()
    const quote = await pay.quote(between(await pay.external("USD", "005"), await pay.accountId("EUR"), 10_000))
    await pay.execute(idOf(quote))
    await pay.settle()
    const cancel = await pay.send("POST", `/transactions/${at(quote, "transactionId")}/cancel`)
    expect(cancel).toMatchObject({ status: 409, body: { code: "TRANSACTION_NOT_CANCELLABLE" } })
    await pay.clock.advance("10 minutes")
    expect(pay.told(at(quote, "transactionId"))).toEqual(["PENDING", "PROCESSING", "FAILED"])
    await pay.checkBooks()
  })
})

describe("execution", () => {
  it("at once with the creation", async () => {
    await using pay = await quoteHarness()
    const reply = await begin(pay, { immediatelyExecute: true })
    expect(reply).toMatchObject({ status: 201, body: { status: "PROCESSING" } })
    expect(await pay.balances("USD")).toEqual([90_000, 90_000])
    await pay.settle()
    expect(await pay.getQuote(idOf(reply))).toMatchObject({ body: { status: "COMPLETED" } })
    expect(pay.told(at(reply, "transactionId"))).toEqual(["PENDING", "PROCESSING", "COMPLETED"])
    const short = await pay.quote(
      between(await pay.accountId("USD"), await pay.external("USD"), 90_001, { immediatelyExecute: true }),
    )
    expect(short).toMatchObject({ status: 400, body: { details: { reason: "INSUFFICIENT_FUNDS" } } })
  })

  it("uses the stored amounts, whatever rates and fees have become", async () => {
    let dollars = 1n
    const rates = Layer.succeed(ExchangeRates, {
      rate: (from, to) => Effect.sync((): OfferedRate => ({ from, to, numerator: dollars, denominator: 20n })),
    })
    await using pay = await quoteHarness({ ports: rates })
    const reply = await begin(pay)
    expect(reply.body).toMatchObject({ totalReceivingAmount: 200_000 })
    dollars = 2n
    const fee = { feeType: "CROSS_CURRENCY_TRANSACTION", sourceCurrency: "USD", variableFeeBps: 100 }
    await pay.send("PATCH", "/config", {
      body: { feeConfigs: [{ ...fee, fixedFee: { amount: 25, currency: "USD" } }] },
    })
    await pay.clock.advance("299 seconds")
    await pay.execute(idOf(reply))
    await pay.settle()
    expect(await pay.transaction(reply)).toMatchObject({
      body: { status: "COMPLETED", receivedAmount: { amount: 200_000 }, fees: 0 },
    })
    expect(await pay.balances("USD")).toEqual([90_000, 90_000])
    const again = await begin(pay)
    expect(again.body).toMatchObject({ feesIncluded: 125 })
  })

  it("has one winner, and the other is told so", async () => {
    for (const seed of [1, 2, 3]) {
      await using pay = await quoteHarness({ interleave: seed })
      const reply = await begin(pay)
      const both = await Promise.all([1, 2].map(() => pay.execute(idOf(reply))))
      expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409])
      expect(both.find(({ status }) => status === 409)?.body).toMatchObject({
        code: "CONFLICT",
        details: { reason: "QUOTE_ALREADY_EXECUTED" },
      })
      expect(await pay.balances("USD")).toEqual([90_000, 90_000])
    }
  })

  it("of two quotes on money for one is one", async () => {
    await using pay = await quoteHarness({ interleave: 4 })
    await pay.fund("USD", 10_000)
    const [source, external] = [await pay.accountId("USD"), await pay.external("MXN")]
    const quotes = [await pay.quote(between(source, external, 6000)), await pay.quote(between(source, external, 6000))]
    const both = await Promise.all(quotes.map((quote) => pay.execute(idOf(quote))))
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 400])
    expect(both.find(({ status }) => status === 400)?.body).toMatchObject({
      code: "INVALID_INPUT",
      details: { reason: "INSUFFICIENT_FUNDS" },
    })
    expect(await pay.balances("USD")).toEqual([4000, 4000])
  })

  it("under a key is one execution and one answer; so is a creation", async () => {
    await using pay = await quoteHarness()
    await pay.fund("USD", 100_000)
    const headers = { "idempotency-key": "november" }
    const body = between(await pay.accountId("USD"), await pay.external("MXN"), 10_000)
    const [first, second] = [await pay.quote(body, headers), await pay.quote(body, headers)]
    expect(second.body).toEqual(first.body)
    expect(second.headers.get("idempotency-replayed")).toBe("true")
    expect(await pay.quote({ ...body, lockedCurrencyAmount: 1 }, headers)).toMatchObject({ status: 409 })
    const path = `/quotes/${idOf(first)}/execute`
    const [one, two] = [await pay.send("POST", path, { headers }), await pay.send("POST", path, { headers, body: {} })]
    expect([one.status, two.status, two.body]).toEqual([200, 200, one.body])
    expect(await pay.balances("USD")).toEqual([90_000, 90_000])
  })

  it("of what is gone or foreign is not found", async () => {
    await using pay = await quoteHarness()
    for (const id of [unknown("Quote"), "Quote:x", "x"]) {
      for (const reply of [await pay.getQuote(id), await pay.execute(id)]) {
        expect(reply).toMatchObject({ status: 404, body: { code: "QUOTE_NOT_FOUND" } })
      }
    }
    await using other = await agentHarness()
    expect((await other.send("GET", `/quotes/${unknown("Quote")}`, { as: { token: other.accessToken } })).status).toBe(
      401,
    )
  })

  it("is refused when an account or the customer is not what it was", async () => {
    await using pay = await quoteHarness()
    const destination = await pay.external("MXN")
    await pay.fund("USD", 100_000)
    const reply = await pay.quote(between(await pay.accountId("USD"), destination, 10_000))
    const status = (to: string) =>
      pay.send("POST", `/sandbox/external-accounts/${destination}/status`, { body: { status: to } })
    await status("INACTIVE")
    expect(await pay.execute(idOf(reply))).toMatchObject({ status: 400, body: { code: "INVALID_BANK_ACCOUNT" } })
    await status("ACTIVE")
    await pay.send("DELETE", `/customers/external-accounts/${destination}`)
    expect(await pay.execute(idOf(reply))).toMatchObject({
      status: 400,
      body: { code: "INVALID_BANK_ACCOUNT", details: { reason: "DESTINATION_DELETED" } },
    })
  })
})

describe("the end of a quote", () => {
  it("is read at once, settled by a job, and refused from that moment on", async () => {
    await using pay = await quoteHarness()
    const reply = await begin(pay)
    await pay.clock.advance("299999 millis")
    expect(await pay.getQuote(idOf(reply))).toMatchObject({ body: { status: "PENDING" } })
    await pay.clock.advance("1 millis")
    expect(await pay.getQuote(idOf(reply))).toMatchObject({ body: { status: "EXPIRED" } })
    expect(await pay.transaction(reply)).toMatchObject({ body: { status: "EXPIRED" } })
    expect(pay.told(at(reply, "transactionId"))).toEqual(["PENDING", "EXPIRED"])
    expect(await pay.execute(idOf(reply))).toMatchObject({
      status: 409,
      body: { code: "CONFLICT", details: { reason: "QUOTE_EXPIRED", status: "EXPIRED" } },
    })
    expect(await pay.balances("USD")).toEqual([100_000, 100_000])
  })

  it("refuses a commit that waited past it", async () => {
    let isWaiting = false
    const failPoints = (point: string) =>
      Effect.suspend(() => {
        if (!isWaiting || point !== "operation.decided") return Effect.void
        isWaiting = false
        return TestClock.adjust("5 minutes")
      })
    await using pay = await quoteHarness({ failPoints })
    const reply = await begin(pay)
    isWaiting = true
    expect(await pay.execute(idOf(reply))).toMatchObject({
      status: 409,
      body: { details: { reason: "QUOTE_EXPIRED" } },
    })
    expect(await pay.balances("USD")).toEqual([100_000, 100_000])
  })

  it("does not come for what was executed before", async () => {
    await using pay = await quoteHarness()
    const reply = await begin(pay)
    await pay.clock.advance("299999 millis")
    await pay.execute(idOf(reply))
    await pay.clock.advance("1 hour")
    expect(await pay.getQuote(idOf(reply))).toMatchObject({ body: { status: "COMPLETED" } })
  })

  it("lets the customer go", async () => {
    await using pay = await quoteHarness()
    const quote = await pay.quote(between(await pay.external("USD"), await pay.accountId("EUR"), 10_000))
    expect(quote.status).toBe(201)
    const remove = () => pay.send("DELETE", `/customers/${pay.customerId}`)
    expect(await remove()).toMatchObject({ status: 409, body: { details: { reason: "CUSTOMER_IN_USE" } } })
    await pay.clock.advance("5 minutes")
    expect((await remove()).status).toBe(200)
  })

  it("is no cancellation: what was not executed cannot be called back", async () => {
    await using pay = await quoteHarness()
    await pay.fund("USD", 1000)
    const quote = await pay.quote(between(await pay.accountId("USD"), await pay.external("USD"), 1000))
    const cancel = () => pay.send("POST", `/transactions/${at(quote, "transactionId")}/cancel`)
    expect(await cancel()).toMatchObject({ status: 409 })
    await pay.execute(idOf(quote))
    expect(await cancel()).toMatchObject({
      status: 200,
      body: { status: "COMPLETED", refund: { status: "COMPLETED" } },
    })
    expect(await pay.getQuote(idOf(quote))).toMatchObject({ body: { status: "COMPLETED" } })
    expect(await pay.balances("USD")).toEqual([1000, 1000])
    await pay.checkBooks()
  })
})
