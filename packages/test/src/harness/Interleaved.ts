/**
 * A store that interleaves concurrent operations. Before and after each read and commit it yields to other fibers, as many
 * times as a seeded generator says. Calls of the store in memory are synchronous, so they would not overlap otherwise.
 */
import { Store } from "@countersign/core/store"
import { Effect, Layer } from "effect"
import { randomIntegers } from "../random/RandomIntegers.ts"

/** Wraps the store of the context so that concurrent operations interleave. */
export const layer = (seed: number): Layer.Layer<Store, never, Store> =>
  Layer.effect(
    Store,
    Effect.gen(function* () {
      const store = yield* Store
      const nextInteger = randomIntegers(seed)
      const yieldSometimes = Effect.suspend(() => Effect.repeat(Effect.yieldNow, { times: nextInteger(4) }))
      const interleave = <A, E, R>(call: Effect.Effect<A, E, R>) =>
        Effect.andThen(yieldSometimes, Effect.tap(call, yieldSometimes))
      return Store.of({
        ...store,
        read: (query) => interleave(store.read(query)),
        list: (kind, where, page) => interleave(store.list(kind, where, page)),
        commit: (set) => interleave(store.commit(set)),
      })
    }),
  )
