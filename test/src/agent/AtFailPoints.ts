/** Runs effects at the fail points of an operation, each once and in order, so that one operation happens between the steps of another. */
import type { FailPoint } from "@countersign/core/verify"
import { Effect } from "effect"

type Interruption = readonly [at: FailPoint, run: () => Promise<unknown>]

export const atFailPoints = () => {
  let waiting: ReadonlyArray<Interruption> = []
  return {
    /** Sets what runs when the next operation reaches these points. */
    during: (...interruptions: ReadonlyArray<Interruption>) => {
      waiting = interruptions
    },
    /** Whether all of them ran. */
    allRan: () => waiting.length === 0,
    failPoints: (point: FailPoint): Effect.Effect<void> =>
      Effect.suspend(() => {
        const [first, ...rest] = waiting
        if (first === undefined || first[0] !== point) return Effect.void
        // The interruption reaches fail points, too, which must not run the effects for the outer operation.
        waiting = []
        return Effect.promise(async () => {
          await first[1]()
          waiting = rest
        })
      }),
  }
}
