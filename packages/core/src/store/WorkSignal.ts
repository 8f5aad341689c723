/**
 * Wakes waiting workers when work may have become due. Adapters implement `awaitWork` with it.
 * Source: store/Store.ts (awaitWork).
 */
import { Effect } from "effect"
import type { Queue } from "./ChangeSet.ts"

/** The number of changes of one queue; `seen` is the number at the last claim that returned fewer jobs than its limit. */
interface Tally {
  changes: number
  seen: number
  readonly waiting: Set<() => void>
}

export interface WorkSignal {
  /** Call after a commit that added, returned or finished a job of the queue. Wakes all waiting workers. */
  readonly changed: (queue: Queue) => void
  /** Call before a claim. Call the returned function if that claim found all due jobs. */
  readonly claiming: (queue: Queue) => () => void
  /**
   * Completes at the next change, or at once if there was a change since the last claim that found all due jobs. A worker claims
   * first and waits when it received fewer jobs than its limit: a commit in between is not lost.
   */
  readonly wait: (queue: Queue) => Effect.Effect<void>
}

/** Creates a signal. `hasWork`: the store may contain jobs, so that the first wait of each queue completes at once. */
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
        const wake = () => resume(Effect.void)
        tally.waiting.add(wake)
        return Effect.sync(() => {
          tally.waiting.delete(wake)
        })
      }),
  }
}
