/**
 * A store whose trips take turns: before and after each read and commit others go on, as many times as a seed says. In
 * memory every trip is instantaneous; this is how operations come to overlap.
 */
import { Store } from "@countersign/core/store"
import { Effect, Layer } from "effect"

/** A small generator (mulberry32) of numbers below `bound`. */
const chance = (seed: number) => {
  let state = seed >>> 0
  return (bound: number): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) % bound
  }
}

/** The given store, interleaved. */
export const layer = (seed: number): Layer.Layer<Store, never, Store> =>
  Layer.effect(
    Store,
    Effect.gen(function* () {
      const store = yield* Store
      const draw = chance(seed)
      const turns = Effect.suspend(() => Effect.repeat(Effect.yieldNow, { times: draw(4) }))
      const around = <A, E, R>(trip: Effect.Effect<A, E, R>) => Effect.andThen(turns, Effect.tap(trip, turns))
      return Store.of({
        ...store,
        read: (query) => around(store.read(query)),
        list: (kind, where, page) => around(store.list(kind, where, page)),
        commit: (set) => around(store.commit(set)),
      })
    }),
  )
