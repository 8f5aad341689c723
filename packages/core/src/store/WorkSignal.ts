/**
 * Tells waiting workers that work may have become due: what an adapter's `awaitWork` rests on.
 * Source: ports/Store.ts (awaitWork).
 */
import { Effect } from "effect"
import type { Queue } from "./ChangeSet.ts"

/** The changes of one queue, counted; `seen` is the count at the last claim that found less than it asked for. */
interface Tally {
  changes: number
  seen: number
  readonly waiting: Set<() => void>
}

export interface WorkSignal {
  /** A commit added, returned or finished a job of the queue; all who wait for it go on. */
  readonly changed: (queue: Queue) => void
  /** To be called before a claim; what it answers is called when that claim found all there was. */
  readonly claiming: (queue: Queue) => () => void
  /**
   * Completes at the next change, or at once when there was one since a claim last found all there was: so a worker claims
   * first, and waits here when it got fewer jobs than it asked for; what is committed in between is not lost.
   */
  readonly wait: (queue: Queue) => Effect.Effect<void>
}

/** A signal; `hasWork`: there may be jobs already, so that the first wait of each queue looks at them. */
export const make = (hasWork: boolean): WorkSignal => {
  const tallies = new Map<Queue, Tally>()
  const tallyOf = (queue: Queue): Tally => {
    const known = tallies.get(queue)
    if (known !== undefined) return known
    const tally: Tally = { changes: hasWork ? 1 : 0, seen: 0, waiting: new Set() }
    tallies.set(queue, tally)
    return tally
  }
  return {
    changed: (queue) => {
      const tally = tallyOf(queue)
      tally.changes += 1
      const waiting = [...tally.waiting]
      tally.waiting.clear()
      for (const resume of waiting) resume()
    },
    claiming: (queue) => {
      const tally = tallyOf(queue)
      const { changes } = tally
      return () => {
        tally.seen = Math.max(tally.seen, changes)
      }
    },
    wait: (queue) =>
      Effect.callback<void>((resume) => {
        const tally = tallyOf(queue)
        if (tally.changes > tally.seen) {
          resume(Effect.void)
          return
        }
        const go = () => resume(Effect.void)
        tally.waiting.add(go)
        return Effect.sync(() => {
          tally.waiting.delete(go)
        })
      }),
  }
}
