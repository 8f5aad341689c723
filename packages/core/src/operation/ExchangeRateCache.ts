/**
 * Caches the rates of the `ExchangeRates` port for five minutes. Concurrent calls for one pair share one request. An unknown rate is not
 * cached.
 * Spec: Limits (exchange rate cache); wire contract 5.4.
 */
import { Cache, Clock, Effect, Exit, Layer } from "effect"
import { Currencies, type CurrencyCode } from "../foundation/money/Currencies.ts"
import { ExchangeRates } from "../ports/ExchangeRates.ts"

const rateLifetimeMillis = 5 * 60 * 1000

/** A cache over the underlying port. */
export const layer: Layer.Layer<ExchangeRates, never, ExchangeRates> = Layer.effect(
  ExchangeRates,
  Effect.gen(function* () {
    const rates = yield* ExchangeRates
    const request = Effect.fnUntraced(function* (pair: string) {
      const [from, to] = pair.split(":") as [CurrencyCode, CurrencyCode]
      const rate = yield* rates.rate(from, to)
      return rate && { ...rate, updatedAt: rate.updatedAt ?? (yield* Clock.currentTimeMillis) }
    })
    const cache = yield* Cache.makeWith(request, {
      capacity: Currencies.keys.length ** 2,
      timeToLive: (exit) => (Exit.isSuccess(exit) && exit.value !== undefined ? rateLifetimeMillis : 0),
    })
    return ExchangeRates.of({ rate: (from, to) => Cache.get(cache, `${from}:${to}`) })
  }),
)
