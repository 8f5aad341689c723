/**
 * Counts the bytes that holders keep in memory. When all of them together hold too many, the one that has held some for the longest time
 * gives way: clients that read and send promptly hold bytes for a moment only. A single holder is never refused.
 * Source: D-315.
 */

export interface ByteBudget<Holder> {
  /** Counts bytes of a holder; a negative number returns them. */
  readonly add: (holder: Holder, bytes: number) => void
  readonly total: () => number
}

/** `evict` must free what the holder holds; its bytes no longer count. */
export const make = <Holder>(max: number, evict: (holder: Holder) => void): ByteBudget<Holder> => {
  const held = new Map<Holder, number>()
  let total = 0

  const forget = (holder: Holder): void => {
    total -= held.get(holder) ?? 0
    held.delete(holder)
  }

  return {
    add: (holder, bytes) => {
      const before = held.get(holder) ?? 0
      // The bytes of an evicted holder were returned at once, so it has none left to return.
      const now = Math.max(0, before + bytes)
      total += now - before
      if (now === 0) held.delete(holder)
      else held.set(holder, now)
      while (total > max && held.size > 1) {
        const [oldest] = held.keys()
        if (oldest === undefined) return
        forget(oldest)
        evict(oldest)
      }
    },
    total: () => total,
  }
}
