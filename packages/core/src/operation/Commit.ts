/**
 * Sends a change set to the store, again while its outcome is unknown, and waits between attempts.
 * Source: architecture, "Load, ask, decide, commit".
 */
import { Cause, Effect, Exit, Random } from "effect"
import { WallTime } from "../ports/WallTime.ts"
import type { ChangeSet } from "../store/ChangeSet.ts"
import { Store, StoreUnavailable } from "../store/Store.ts"

const resendsMax = 5

/** Waits longer after each conflict, for a random time, so that contending operations do not collide again. The first retries do not wait. */
export const pause = Effect.fnUntraced(function* (conflicts: number) {
  if (conflicts < 4) return yield* Effect.yieldNow
  const wall = yield* WallTime
  const ceilingMillis = Math.min(2 ** (conflicts - 3), 64)
  yield* wall.sleep(yield* Random.nextBetween(1, ceilingMillis + 1))
})

/** Sends the same change set again while its outcome is unknown: the store recognizes its operation id. */
export const commit = Effect.fnUntraced(function* (set: ChangeSet) {
  const store = yield* Store
  for (let resends = 0; ; resends++) {
    const exit = yield* Effect.exit(store.commit(set))
    if (Exit.isSuccess(exit)) return exit.value
    const failure = Cause.squash(exit.cause)
    if (!(failure instanceof StoreUnavailable) || !failure.unknown || resends >= resendsMax) {
      return yield* Effect.failCause(exit.cause)
    }
    yield* pause(resends + 4)
  }
}, Effect.uninterruptible)
