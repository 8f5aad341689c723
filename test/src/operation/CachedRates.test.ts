/** The cache of exchange rates: for five minutes by pair, one request for concurrent calls, and none for an unknown rate. */
import { ExchangeRates } from "@countersign/core/ports"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import * as ExchangeRateCache from "../../../packages/core/src/operation/ExchangeRateCache.ts"

/** A port that counts its calls by pair; EUR has no rate, and MXN says itself how old it is. */
const counted = () => {
  const calls: Array<string> = []
  const port = Layer.succeed(ExchangeRates, {
    rate: (from, to) =>
      Effect.gen(function* () {
        calls.push(`${from} ${to}`)
        yield* Effect.yieldNow
        if (to === "EUR") return undefined
        const rate = { rate: calls.length } as never
        return to === "MXN" ? { ...Object(rate), updatedAt: 5 } : rate
      }),
  })
  return { calls, layer: ExchangeRateCache.layer.pipe(Layer.provide(port)) }
}
const ask = (from: "USD" | "BRL", to: "USD" | "EUR" | "MXN" | "BRL") =>
  ExchangeRates.use((rates) => rates.rate(from, to))

describe("the cache of exchange rates", () => {
  it.effect("asks again for a pair after five minutes, and not before", () => {
    const { calls, layer } = counted()
    return Effect.gen(function* () {
      yield* TestClock.setTime(1000)
      const first = yield* ask("USD", "BRL")
      assert.deepStrictEqual(first as unknown, { rate: 1, updatedAt: 1000 })
      yield* TestClock.adjust("299999 millis")
      assert.deepStrictEqual(yield* ask("USD", "BRL"), first)
      yield* TestClock.adjust("1 millis")
      assert.deepStrictEqual((yield* ask("USD", "BRL")) as unknown, { rate: 2, updatedAt: 301_000 })
      assert.deepStrictEqual(calls, ["USD BRL", "USD BRL"])
    }).pipe(Effect.provide(layer))
  })

  it.effect("tells the pairs and their directions from each other", () => {
    const { calls, layer } = counted()
    return Effect.gen(function* () {
      for (const [from, to] of [
        ["USD", "BRL"],
        ["BRL", "USD"],
        ["USD", "MXN"],
        ["USD", "BRL"],
      ] as const)
        yield* ask(from, to)
      assert.deepStrictEqual(calls, ["USD BRL", "BRL USD", "USD MXN"])
    }).pipe(Effect.provide(layer))
  })

  it.effect("sends one request for calls at the same time", () => {
    const { calls, layer } = counted()
    return Effect.gen(function* () {
      const found = yield* Effect.all([ask("USD", "BRL"), ask("USD", "BRL")], { concurrency: 2 })
      assert.deepStrictEqual(calls, ["USD BRL"])
      assert.deepStrictEqual(found[0], found[1])
    }).pipe(Effect.provide(layer))
  })

  it.effect("does not keep that a rate is unknown, and keeps the time of a rate that has one", () => {
    const { calls, layer } = counted()
    return Effect.gen(function* () {
      assert.isUndefined(yield* ask("USD", "EUR"))
      assert.isUndefined(yield* ask("USD", "EUR"))
      assert.deepStrictEqual(calls, ["USD EUR", "USD EUR"])
      assert.strictEqual((yield* ask("USD", "MXN"))?.updatedAt, 5)
    }).pipe(Effect.provide(layer))
  })
})
