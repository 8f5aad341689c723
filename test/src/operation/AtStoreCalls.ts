/**
 * Overlaps two operations at each call of the store that the outer one makes: the inner one runs before that call, from its beginning to its
 * end. So each read of the outer operation is once the first that sees what the inner one has written.
 */
import { Store } from "@countersign/core/store"
import { Effect, Layer } from "effect"

type Send = () => Promise<unknown>

const overlapBefore = (index: number) => {
  let waiting: { readonly left: number; readonly inner: Send } | undefined
  const reached = Effect.suspend(() => {
    const found = waiting
    if (found === undefined) return Effect.void
    // The calls of the inner operation are not counted.
    waiting = found.left === 0 ? undefined : { ...found, left: found.left - 1 }
    return found.left === 0 ? Effect.promise(found.inner) : Effect.void
  })
  return {
    around: Layer.effect(
      Store,
      Effect.map(Store, (store) =>
        Store.of({
          ...store,
          read: (query) => Effect.andThen(reached, store.read(query)),
          list: (kind, where, page) => Effect.andThen(reached, store.list(kind, where, page)),
          commit: (set) => Effect.andThen(reached, store.commit(set)),
        }),
      ),
    ),
    /** Runs the inner operation during the outer one, or after it if the outer one makes fewer calls. */
    overlap: async (outer: Send, inner: Send): Promise<boolean> => {
      waiting = { left: index, inner }
      await outer()
      const isReached = waiting === undefined
      waiting = undefined
      if (!isReached) await inner()
      return isReached
    },
  }
}

/** Runs a test for each call of the outer operation. `test` makes a world `around` the store, and returns what `overlap` does. */
export const atEachStoreCall = async (
  test: (overlapped: ReturnType<typeof overlapBefore>) => Promise<boolean>,
): Promise<void> => {
  let index = 0
  while (await test(overlapBefore(index))) index += 1
}
