/** Amounts of mints and burns. Source: wire contract areas 1.6.4. */
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { canonicalAmount, centsOf } from "../../../packages/core/src/model/stablecoin/StablecoinAmount.ts"

const cents = fc.bigInt({ min: 1n, max: BigInt(Number.MAX_SAFE_INTEGER) })
const decimals = fc.integer({ min: 0, max: 36 })

/** The units of one cent, or the cents of one unit. */
const scale = (places: number) => 10n ** BigInt(Math.abs(places - 2))

describe("the cents of an amount", () => {
  it("are exactly those of a multiple of 10^(d-2)", () => {
    fc.assert(
      fc.property(cents, fc.integer({ min: 2, max: 36 }), (value, places) => {
        expect(centsOf(String(value * scale(places)), places)).toBe(Number(value))
      }),
    )
  })

  it("do not exist for an amount with a part of a cent", () => {
    fc.assert(
      fc.property(
        cents,
        fc.integer({ min: 3, max: 36 }),
        fc.bigInt({ min: 1n, max: 10n ** 34n }),
        (value, places, part) => {
          const uneven = value * scale(places) + (part % (scale(places) - 1n)) + 1n
          expect(centsOf(String(uneven), places)).toBeUndefined()
        },
      ),
    )
  })

  it("of a token with less than two decimals are multiples", () => {
    expect([centsOf("3", 0), centsOf("3", 1), centsOf("3", 2)]).toEqual([300, 30, 3])
  })

  it("are within 53 bits", () => {
    fc.assert(
      fc.property(decimals, fc.bigInt({ min: 1n, max: 10n ** 20n }), (places, above) => {
        const max = BigInt(Number.MAX_SAFE_INTEGER)
        const text = (value: bigint) => String(places < 2 ? value / scale(places) + 1n : value * scale(places))
        expect(centsOf(text(max + above), places)).toBeUndefined()
      }),
    )
    expect(centsOf(String(Number.MAX_SAFE_INTEGER), 2)).toBe(Number.MAX_SAFE_INTEGER)
    expect(centsOf("9007199254740992", 2)).toBeUndefined()
  })

  it("are never zero", () => {
    fc.assert(fc.property(decimals, (places) => centsOf("0", places) === undefined))
  })

  it("do not depend on leading zeros, which are not kept", () => {
    fc.assert(
      fc.property(cents, fc.integer({ min: 0, max: 20 }), (value, zeros) => {
        const text = "0".repeat(zeros) + String(value)
        expect(centsOf(text, 2)).toBe(centsOf(String(value), 2))
        expect(canonicalAmount(text)).toBe(String(value))
      }),
    )
  })
})
