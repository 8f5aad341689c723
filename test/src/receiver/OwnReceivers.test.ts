/** Receivers that are customers of the platform itself. Source: wire contract 5.10; D-250, D-251, D-348. */
import { ExchangeRates, type OfferedRate } from "@countersign/core/ports"
import { Effect, Layer } from "effect"
import { describe, expect, it } from "vitest"
import { at, type QuoteHarness, quoteHarness } from "../../../packages/test/src/harness/QuoteHarness.ts"

const umaOf = async (pay: QuoteHarness) =>
  String(at(await pay.send("GET", `/customers/${pay.customerId}`), "umaAddress"))
const lookUp = (pay: QuoteHarness, address: string) =>
  pay.send("GET", `/receiver/uma/${encodeURIComponent(address)}?customerId=${pay.customerId}`)

interface Shown {
  readonly currency: { readonly code: string }
  readonly min: number
  readonly max: number
}
const shown = async (pay: QuoteHarness, address: string) =>
  at(await lookUp(pay, address), "supportedCurrencies") as ReadonlyArray<Shown>

/** Only dollars and euros have a price. */
const twoPrices = Layer.succeed(ExchangeRates, {
  rate: (from, to) =>
    Effect.sync((): OfferedRate | undefined =>
      to === "EUR" || to === "USD" ? { from, to, numerator: 1n, denominator: 1n } : undefined,
    ),
})

describe("a customer of the platform", () => {
  it("receives in each currency of its accounts, within the platform's limits", async () => {
    await using pay = await quoteHarness({}, { currencies: ["USD", "EUR"] })
    const { body: config } = await pay.send("GET", "/config")
    const configured = Object(config).supportedCurrencies as ReadonlyArray<{
      readonly currencyCode: string
      readonly minAmount: number
      readonly maxAmount: number
    }>
    const found = await shown(pay, await umaOf(pay))
    expect(found.map(({ currency }) => currency.code)).toEqual(expect.arrayContaining(["USD", "EUR"]))
    for (const { currency, max, min } of found) {
      const limits = configured.find(({ currencyCode }) => currencyCode === currency.code)
      if (limits !== undefined) expect([min, max]).toEqual([limits.minAmount, limits.maxAmount])
      expect(min).toBeLessThan(max)
    }
  })

  it("is shown without the currencies that have no rate", async () => {
    await using pay = await quoteHarness({ ports: twoPrices })
    const codes = (await shown(pay, await umaOf(pay))).map(({ currency }) => currency.code)
    expect(codes.toSorted()).toEqual(["EUR", "USD"])
  })

  it("is found in any letter case, and not under a domain of another platform", async () => {
    await using pay = await quoteHarness()
    const address = await umaOf(pay)
    const [name = "", domain = ""] = address.split("@")
    expect((await lookUp(pay, address)).status).toBe(200)
    expect(await lookUp(pay, `$nobody.here@${domain}`)).toMatchObject({ status: 404, body: { code: "UMA_NOT_FOUND" } })
    expect(await lookUp(pay, `${name}@elsewhere.example`)).toMatchObject({ body: { code: "UMA_NOT_FOUND" } })
    expect(await lookUp(pay, "no address")).toMatchObject({
      status: 400,
      body: { code: "INVALID_UMA_ADDRESS", details: { errors: [{ field: "receiverUmaAddress" }] } },
    })
  })

  it("is not found under an earlier domain of the platform, and neither pays nor receives by it", async () => {
    await using pay = await quoteHarness()
    const address = await umaOf(pay)
    expect((await lookUp(pay, address)).status).toBe(200)
    expect((await pay.send("PATCH", "/config", { body: { umaDomain: "pay.example.com" } })).status).toBe(200)
    expect(await lookUp(pay, address)).toMatchObject({ status: 404, body: { code: "UMA_NOT_FOUND" } })
    const paying = `/receiver/uma/${encodeURIComponent("$success.usd@uma.sandbox.example")}?senderUmaAddress=${encodeURIComponent(address)}`
    expect(await pay.send("GET", paying)).toMatchObject({ status: 404, body: { code: "USER_NOT_FOUND" } })
  })

  it("has no cost of a withdrawal from an account that does not exist, or that holds another asset", async () => {
    await using pay = await quoteHarness()
    const estimate = (internalAccountId: string) =>
      pay.send("POST", "/crypto/estimate-withdrawal-fee", {
        body: {
          internalAccountId,
          currency: "USDC",
          cryptoNetwork: "BASE",
          amount: 5_000_000,
          destinationAddress: `0x${"a1".repeat(20)}`,
        },
      })
    const unknown = "InternalAccount:01980000-0000-7000-8000-000000000000"
    expect(await estimate(unknown)).toMatchObject({ status: 404, body: { code: "REFERENCE_NOT_FOUND" } })
    expect((await estimate(await pay.accountId("USDC"))).status).toBe(200)
  })

  it("gets no simulated payment in a currency without an account, which names the field", async () => {
    await using pay = await quoteHarness({}, { currencies: ["USD"] })
    const arrived = await pay.send("POST", "/sandbox/uma/receive", {
      body: {
        senderUmaAddress: "$success.usd@uma.sandbox.example",
        customerId: pay.customerId,
        receivingCurrencyCode: "JPY",
        receivingCurrencyAmount: 700,
      },
    })
    expect(arrived).toMatchObject({
      status: 400,
      body: { code: "INVALID_CURRENCY", details: { field: "receivingCurrencyCode" } },
    })
  })
})
