/** Exchange rates: cached for five minutes, and listed. Spec: Limits; wire contract 5.4; wire contract areas 2.4; D-126, D-403. */
import { Currencies, type CurrencyCode } from "@countersign/core/models"
import { ExchangeRates, type OfferedRate } from "@countersign/core/ports"
import { Effect, Layer } from "effect"
import { describe, expect, it } from "vitest"
import { usualWay } from "../../../packages/core/src/model/quote/DestinationRails.ts"
import { at, between, quoteHarness } from "../../../packages/test/src/harness/QuoteHarness.ts"

/** A dollar-peso rate that changes with every request. */
const changingRates = (requests: Array<string>) =>
  Layer.succeed(ExchangeRates, {
    rate: (from, to) =>
      Effect.sync((): OfferedRate | undefined => {
        requests.push(`${from} ${to}`)
        if (to === "EUR") return undefined
        return { from, to, numerator: BigInt(requests.length), denominator: 10n, fee: { fixed: 7, variableBps: 100 } }
      }),
  })

const path = "/exchange-rates?sourceCurrency=USD&destinationCurrency=MXN"

describe("an exchange rate", () => {
  // Proves: LIM-04
  it("is requested once in five minutes, also by concurrent callers", async () => {
    const requests: Array<string> = []
    await using pay = await quoteHarness({ ports: changingRates(requests) })
    const replies = await Promise.all([1, 2, 3].map(() => pay.send("GET", path)))
    expect(replies.map((reply) => at(reply, "data", 0, "exchangeRate"))).toEqual([0.1, 0.1, 0.1])
    expect(requests).toEqual(["USD MXN"])
    await pay.clock.advance("299 seconds")
    expect(at(await pay.send("GET", path), "data", 0)).toMatchObject({
      exchangeRate: 0.1,
      updatedAt: "2026-11-21T12:00:00Z",
    })
    await pay.clock.advance("1 second")
    expect(at(await pay.send("GET", path), "data", 0)).toMatchObject({
      exchangeRate: 0.2,
      updatedAt: "2026-11-21T12:05:00Z",
    })
  })

  it("is omitted if unknown, and requested again later", async () => {
    const requests: Array<string> = []
    await using pay = await quoteHarness({ ports: changingRates(requests) })
    for (const times of [1, 2]) {
      const reply = await pay.send("GET", `${path}&destinationCurrency=EUR`)
      expect(at(reply, "data")).toHaveLength(1)
      expect(requests.filter((pair) => pair === "USD EUR")).toHaveLength(times)
    }
  })
})

describe("a quote without a rate", () => {
  // Proves: ERR-QUOTE_REQUEST_FAILED
  it("fails and can be requested again", async () => {
    let isKnown = false
    const rates = Layer.succeed(ExchangeRates, {
      rate: (from, to) =>
        Effect.sync((): OfferedRate | undefined =>
          isKnown ? { from, to, numerator: 1n, denominator: 20n } : undefined,
        ),
    })
    await using pay = await quoteHarness({ ports: rates })
    await pay.fund("USD", 1000)
    const request = between(await pay.accountId("USD"), await pay.external("MXN"), 1000)
    expect(await pay.quote(request)).toMatchObject({
      status: 400,
      body: { code: "QUOTE_REQUEST_FAILED", details: { reason: "RATE_UNAVAILABLE" } },
    })
    isKnown = true
    expect(await pay.quote(request)).toMatchObject({ status: 201, body: { totalReceivingAmount: 20_000 } })
  })
})

describe("the list of exchange rates", () => {
  // Proves: GEN-10
  it("shows the receiving amount after the service's and the platform's fees", async () => {
    await using pay = await quoteHarness()
    const fee = { feeType: "CROSS_CURRENCY_TRANSACTION", sourceCurrency: "USD", variableFeeBps: 25 }
    const feeConfigs = [{ ...fee, fixedFee: { amount: 10, currency: "USD" } }]
    expect((await pay.send("PATCH", "/config", { body: { feeConfigs } })).status).toBe(200)
    const reply = await pay.send("GET", `${path}&sendingAmount=100010`)
    expect(at(reply, "data")).toEqual([
      {
        sourceCurrency: { code: "USD", name: "United States Dollar", symbol: "$", decimals: 2 },
        sendingAmount: 100_010,
        minSendingAmount: 1,
        maxSendingAmount: 10_000_000_000,
        destinationCurrency: { code: "MXN", name: "Mexican Peso", symbol: "$", decimals: 2 },
        destinationPaymentRail: "SPEI",
        // (100000 - 500 - 250) * 17.5
        receivingAmount: 1_736_875,
        exchangeRate: 0.0571428571428571,
        fees: { fixed: 10, total: 760 },
        updatedAt: "2026-11-21T12:00:00Z",
      },
    ])
    const nothing = await pay.send("GET", `${path}&sendingAmount=0`)
    expect(at(nothing, "data", 0)).toMatchObject({ receivingAmount: 0, fees: { fixed: 10, total: 10 } })
    // A quote has the same amounts.
    const quote = await pay.quote({
      source: { sourceType: "REALTIME_FUNDING", currency: "USD", customerId: pay.customerId },
      destination: { destinationType: "ACCOUNT", accountId: await pay.accountId("MXN") },
      lockedCurrencySide: "SENDING",
      lockedCurrencyAmount: 100_010,
    })
    expect(quote).toMatchObject({
      status: 201,
      body: { totalReceivingAmount: 1_736_875, feesIncluded: 760, platformFeesIncluded: 260 },
    })
  })

  it("shows the bounds that the platform has set for the currency that is sent", async () => {
    await using pay = await quoteHarness()
    const { body } = await pay.send("GET", "/config")
    const { supportedCurrencies } = body as {
      readonly supportedCurrencies: ReadonlyArray<{ readonly currencyCode: string }>
    }
    const bounded = supportedCurrencies.map((each, index) => ({
      ...each,
      minAmount: 10 + index,
      maxAmount: 1000 + index,
    }))
    expect((await pay.send("PATCH", "/config", { body: { supportedCurrencies: bounded } })).status).toBe(200)
    const listed = at(await pay.send("GET", "/exchange-rates?includeCrypto=true"), "data") as ReadonlyArray<{
      readonly sourceCurrency: { readonly code: string }
    }>
    expect(listed).toHaveLength(bounded.length * (bounded.length - 1))
    for (const rate of listed) {
      const own = bounded.find(({ currencyCode }) => currencyCode === rate.sourceCurrency.code)
      expect(rate).toMatchObject({ minSendingAmount: own?.minAmount, maxSendingAmount: own?.maxAmount })
    }
  })

  it("contains every pair of the platform's currencies for 10000 units, and filters them", async () => {
    await using pay = await quoteHarness()
    const all = at(await pay.send("GET", "/exchange-rates?includeCrypto=true"), "data") as ReadonlyArray<object>
    expect(all).toHaveLength(9 * 8)
    expect(all[0]).toMatchObject({ sendingAmount: 10_000 })
    const few = await pay.send(
      "GET",
      "/exchange-rates?destinationCurrency=BTC&destinationCurrency=PHP&includeCrypto=true",
    )
    expect(at(few, "data")).toHaveLength(8 + 9)
    expect(at(await pay.send("GET", "/exchange-rates?sendingAmount=0&sourceCurrency=USD"), "data", 0)).toMatchObject({
      sendingAmount: 0,
      receivingAmount: 0,
    })
  })

  it("lists pairs into crypto assets only on request, with the network as their rail", async () => {
    await using pay = await quoteHarness()
    const listed = async (query: string) => {
      const reply = await pay.send("GET", `/exchange-rates?sourceCurrency=USD&${query}`)
      expect([query, reply.status]).toEqual([query, 200])
      return (at(reply, "data") as ReadonlyArray<object>).map((entry) => [
        at({ body: entry }, "destinationCurrency", "code"),
        at({ body: entry }, "destinationPaymentRail"),
      ])
    }
    const isCrypto = (code: unknown) => Currencies.get(code as CurrencyCode).crypto
    const usual = await listed("")
    expect(usual.filter(([code]) => isCrypto(code))).toEqual([])
    expect(usual).toContainEqual(["EUR", "SEPA_INSTANT"])
    expect(await listed("destinationCurrency=BTC&includeCrypto=false")).toEqual([])
    const crypto = "destinationCurrency=USDB&destinationCurrency=BTC&destinationCurrency=USDC&destinationCurrency=USDT"
    expect(await listed(crypto)).toEqual([])
    expect(await listed(`${crypto}&includeCrypto=true`)).toEqual([
      ["USDB", "SPARK"],
      ["BTC", "SPARK"],
      ["USDC", "SOLANA"],
      ["USDT", "TRON"],
    ])
    const fromCrypto = await pay.send(
      "GET",
      "/exchange-rates?sourceCurrency=BTC&destinationCurrency=INR&sendingAmount=5",
    )
    expect(at(fromCrypto, "data")).toMatchObject([{ sendingAmount: 5, destinationPaymentRail: "UPI" }])
  })

  it("names the fastest rail of each currency", () => {
    const rails = Map.groupBy(
      Currencies.keys.filter((code) => !Currencies.get(code).crypto),
      usualWay,
    )
    expect(Object.fromEntries(rails)).toEqual({
      RTP: ["USD"],
      SEPA_INSTANT: ["EUR", "DKK"],
      FASTER_PAYMENTS: ["GBP"],
      UPI: ["INR"],
      SPEI: ["MXN"],
      PIX: ["BRL"],
      FAST: ["SGD"],
      MOBILE_MONEY: ["KES", "MWK", "RWF", "TZS", "UGX", "XOF", "ZMW", "BWP", "XAF", "HTG"],
      BANK_TRANSFER: expect.arrayContaining(["CAD", "NGN", "PHP", "GHS"]),
      // No account type of their own.
      SWIFT: ["ARS", "JPY"],
    })
  })

  it.each([
    ["includeCrypto=perhaps", "includeCrypto"],
    ["sourceCurrency=usd", "sourceCurrency"],
    ["sendingAmount=-1", "sendingAmount"],
    ["sendingAmount=1.5", "sendingAmount"],
    ["destinationCurrency=USD&destinationCurrency=XXX", "destinationCurrency.1"],
  ])("rejects the query %s", async (query, field) => {
    await using pay = await quoteHarness()
    const reply = await pay.send("GET", `/exchange-rates?${query}`)
    expect(reply).toMatchObject({ status: 400, body: { code: "INVALID_INPUT", details: { errors: [{ field }] } } })
  })
})
