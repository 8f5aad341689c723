/** Amounts: the integers that JSON represents exactly. */
import { amountMax, CurrencyAmount, NonNegativeAmount, PositiveAmount } from "@countersign/core/models"
import { Schema } from "effect"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { currencyAmount, inRange } from "../../../packages/core/src/foundation/money/Amount.ts"

const isPositive = Schema.is(PositiveAmount)
const isNonNegative = Schema.is(NonNegativeAmount)

describe("an amount", () => {
  // Proves: CONV-02
  it("is a positive or a non-negative safe integer", () => {
    fc.assert(
      fc.property(fc.oneof(fc.double(), fc.maxSafeInteger(), fc.integer({ min: -2, max: 2 })), (number) => {
        expect(isPositive(number)).toBe(Number.isSafeInteger(number) && number >= 1)
        expect(isNonNegative(number)).toBe(Number.isSafeInteger(number) && number >= 0)
      }),
    )
  })

  it("is at most the largest exact integer", () => {
    for (const is of [isPositive, isNonNegative]) {
      expect(is(amountMax)).toBe(true)
      expect(is(amountMax + 1)).toBe(false)
    }
  })

  it.each(["1", 1n, null, undefined, [1], { amount: 1 }, true])("rejects %o", (other) => {
    expect(isPositive(other)).toBe(false)
    expect(isNonNegative(other)).toBe(false)
  })
})

describe("an amount with its currency", () => {
  it("contains the currency record and matches its schema", () => {
    const withCurrency = currencyAmount(1250, "USD")
    expect(withCurrency).toEqual({
      amount: 1250,
      currency: { code: "USD", name: "United States Dollar", symbol: "$", decimals: 2 },
    })
    expect(Schema.is(CurrencyAmount)(withCurrency)).toBe(true)
    expect(Schema.is(CurrencyAmount)({ ...withCurrency, amount: 12.5 })).toBe(false)
    expect(Schema.is(CurrencyAmount)({ ...withCurrency, currency: "USD" })).toBe(false)
  })
})

describe("a sum of amounts", () => {
  it("is in range while it is exact", () => {
    fc.assert(
      fc.property(fc.bigInt(-(2n ** 54n), 2n ** 54n), (sum) => {
        expect(inRange(Number(sum))).toBe(-(2n ** 53n) < BigInt(Number(sum)) && BigInt(Number(sum)) < 2n ** 53n)
      }),
    )
  })

  it.each([
    [amountMax, true],
    [-amountMax, true],
    [amountMax + 1, false],
    [-amountMax - 1, false],
    [Number.POSITIVE_INFINITY, false],
    [Number.NaN, false],
  ])("%d is in range: %s", (sum, expected) => {
    expect(inRange(sum)).toBe(expected)
  })
})
