/** Lets something happen at a fail point of an operation, once each and in order: how one operation comes between another's steps. */
import type { FailPoint } from "@countersign/core/verify"
import { Effect } from "effect"

type Happening = readonly [at: FailPoint, happens: () => Promise<unknown>]

export const between = () => {
  let waiting: ReadonlyArray<Happening> = []
  return {
    /** What happens when the next operation passes these points. */
    next: (...happenings: ReadonlyArray<Happening>) => {
      waiting = happenings
    },
    /** Whether everything has happened. */
    isOver: () => waiting.length === 0,
    failPoints: (point: FailPoint): Effect.Effect<void> =>
      Effect.suspend(() => {
        const [first, ...rest] = waiting
        if (first === undefined || first[0] !== point) return Effect.void
        // What happens passes the points itself, and must not meet what waits for the operation around it.
        waiting = []
        return Effect.promise(async () => {
          await first[1]()
          waiting = rest
        })
      }),
  }
}
