/**
 * Exchange rates kept for five minutes, whoever offers them: those who ask at once wait for one answer. What is not known is
 * asked for again.
 * Spec: Limits (exchange rate cache); wire contract 5.4.
 */
import { Cache, Clock, Effect, Exit, Layer } from "effect"
import { Currencies, type CurrencyCode } from "../foundation/money/Currencies.ts"
import { ExchangeRates } from "../ports/ExchangeRates.ts"

const rateLifetimeMillis = 5 * 60 * 1000

/** The rates of the port beneath, kept. */
export const layer: Layer.Layer<ExchangeRates, never, ExchangeRates> = Layer.effect(
  ExchangeRates,
  Effect.gen(function* () {
    const rates = yield* ExchangeRates
    const ask = Effect.fnUntraced(function* (pair: string) {
      const [from, to] = pair.split(":") as [CurrencyCode, CurrencyCode]
      const rate = yield* rates.rate(from, to)
      return rate && { ...rate, updatedAt: rate.updatedAt ?? (yield* Clock.currentTimeMillis) }
    })
    const kept = yield* Cache.makeWith(ask, {
      capacity: Currencies.keys.length ** 2,
      timeToLive: (exit) => (Exit.isSuccess(exit) && exit.value !== undefined ? rateLifetimeMillis : 0),
    })
    return ExchangeRates.of({ rate: (from, to) => Cache.get(kept, `${from}:${to}`) })
  }),
)
