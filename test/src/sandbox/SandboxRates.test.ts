/** The exchange rates of the sandbox: a price for every currency, exact cross rates, and no gain by a round trip. */
import { amountMax, Currencies, type CurrencyCode } from "@countersign/core/models"
import { ExchangeRates } from "@countersign/core/ports"
import { SandboxRates, SandboxRateTable } from "@countersign/core/sandbox"
import { expect, it } from "@effect/vitest"
import { Effect, Exit, Layer } from "effect"
import fc from "fast-check"
import * as Rate from "../../../packages/core/src/foundation/money/Rate.ts"

const rateOf = (
  from: CurrencyCode,
  to: CurrencyCode,
  layer: Layer.Layer<ExchangeRates> = SandboxRates.layer,
): Rate.Rate => {
  const rate = Effect.runSync(
    ExchangeRates.use((rates) => rates.rate(from, to)).pipe(Effect.provide(layer, { local: true })),
  )
  if (rate === undefined) throw new Error(`no rate from ${from} to ${to}`)
  return rate
}

const codes = fc.constantFrom<CurrencyCode>(...Currencies.keys)
const amounts = fc.oneof(fc.maxSafeNat(), fc.nat(100_000))

it("has a price for every currency and for nothing else", () => {
  expect([...SandboxRateTable.keys].sort()).toEqual([...Currencies.keys].sort())
  for (const [code, [numerator, denominator]] of SandboxRateTable.entries) {
    expect([code, numerator > 0n && denominator > 0n]).toEqual([code, true])
  }
})

const pegged: ReadonlyArray<CurrencyCode> = ["USD", "USDB", "USDC", "USDT"]

it("exchanges currencies of one value exactly, without a fee, and no others", () => {
  for (const from of Currencies.keys) {
    for (const to of Currencies.keys.filter((code) => code !== from)) {
      const isFree = pegged.includes(from) && pegged.includes(to)
      const expected = { from, to, ...(isFree ? { numerator: 1n, denominator: 1n } : { fee: { variableBps: 50 } }) }
      expect(rateOf(from, to)).toMatchObject(expected)
      expect([from, to, "fee" in rateOf(from, to)]).toEqual([from, to, !isFree])
    }
  }
})

it.each<[CurrencyCode, CurrencyCode, bigint, bigint]>([
  // Major units of the first currency for one major unit of the second.
  ["USD", "EUR", 25n, 23n],
  ["EUR", "USD", 23n, 25n],
  ["USD", "BTC", 64_000n, 1n],
  ["BTC", "USD", 1n, 64_000n],
  ["MXN", "GBP", 1_750n, 79n],
  ["USDC", "USD", 1n, 1n],
  ["INR", "INR", 1n, 1n],
])("%s for one %s is %d/%d", (from, to, numerator, denominator) => {
  // The fee is 0.5 percent of an exchange; one currency alone needs no exchange, and currencies of one value have no fee.
  const isFree = from === to || (pegged.includes(from) && pegged.includes(to))
  const fee = isFree ? {} : { fee: { fixed: 0, variableBps: 50 } }
  expect(rateOf(from, to)).toEqual({ from, to, numerator, denominator, ...fee })
})

it.each<[number, CurrencyCode, CurrencyCode, number]>([
  [10_000, "USD", "EUR", 9_200],
  [9_200, "EUR", "USD", 10_000],
  [10_000, "USD", "JPY", 15_000],
  [64_000_00, "USD", "BTC", 100_000_000],
  [1, "BTC", "USD", 0],
])("%d of %s are %s %d", (amount, from, to, converted) => {
  expect(Rate.convert(amount, rateOf(from, to), "down")).toBe(converted)
})

it("has inverse rates that multiply to exactly one, in lowest terms", () => {
  fc.assert(
    fc.property(codes, codes, (a, b) => {
      const there = rateOf(a, b)
      const back = rateOf(b, a)
      expect([there.numerator, there.denominator]).toEqual([back.denominator, back.numerator])
    }),
  )
})

it("has rates that are consistent with any third currency", () => {
  fc.assert(
    fc.property(codes, codes, codes, (a, b, c) => {
      const [ab, bc, ac] = [rateOf(a, b), rateOf(b, c), rateOf(a, c)]
      expect(ab.numerator * bc.numerator * ac.denominator).toBe(ab.denominator * bc.denominator * ac.numerator)
    }),
  )
})

it("rounds up by at most one unit more than down", () => {
  fc.assert(
    fc.property(amounts, codes, codes, (amount, from, to) => {
      const rate = rateOf(from, to)
      const [down, up] = [Rate.convert(amount, rate, "down"), Rate.convert(amount, rate, "up")]
      expect(up - down === 0 || up - down === 1).toBe(true)
    }),
  )
})

it("allows no gain by a round trip that rounds down", () => {
  fc.assert(
    fc.property(amounts, codes, codes, (amount, a, b) => {
      const there = Rate.convert(amount, rateOf(a, b), "down")
      fc.pre(there <= amountMax)
      expect(Rate.convert(there, rateOf(b, a), "down")).toBeLessThanOrEqual(amount)
    }),
  )
})

it("accepts own prices for some currencies", () => {
  const configured = SandboxRates.layerWith({ EUR: [1n, 2n] })
  expect(rateOf("USD", "EUR", configured)).toMatchObject({ numerator: 2n, denominator: 1n })
  expect(rateOf("USD", "GBP", configured)).toEqual(rateOf("USD", "GBP"))
})

it.each([[[0n, 1n]], [[1n, 0n]], [[-1n, 2n]]] as const)("rejects the price %s", (price) => {
  const exit = Effect.runSyncExit(Effect.scoped(Layer.build(SandboxRates.layerWith({ EUR: price }))))
  expect(Exit.isFailure(exit)).toBe(true)
})
