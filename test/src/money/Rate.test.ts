/** Conversion: exact until one final rounding, without overflow. */
import { amountMax, Currencies, type CurrencyCode } from "@countersign/core/models"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import * as Rate from "../../../packages/core/src/foundation/money/Rate.ts"

const { convert, identity } = Rate
const codes = fc.constantFrom<CurrencyCode>(...Currencies.keys)
const parts = fc.bigInt(1n, 10n ** 12n)
const rates = fc.record({ from: codes, to: codes, numerator: parts, denominator: parts })
const amounts = fc.oneof(fc.maxSafeNat(), fc.nat(1000))

const units = (code: CurrencyCode) => 10n ** BigInt(Currencies.get(code).decimals)
/** Returns the numerator of `converted` minus the exact value: negative, zero or positive. */
const excess = (amount: number, rate: Rate.Rate, converted: number): bigint =>
  BigInt(converted) * units(rate.from) * rate.numerator - BigInt(amount) * units(rate.to) * rate.denominator
/** Returns one smallest unit of `to` on the scale of `excess`. */
const one = (rate: Rate.Rate): bigint => units(rate.from) * rate.numerator

describe("conversion", () => {
  it("rounds down to the previous whole unit and up to the next", () => {
    fc.assert(
      fc.property(amounts, rates, (amount, rate) => {
        const down = convert(amount, rate, "down")
        const up = convert(amount, rate, "up")
        fc.pre(up <= amountMax)
        const below = excess(amount, rate, down)
        const above = excess(amount, rate, up)
        expect(below <= 0n && below > -one(rate)).toBe(true)
        expect(above >= 0n && above < one(rate)).toBe(true)
        expect(up - down).toBe(below === 0n ? 0 : 1)
      }),
    )
  })

  it("returns the largest amount plus one for every result beyond it", () => {
    fc.assert(
      fc.property(amounts, rates, fc.constantFrom("up" as const, "down" as const), (amount, rate, rounding) => {
        const converted = convert(amount, rate, rounding)
        expect(Number.isSafeInteger(converted) || converted === amountMax + 1).toBe(true)
        if (converted > amountMax) expect(excess(amount, rate, amountMax) < 0n).toBe(true)
      }),
    )
  })

  it("keeps an amount in its own currency", () => {
    fc.assert(
      fc.property(amounts, codes, fc.constantFrom("up" as const, "down" as const), (amount, code, rounding) => {
        expect(convert(amount, identity(code), rounding)).toBe(amount)
      }),
    )
  })

  it("is monotonic", () => {
    fc.assert(
      fc.property(amounts, amounts, rates, fc.constantFrom("up" as const, "down" as const), (a, b, rate, rounding) => {
        const [less, more] = [Math.min(a, b), Math.max(a, b)]
        expect(convert(less, rate, rounding)).toBeLessThanOrEqual(convert(more, rate, rounding))
      }),
    )
  })

  it("returns at most the original amount after a round trip that rounds down", () => {
    fc.assert(
      fc.property(amounts, rates, (amount, rate) => {
        const back = { from: rate.to, to: rate.from, numerator: rate.denominator, denominator: rate.numerator }
        const there = convert(amount, rate, "down")
        fc.pre(there <= amountMax)
        expect(convert(there, back, "down")).toBeLessThanOrEqual(amount)
      }),
    )
  })

  const cases: ReadonlyArray<
    readonly [
      amount: number,
      from: CurrencyCode,
      to: CurrencyCode,
      rate: readonly [bigint, bigint],
      down: number,
      up: number,
    ]
  > = [
    [0, "USD", "EUR", [108n, 100n], 0, 0],
    // 100.00 USD at 1.08 USD per EUR: 92.592...
    [10_000, "USD", "EUR", [108n, 100n], 9_259, 9_260],
    // The inverse is exact.
    [10_000, "EUR", "USD", [100n, 108n], 10_800, 10_800],
    // Two decimals to none: 1.00 USD at 0.0067 USD per JPY: 149.25...
    [100, "USD", "JPY", [67n, 10_000n], 149, 150],
    // No decimals to eight: 1 JPY at 10,000,000 JPY per BTC.
    [1, "JPY", "BTC", [10_000_000n, 1n], 10, 10],
    // Six decimals to two: a fraction of a cent.
    [1_234_567, "USDC", "USD", [1n, 1n], 123, 124],
    [1, "USDC", "USD", [1n, 1n], 0, 1],
    [amountMax, "USD", "USDC", [1n, 1n], amountMax + 1, amountMax + 1],
  ]
  it.each(cases)("%d %s to %s", (amount, from, to, [numerator, denominator], down, up) => {
    const rate = { from, to, numerator, denominator }
    expect([convert(amount, rate, "down"), convert(amount, rate, "up")]).toEqual([down, up])
  })
})
