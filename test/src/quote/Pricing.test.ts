/** The amounts of quotes: calculated examples, and properties over all rates, fees and decimals. Wire contract 5.3 and 11 (39). */

import { Currencies, type CurrencyCode } from "@countersign/core/models"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import * as Rate from "../../../packages/core/src/foundation/money/Rate.ts"
import * as Pricing from "../../../packages/core/src/model/quote/QuotePricing.ts"

const dollarsPerBitcoin = { from: "USD", to: "BTC", numerator: 120_048n, denominator: 1n } as const
const halfPercent = { ...Pricing.noFees, serviceBps: 50 }

const priced = (...of: Parameters<typeof Pricing.price>): Pricing.Price => {
  const result = Pricing.price(...of)
  if (typeof result === "string") throw new Error(result)
  return result
}

describe("calculated examples", () => {
  it("deducts fees from a fixed sending amount and rounds the exchanged rest down", () => {
    expect(priced("SENDING", 100_000, dollarsPerBitcoin, halfPercent)).toEqual({
      sending: 100_000,
      // 995.00 / 120048 bitcoin
      receiving: 828_835,
      fees: { serviceFixed: 0, serviceVariable: 500, platformFixed: 0, platformVariable: 0 },
    })
  })

  it("rounds every part of the fee up separately", () => {
    const terms = { serviceFixed: 10, serviceBps: 30, platformFixed: 5, platformBps: 15 }
    const { fees, receiving } = priced("SENDING", 10_000, Rate.identity("USD"), terms)
    // 9985 * 0.3 % = 29.955, 9985 * 0.15 % = 14.9775
    expect(fees).toEqual({ serviceFixed: 10, serviceVariable: 30, platformFixed: 5, platformVariable: 15 })
    expect([receiving, Pricing.serviceFee(fees), Pricing.platformFee(fees), Pricing.totalFee(fees)]).toEqual([
      9940, 40, 20, 60,
    ])
  })

  it("charges receiving * rate / (1 - f) + F, rounded up, for a fixed receiving amount", () => {
    const rate = { from: "USD", to: "EUR", numerator: 25n, denominator: 23n } as const
    const terms = { serviceFixed: 10, serviceBps: 50, platformFixed: 0, platformBps: 0 }
    const result = priced("RECEIVING", 10_000, rate, terms)
    // 10869.565 / 0.995 = 10924.186
    expect(result).toMatchObject({ sending: 10_935, receiving: 10_000 })
    expect(Pricing.totalFee(result.fees)).toBe(65)
  })

  it.each([
    ["SENDING", 1, halfPercent, "FEES_EXCEED_AMOUNT"],
    ["SENDING", 10, { ...Pricing.noFees, serviceFixed: 10 }, "FEES_EXCEED_AMOUNT"],
    ["SENDING", 10, { ...Pricing.noFees, serviceFixed: 11 }, "FEES_EXCEED_AMOUNT"],
    ["SENDING", 100, { ...Pricing.noFees, platformBps: 10_000 }, "FEES_EXCEED_AMOUNT"],
    ["RECEIVING", 100, { ...Pricing.noFees, platformBps: 10_000 }, "FEES_EXCEED_AMOUNT"],
  ] as const)("has no price for %s %i if fees exceed the amount", (side, amount, terms, problem) => {
    expect(Pricing.price(side, amount, Rate.identity("USD"), terms)).toBe(problem)
  })

  // Proves: RES-QUOTE-12
  it("has no price for an amount that rounds to 0 or exceeds the exact range", () => {
    const rate = { from: "VND", to: "BTC", numerator: 3_000_000_000n, denominator: 1n } as const
    expect(Pricing.price("SENDING", 1, rate, Pricing.noFees)).toBe("AMOUNT_TOO_SMALL")
    expect(Pricing.price("RECEIVING", Number.MAX_SAFE_INTEGER, rate, Pricing.noFees)).toBe("AMOUNT_TOO_LARGE")
  })
})

const codes = fc.constantFrom(...Currencies.keys)
const part = fc.bigInt({ min: 1n, max: 10n ** 12n })
const rates = fc
  .record({ from: codes, to: codes, numerator: part, denominator: part })
  .map((rate): Rate.Rate => (rate.from === rate.to ? Rate.identity(rate.from) : rate))
const bps = fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 4000 }))
const fixed = fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 5000 }))
const terms = fc.record({ serviceFixed: fixed, serviceBps: bps, platformFixed: fixed, platformBps: bps })
const amounts = fc.oneof(fc.integer({ min: 1, max: 1000 }), fc.integer({ min: 1, max: 9_000_000_000_000_000 }))

const scale = (code: CurrencyCode) => 10n ** BigInt(Currencies.get(code).decimals)
/** The exact value of an exchanged amount as a fraction: `given` received units over `perUnit`. */
const worth = (exchanged: number, { denominator, from, numerator, to }: Rate.Rate) => ({
  given: BigInt(exchanged) * denominator * scale(to),
  perUnit: numerator * scale(from),
})

const exchangedOf = ({ fees, sending }: Pricing.Price) => sending - Pricing.totalFee(fees)

describe("for all rates, fees and decimals", () => {
  it("never pays out more than was exchanged", () => {
    fc.assert(
      fc.property(fc.constantFrom("SENDING", "RECEIVING"), amounts, rates, terms, (side, amount, rate, fees) => {
        const result = Pricing.price(side, amount, rate, fees)
        if (typeof result === "string") return
        const { given, perUnit } = worth(exchangedOf(result), rate)
        expect(given >= BigInt(result.receiving) * perUnit).toBe(true)
        // The locked side equals the requested amount, and every amount is exact.
        expect(side === "SENDING" ? result.sending : result.receiving).toBe(amount)
        for (const each of [result.sending, result.receiving, ...Object.values(result.fees)]) {
          expect(Number.isSafeInteger(each) && each >= 0).toBe(true)
        }
        // The remainder of rounding is less than one unit of either side.
        const left = given - BigInt(result.receiving) * perUnit
        expect(left < perUnit || left < rate.denominator * scale(rate.to)).toBe(true)
      }),
      { numRuns: 2000 },
    )
  })

  it("charges at least the terms' fees for a locked sending side, and within one unit for the other", () => {
    fc.assert(
      fc.property(fc.constantFrom("SENDING", "RECEIVING"), amounts, rates, terms, (side, amount, rate, fees) => {
        const result = Pricing.price(side, amount, rate, fees)
        if (typeof result === "string") return
        const basis = BigInt(result.sending - fees.serviceFixed - fees.platformFixed)
        const exact = basis * BigInt(fees.serviceBps + fees.platformBps)
        const charged = BigInt(result.fees.serviceVariable + result.fees.platformVariable) * 10_000n
        if (side === "SENDING") expect(charged >= exact && charged < exact + 20_000n).toBe(true)
        else expect(charged > exact - 10_000n && charged < exact + 10_000n).toBe(true)
        if (fees.serviceBps === 0) expect(result.fees.serviceVariable).toBe(0)
        if (fees.platformBps === 0) expect(result.fees.platformVariable).toBe(0)
      }),
      { numRuns: 2000 },
    )
  })

  it("locks the receiving amount at no more than the same price", () => {
    fc.assert(
      fc.property(amounts, rates, terms, (amount, rate, fees) => {
        const there = Pricing.price("SENDING", amount, rate, fees)
        if (typeof there === "string") return
        const back = priced("RECEIVING", there.receiving, rate, fees)
        expect(back.receiving).toBe(there.receiving)
        expect(back.sending).toBeLessThanOrEqual(amount)
      }),
      { numRuns: 2000 },
    )
  })

  it("locks the sending amount with the same exchange, within one unit per fee", () => {
    fc.assert(
      fc.property(amounts, rates, terms, (amount, rate, fees) => {
        const there = Pricing.price("RECEIVING", amount, rate, fees)
        if (typeof there === "string" || there.sending > 9_000_000_000_000_000) return
        const back = Pricing.price("SENDING", there.sending, rate, fees)
        if (typeof back === "string") return
        const parts = Number(fees.serviceBps > 0) + Number(fees.platformBps > 0)
        expect(Math.abs(exchangedOf(back) - exchangedOf(there))).toBeLessThanOrEqual(parts)
        if (parts === 0) expect(back.receiving).toBeGreaterThanOrEqual(amount)
      }),
      { numRuns: 2000 },
    )
  })
})

describe("the displayed rate", () => {
  it.each([
    [1n, 1n, 1],
    [120_048n, 1n, 120_048],
    [2n, 35n, 0.0571428571428571],
    [1n, 64_000n, 0.000015625],
    [1n, 3n, 0.333333333333333],
    [2n, 3n, 0.666666666666667],
    [10n ** 20n, 7n, 14285714285714300000],
  ])("shows %i / %i as %d", (numerator, denominator, expected) => {
    expect(Rate.displayed({ numerator, denominator })).toBe(expected)
  })

  // Proves: RES-QUOTE-14
  it("equals the exact rate within 15 digits", () => {
    fc.assert(
      fc.property(part, part, (numerator, denominator) => {
        const exact = Number(numerator) / Number(denominator)
        expect(Math.abs(Rate.displayed({ numerator, denominator }) - exact) / exact).toBeLessThan(1e-14)
      }),
    )
  })

  it("survives storage as text", () => {
    const rate = { from: "USD", to: "BTC", numerator: 10n ** 30n, denominator: 3n } as const
    expect(Rate.rateOf({ numerator: String(rate.numerator), denominator: "3" }, "USD", "BTC")).toEqual(rate)
  })
})
