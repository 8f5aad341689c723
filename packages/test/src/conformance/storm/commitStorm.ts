/**
 * A process that is killed commits this storm: callers that send numbered change sets without an end.
 * Source: D-539.
 */
import { CurrentCaller } from "@countersign/core"
import { Store, type StoreUnavailable } from "@countersign/core/store"
import { Clock, Effect } from "effect"
import { alpha } from "../Examples.ts"
import { opening, stormSet } from "./StormSets.ts"

/** How many callers commit at once: as many sets at most have no outcome when the process is killed. */
export const stormCallers = 8

/** The storm of one process: where its numbers begin, and who learns of each outcome. */
export interface CommitStormOptions {
  /** The number of the first set: 1 in the first process, and in each later one a number that no earlier one has used. */
  readonly from: number
  /** Receives the number of each set after its outcome. It must have left the process when it returns, so write it synchronously. */
  readonly acknowledge: (n: number) => void
}

/** Commits numbered change sets until the process ends. An outcome other than `Committed` is a defect. */
export const commitStorm = ({ acknowledge, from }: CommitStormOptions): Effect.Effect<never, StoreUnavailable, Store> =>
  Effect.gen(function* () {
    const { commit } = yield* Store
    let last = from - 1
    yield* commit(opening)
    const commitNext = Effect.gen(function* () {
      last += 1
      const n = last
      const outcome = yield* commit(stormSet(n, yield* Clock.currentTimeMillis))
      if (outcome._tag !== "Committed") return yield* Effect.die(new Error(`set ${n}: ${JSON.stringify(outcome)}`))
      acknowledge(n)
      // A store that answers at once would let no other caller commit.
      yield* Effect.yieldNow
    })
    return yield* Effect.all(
      Array.from({ length: stormCallers }, () => Effect.forever(commitNext)),
      { concurrency: "unbounded" },
    ).pipe(Effect.andThen(Effect.never))
  }).pipe(Effect.provideService(CurrentCaller, alpha))
