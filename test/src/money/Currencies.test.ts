/** The table of currencies against the codes and decimals of the specification and the wire contract. */
import { Currencies, Currency, CurrencyCode, sandboxCurrencies } from "@countersign/core/models"
import { Schema } from "effect"
import { describe, expect, it } from "vitest"
import { currencyOf } from "../../../packages/core/src/foundation/money/Currencies.ts"

/** Spec: PaymentInstructions, the codes of the account types (SLV_ACCOUNT holds USD). */
const specified =
  "USD BRL MXN DKK EUR INR NGN CAD GBP HKD IDR MYR PHP SGD THB VND AED KES MWK RWF TZS UGX XOF ZAR ZMW BWP XAF BDT ARS COP EGP GHS GTQ HTG JMD PKR CNY"
/** ISO 4217: the currencies of the table without a smaller unit. */
const whole = ["JPY", "RWF", "UGX", "VND", "XAF", "XOF"]
/** Wire contract 11 (40). */
const tickers = { BTC: 8, USDB: 6, USDC: 6, USDT: 6 }

describe("the table of currencies", () => {
  // Proves: CONV-07
  it.each(specified.split(" "))("has %s", (code) => {
    expect(Currencies.has(code)).toBe(true)
  })

  // Proves: CONV-03, CONV-08
  it.each(Currencies.entries)("gives %s the decimals of its kind", (code, { crypto, decimals }) => {
    const ticker = Object.entries(tickers).find(([name]) => name === code)
    expect(crypto).toBe(ticker !== undefined)
    expect(decimals).toBe(ticker?.[1] ?? (whole.includes(code) ? 0 : 2))
  })

  it("has every ticker and every currency without a smaller unit", () => {
    for (const code of [...Object.keys(tickers), ...whole]) expect(Currencies.has(code)).toBe(true)
  })

  // Proves: RES-CURRENCY-01, RES-CURRENCY-02, RES-CURRENCY-03
  it.each(Currencies.keys)("returns %s as a Currency record", (code) => {
    const shown = currencyOf(code)
    expect(Schema.is(Currency)(shown)).toBe(true)
    expect(Object.keys(shown)).toEqual(["code", "name", "symbol", "decimals"])
    expect(shown.code).toBe(code)
    expect(shown.name).not.toBe("")
    expect(shown.symbol).not.toBe("")
  })

  it("enables only known currencies in a new sandbox, each once", () => {
    expect(new Set(sandboxCurrencies).size).toBe(sandboxCurrencies.length)
    for (const code of sandboxCurrencies) expect(Currencies.has(code)).toBe(true)
  })
})

describe("a currency code", () => {
  it.each(["usd", "Usd", " USD", "US", "USDX", "", "toString", "__proto__"])("rejects %j", (text) => {
    expect(Schema.is(CurrencyCode)(text)).toBe(false)
  })

  it.each(Currencies.keys)("accepts %s in upper case", (code) => {
    expect(Schema.is(CurrencyCode)(code)).toBe(true)
    expect(code).toMatch(/^[A-Z]{3,4}$/u)
  })
})
