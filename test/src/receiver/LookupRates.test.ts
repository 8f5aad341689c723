/**
 * The estimated rates of receiver lookups: from the currency of the payer to each of the receiver's, also where both count in cents.
 * Source: wire contract 5.10; Spec: Quote, exchangeRate (sending-currency units per receiving-currency unit).
 */
import { ExchangeRates, type OfferedRate } from "@countersign/core/ports"
import { Effect, Layer } from "effect"
import { describe, expect, it } from "vitest"
import { at, quoteHarness } from "../../../packages/test/src/harness/QuoteHarness.ts"

/** A bank that sells a peso for 0.06 dollars and a euro for 1.10, and buys them for less. */
const prices: { readonly [pair: string]: bigint } = {
  "USD MXN": 6n,
  "MXN USD": 2000n,
  "USD EUR": 110n,
  "EUR USD": 100n,
}
const withSpread = Layer.succeed(ExchangeRates, {
  rate: (from, to) =>
    Effect.sync((): OfferedRate => ({ from, to, numerator: prices[`${from} ${to}`] ?? 1n, denominator: 100n })),
})

describe("the estimated rate of a lookup", () => {
  it("of an external account is that from the payer's currency to the account's", async () => {
    await using pay = await quoteHarness({ ports: withSpread }, { currencies: ["USD"] })
    const id = await pay.external("MXN")
    const found = await pay.send("GET", `/receiver/external-account/${id}?customerId=${pay.customerId}`)
    expect(found.status).toBe(200)
    expect(at(found, "supportedCurrencies")).toMatchObject([{ currency: { code: "MXN" }, estimatedExchangeRate: 0.06 }])
  })

  it("is missing, with its currency, where the bank has none", async () => {
    const none = Layer.succeed(ExchangeRates, { rate: () => Effect.undefined })
    await using pay = await quoteHarness({ ports: none }, { currencies: ["USD"] })
    const id = await pay.external("MXN")
    const found = await pay.send("GET", `/receiver/external-account/${id}?customerId=${pay.customerId}`)
    expect(found).toMatchObject({ status: 200, body: { accountId: id, supportedCurrencies: [] } })
  })

  it("of an UMA address is that from the payer's currency to each of the receiver's", async () => {
    await using pay = await quoteHarness({ ports: withSpread }, { currencies: ["USD"] })
    const addresses = ["$success.eur@uma.sandbox.example", "$success.mxn@uma.sandbox.example"]
    const rates = await Promise.all(
      addresses.map(async (address) => {
        const path = `/receiver/uma/${encodeURIComponent(address)}?customerId=${pay.customerId}`
        return at(await pay.send("GET", path), "supportedCurrencies", 0, "estimatedExchangeRate")
      }),
    )
    expect(rates).toEqual([1.1, 0.06])
  })
})
