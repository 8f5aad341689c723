/**
 * Rates of a table: exact over the base, never in favour of the customer, and believed only while they are plausible.
 * Source: D-529; wire contract 1.4.
 */
import { Currencies, type CurrencyCode } from "@countersign/core/models"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { disbelief, isStale } from "../../../packages/adapter-rates/src/Belief.ts"
import { makeBreaker } from "../../../packages/adapter-rates/src/Breaker.ts"
import { differsByMore, fractionOf } from "../../../packages/adapter-rates/src/Fractions.ts"
import { offeredRate } from "../../../packages/adapter-rates/src/Pricing.ts"
import { problemOfRates, type RateOptions } from "../../../packages/adapter-rates/src/RateOptions.ts"
import { type RateTable, TableRefused, tableOf } from "../../../packages/adapter-rates/src/RateTable.ts"
import { convert } from "../../../packages/core/src/foundation/money/Rate.ts"

const codes: ReadonlyArray<CurrencyCode> = Currencies.keys.filter((code) => code !== "EUR")
const table = (date: string, rates: Readonly<Record<string, string>>, base = "EUR"): RateTable => {
  const made = tableOf(
    date,
    base,
    Object.entries(rates).map(([currency, rate]) => ({ currency, rate })),
  )
  if (made instanceof TableRefused) throw made
  return made
}
const now = Date.parse("2024-01-12T15:00:00Z")

/** Tables with any positive prices, and a spread. */
const priced = fc.record({
  table: fc
    .array(fc.tuple(fc.integer({ min: 1, max: 10 ** 9 }), fc.nat(8)), {
      minLength: codes.length,
      maxLength: codes.length,
    })
    .map((prices) =>
      table(
        "2024-01-12",
        Object.fromEntries(codes.map((code, at) => [code, `${prices[at]?.[0] ?? 1}e-${prices[at]?.[1] ?? 0}`])),
      ),
    ),
  spreadBps: fc.oneof(fc.constant(0), fc.nat(9999)),
  from: fc.constantFrom(...Currencies.keys),
  to: fc.constantFrom(...Currencies.keys),
  third: fc.constantFrom(...Currencies.keys),
  amount: fc.nat(10 ** 12),
})
const rateOf = (of: RateTable, from: CurrencyCode, to: CurrencyCode, options: RateOptions = {}) => {
  const rate = offeredRate(of, from, to, options, now)
  if (rate === undefined) throw new Error("no rate")
  return rate
}

describe("a rate", () => {
  it("is major units of the sold currency for one of the bought currency", () => {
    const rates = table("2024-01-12", { USD: "1.25", JPY: "150" })
    expect(rateOf(rates, "USD", "EUR")).toMatchObject({ numerator: 5n, denominator: 4n })
    expect(rateOf(rates, "EUR", "USD")).toMatchObject({ numerator: 4n, denominator: 5n })
    expect(rateOf(rates, "USD", "JPY")).toMatchObject({ numerator: 1n, denominator: 120n })
    expect(rateOf(rates, "USD", "USD")).toMatchObject({ numerator: 1n, denominator: 1n })
    expect(offeredRate(rates, "USD", "GBP", {}, now)).toBeUndefined()
    expect(offeredRate(rates, "GBP", "GBP", {}, now)).toBeUndefined()
  })

  it("has the spread, the fee and the day of the table", () => {
    const rates = table("2024-01-12", { USD: "1.25", GBP: "0.5" })
    const fee = { fixed: 10, variableBps: 25 }
    expect(rateOf(rates, "USD", "EUR", { spreadBps: 100, fee })).toEqual({
      from: "USD",
      to: "EUR",
      numerator: 101n,
      denominator: 80n,
      fee,
      updatedAt: Date.parse("2024-01-12T00:00:00Z"),
    })
    const spreadOf = (from: CurrencyCode) => (from === "USD" ? 200 : 0)
    expect(rateOf(rates, "USD", "EUR", { spreadOf })).toMatchObject({ numerator: 51n, denominator: 40n })
    expect(rateOf(rates, "GBP", "EUR", { spreadOf })).toMatchObject({ numerator: 1n, denominator: 2n })
    for (const spread of [-1, 0.5, 10_000, Number.NaN]) {
      expect(offeredRate(rates, "USD", "EUR", { spreadOf: () => spread }, now)).toBeUndefined()
    }
  })

  it("of a pegged currency is that of the other one", () => {
    const rates = table("2024-01-12", { USD: "1.25" })
    const pegs = { USDC: "USD" } as const
    expect(rateOf(rates, "USDC", "EUR", { pegs })).toMatchObject({
      from: "USDC",
      to: "EUR",
      numerator: 5n,
      denominator: 4n,
    })
    expect(rateOf(rates, "USDC", "USD", { pegs })).toMatchObject({ numerator: 1n, denominator: 1n })
    expect(offeredRate(rates, "USDC", "EUR", {}, now)).toBeUndefined()
  })

  it("and its opposite are each other's inverse without a spread", () => {
    fc.assert(
      fc.property(priced, ({ from, table: rates, to }) => {
        const [there, back] = [rateOf(rates, from, to), rateOf(rates, to, from)]
        expect([there.numerator, there.denominator]).toEqual([back.denominator, back.numerator])
      }),
    )
  })

  it("never favours the customer: it is the table's, or worse", () => {
    fc.assert(
      fc.property(priced, ({ amount, from, spreadBps, table: rates, to }) => {
        const [plain, offered] = [rateOf(rates, from, to), rateOf(rates, from, to, { spreadBps })]
        expect(offered.numerator * plain.denominator).toBeGreaterThanOrEqual(plain.numerator * offered.denominator)
        expect(convert(amount, offered, "down")).toBeLessThanOrEqual(convert(amount, plain, "down"))
      }),
    )
  })

  it("makes no money on a way there and back, or over a third currency, also after rounding", () => {
    fc.assert(
      fc.property(priced, ({ amount, from, spreadBps, table: rates, third, to }) => {
        for (const way of [
          [from, to, from],
          [from, to, third, from],
        ]) {
          let left = amount
          way.slice(1).forEach((next, at) => {
            left = convert(left, rateOf(rates, way[at] ?? from, next, { spreadBps }), "down")
          })
          // An amount beyond the largest one has no conversion.
          if (left < Number.MAX_SAFE_INTEGER) expect(left).toBeLessThanOrEqual(amount)
        }
      }),
    )
  })
})

describe("a table is not believed", () => {
  const before = table("2024-01-11", { USD: "1.10", JPY: "160" })
  const why = (next: RateTable, options: RateOptions = {}, known: RateTable | undefined = before, at = now) =>
    disbelief(next, known, at, options)?.message ?? "believed"

  it("if one price differs by more than the limit, in either direction", () => {
    expect(why(table("2024-01-12", { USD: "1.21", JPY: "160" }))).toBe("believed")
    expect(why(table("2024-01-12", { USD: "1.2101", JPY: "160" }))).toContain("USD differs by more than 10 percent")
    expect(why(table("2024-01-12", { USD: "1.00", JPY: "160" }))).toBe("believed")
    expect(why(table("2024-01-12", { USD: "0.9999", JPY: "160" }))).toContain("USD")
    expect(why(table("2024-01-12", { USD: "1.10", JPY: "1.6" }))).toContain("JPY")
    expect(why(table("2024-01-12", { USD: "1.3", JPY: "160" }), { jumpPercentMax: 20 })).toBe("believed")
    expect(why(table("2024-01-12", { USD: "1.10", GBP: "0.8" }))).toBe("believed")
  })

  it("if it is older, of another base, too old or of the future", () => {
    expect(why(table("2024-01-10", { USD: "1.10" }))).toContain("before the one that is used")
    expect(why(table("2024-01-11", { USD: "1.11" }))).toBe("believed")
    expect(why(table("2024-01-12", { EUR: "0.9" }, "USD"))).toContain("base")
    expect(why(table("2024-01-13", { USD: "1.10" }))).toBe("believed")
    expect(why(table("2024-01-14", { USD: "1.10" }))).toContain("future")
    expect(disbelief(table("2023-12-01", { USD: "1.10" }), undefined, now, {})?.message).toContain("too old")
  })

  it("is symmetric in what differs", () => {
    const price = fc
      .integer({ min: 1, max: 10 ** 6 })
      .map((n) => fractionOf(`${n}e-3`) ?? { numerator: 1n, denominator: 1n })
    fc.assert(
      fc.property(price, price, fc.nat(20_000), (a, b, bps) => {
        expect(differsByMore(a, b, bps)).toBe(differsByMore(b, a, bps))
      }),
    )
  })
})

describe("a table is used", () => {
  const until = (date: string, options: RateOptions = {}) => {
    const of = table(date, { USD: "1.1" })
    let at = of.day
    while (!isStale(of, at, options)) at += 3_600_000
    return new Date(at).toISOString().slice(0, 13)
  }
  it.each([
    // A Monday, a Friday before a weekend, the Thursday before Easter, and Christmas Eve.
    ["2024-01-08", {}, "2024-01-12T00"],
    ["2024-01-12", {}, "2024-01-18T00"],
    ["2024-03-28", {}, "2024-04-03T00"],
    ["2024-01-12", { workingDaysMax: 1 }, "2024-01-16T00"],
    ["2024-01-12", { workingDaysMax: 0 }, "2024-01-13T00"],
    ["2024-03-28", { workingDaysMax: 1, holidays: ["2024-03-29", "2024-04-01"] }, "2024-04-03T00"],
    ["2024-01-12", { workingDaysMax: 1, weekend: [] }, "2024-01-14T00"],
  ] as const)("of %s with %j until %s", (date, options, end) => {
    expect(until(date, options)).toBe(end)
  })
})

it("a breaker opens after three failures, for longer after each probe that fails, and closes after a success", () => {
  const breaker = makeBreaker()
  const failed = (at: number, times: number) => {
    for (let n = 0; n < times; n++) breaker.failed(at)
  }
  failed(0, 2)
  expect(breaker.allows(0)).toBe(true)
  failed(0, 1)
  expect([breaker.allows(29_999), breaker.allows(30_000)]).toEqual([false, true])
  failed(30_000, 1)
  expect([breaker.allows(89_999), breaker.allows(90_000)]).toEqual([false, true])
  failed(90_000, 50)
  expect([breaker.allows(90_000 + 899_999), breaker.allows(90_000 + 900_000)]).toEqual([false, true])
  breaker.succeeded()
  failed(0, 2)
  expect(breaker.allows(0)).toBe(true)
})

it.each([
  [{ spreadBps: -1 }, "`spreadBps`"],
  [{ spreadBps: 10_000 }, "`spreadBps`"],
  [{ fee: { fixed: -1, variableBps: 0 } }, "`fee`"],
  [{ workingDaysMax: -1 }, "`workingDaysMax`"],
  [{ weekend: [0, 1, 2, 3, 4, 5, 6] }, "`weekend`"],
  [{ holidays: ["25.12.2024"] }, "`holidays`"],
  [{ jumpPercentMax: 0 }, "`jumpPercentMax`"],
  [{ pegs: { USDC: "USDT", USDT: "USD" } }, "`pegs`"],
] as const)("options with %j are refused", (wrong, named) => {
  expect(problemOfRates(wrong)).toContain(named)
  expect(problemOfRates({})).toBeUndefined()
})
