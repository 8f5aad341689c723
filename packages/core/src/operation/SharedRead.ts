/**
 * Shares a read between the fibers of one platform that begin it in the same turn, such as the jobs of one claim. The read begins after each
 * of them has asked for it, so that none sees a state from before.
 * Source: D-490.
 */
import { Cause, Deferred, Effect, Exit } from "effect"
import { CurrentCaller } from "../store/Caller.ts"
import * as StateGate from "../store/StateGate.ts"

/** Makes the shared form of a read. */
export const make = <A, E, R>(read: Effect.Effect<A, E, R>): Effect.Effect<A, E, R | CurrentCaller> => {
  /** What the fibers that joined do once the first one has read. */
  type Joined = Effect.Effect<A, E, R | CurrentCaller>
  const joined = new Map<string, Deferred.Deferred<Joined>>()
  const shared: Joined = Effect.gen(function* () {
    const { platformId } = yield* CurrentCaller
    const key = `${platformId} ${yield* StateGate.CallGeneration}`
    const found = joined.get(key)
    if (found !== undefined) {
      const outcome = yield* Deferred.await(found)
      // The fiber that read goes on first, so that they keep the order in which they came.
      yield* Effect.yieldNow
      return yield* outcome
    }
    const own = yield* Deferred.make<Joined>()
    joined.set(key, own)
    const begin = Effect.ensuring(
      Effect.yieldNow,
      Effect.sync(() => joined.delete(key)),
    )
    // The end of one fiber is not that of the others, which then read again.
    return yield* Effect.onExit(Effect.andThen(begin, read), (exit) =>
      Deferred.succeed(own, Exit.isFailure(exit) && Cause.hasInterrupts(exit.cause) ? shared : exit),
    )
  })
  return shared
}
