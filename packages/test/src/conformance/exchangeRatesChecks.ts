/**
 * What every layer of `ExchangeRates` has to do: rates are of the asked pair, positive, and no way around earns money.
 * Source: wire contract 5.4; D-444, D-529; ports/ExchangeRates.ts.
 */
import { isDeepStrictEqual } from "node:util"
import type { CurrencyCode } from "@countersign/core/models"
import { ExchangeRates, type OfferedRate } from "@countersign/core/ports"
import { Effect, type Layer } from "effect"
import { checksOf, fail, type PortCheck } from "./PortChecks.ts"

/** The currencies that the rates of a test system have, and those that they lack. */
export interface ExchangeRatesConformanceOptions {
  /** Currencies that all have rates between them: three at least. */
  readonly currencies: ReadonlyArray<CurrencyCode>
  /** Currencies without a rate. */
  readonly unknown?: ReadonlyArray<CurrencyCode>
}

/** What is left of one unit after these conversions, without rounding, as a fraction. */
const remainder = (rates: ReadonlyArray<OfferedRate>) =>
  rates.reduce(
    (left, { denominator, fee, numerator }) => ({
      top: left.top * denominator * BigInt(10_000 - (fee?.variableBps ?? 0)),
      bottom: left.bottom * numerator * 10_000n,
    }),
    { top: 1n, bottom: 1n },
  )

/** Fractions as text: JSON has no integers of this size. */
const shown = (rate: OfferedRate | undefined) => rate && `${rate.from}:${rate.to} ${rate.numerator}/${rate.denominator}`

export const exchangeRatesChecks = <E>(
  layer: Layer.Layer<ExchangeRates, E>,
  { currencies, unknown = [] }: ExchangeRatesConformanceOptions,
): ReadonlyArray<PortCheck> => {
  const make = checksOf(ExchangeRates, layer)
  const pairs = currencies.flatMap((from) => currencies.filter((to) => to !== from).map((to) => [from, to] as const))
  const known = Effect.fnUntraced(function* (port: ExchangeRates["Service"], from: CurrencyCode, to: CurrencyCode) {
    const rate = yield* port.rate(from, to)
    return rate ?? (yield* fail("no rate", `${from}:${to}`))
  })
  const loop = Effect.fnUntraced(function* (port: ExchangeRates["Service"], codes: ReadonlyArray<CurrencyCode>) {
    const [first, ...others] = codes
    if (first === undefined) return
    const way = [...others, first].map((to, at) => known(port, codes[at] ?? first, to))
    const { bottom, top } = remainder(yield* Effect.all(way))
    if (top > bottom) return yield* fail("the way earns money", codes.join(" "))
  })

  return [
    make("a rate is that of the asked pair: two positive integers, and a fee that is not negative", (port, bench) =>
      Effect.gen(function* () {
        for (const [from, to] of pairs) {
          const rate = yield* known(port, from, to)
          const { fee = { fixed: 0, variableBps: 0 }, updatedAt = bench.now() } = rate
          const isFee = [fee.fixed, fee.variableBps].every((part) => Number.isSafeInteger(part) && part >= 0)
          const isPositive = rate.numerator > 0n && rate.denominator > 0n
          const isTime = Number.isSafeInteger(updatedAt) && updatedAt <= bench.now()
          if (rate.from !== from || rate.to !== to || !isPositive || !isFee || fee.variableBps >= 10_000 || !isTime) {
            return yield* fail("not a rate of the pair", { asked: `${from}:${to}`, rate: shown(rate), fee, updatedAt })
          }
        }
      }),
    ),

    make("the rate of a currency to itself is one, or there is no such rate", (port) =>
      Effect.forEach(
        currencies,
        (code) =>
          Effect.flatMap(port.rate(code, code), (rate) =>
            rate === undefined || rate.numerator === rate.denominator ? Effect.void : fail("not one", shown(rate)),
          ),
        { discard: true },
      ),
    ),

    make("no way there and back earns money", (port) =>
      Effect.forEach(pairs, ([from, to]) => loop(port, [from, to]), { discard: true }),
    ),

    make("no way over a third currency earns money", (port) =>
      Effect.forEach(
        pairs.flatMap(([from, to]) =>
          currencies.filter((third) => third !== from && third !== to).map((third) => [from, to, third]),
        ),
        (codes) => loop(port, codes),
        { discard: true },
      ),
    ),

    make("a repeated question at the same moment has the same answer", (port) =>
      Effect.gen(function* () {
        for (const [from, to] of pairs) {
          const [first, next] = yield* Effect.all([port.rate(from, to), port.rate(from, to)], {
            concurrency: "unbounded",
          })
          if (!isDeepStrictEqual(first, next)) return yield* fail("another rate", [shown(first), shown(next)])
        }
      }),
    ),

    make("a currency without a rate has none, to and from each other one", (port) =>
      Effect.gen(function* () {
        for (const code of unknown) {
          for (const other of currencies) {
            const found = yield* Effect.all([port.rate(code, other), port.rate(other, code)])
            if (found.some((rate) => rate !== undefined)) return yield* fail("a rate", found.map(shown))
          }
        }
      }),
    ),
  ]
}
