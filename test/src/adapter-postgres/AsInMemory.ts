/** A test that a store does as the reference in memory does. Source: architecture, "The Store port". */
import { MemoryStore } from "@countersign/adapter-memory"
import { WallTime } from "@countersign/core/ports"
import type { Store, StoreUnavailable } from "@countersign/core/store"
import { assert, it } from "@effect/vitest"
import { Effect, Layer, Schema } from "effect"
import { historyOf, runHistory } from "./Histories.ts"

/** The reference, which is new whenever it is built. */
export const Memory = Layer.provide(MemoryStore.layer, WallTime.layerClock)

/** Runs random histories on the store, which is empty whenever it is built, and on the reference. */
export const doesAsInMemory = (how: string, store: Layer.Layer<Store, StoreUnavailable>, runs: number): void =>
  it.effect.prop(
    `a history has the same outcomes and the same final state ${how} as in memory`,
    { seed: Schema.Int },
    ({ seed }) =>
      Effect.gen(function* () {
        const history = historyOf(seed)
        const expected = yield* runHistory(history).pipe(Effect.provide(Memory, { local: true }))
        const found = yield* runHistory(history).pipe(Effect.provide(store, { local: true }))
        assert.deepStrictEqual(found, expected)
      }),
    { arbitrary: { runs }, timeout: 120_000 },
  )
