/**
 * The ids of reports of the last minutes: a report with one of them is a replay. Bounded; the oldest ids leave first.
 * Source: D-527.
 */

/** The most ids that are remembered. */
const seenMax = 100_000

export interface SeenIds {
  /** Notes an id until `expiresAt` (ms); `false`: it was noted before. */
  readonly add: (id: string, now: number, expiresAt: number) => boolean
}

export const makeSeenIds = (max = seenMax): SeenIds => {
  // In the order in which they were noted.
  const expiries = new Map<string, number>()
  return {
    add: (id, now, expiresAt) => {
      for (const [old, until] of expiries) {
        if (until > now) break
        expiries.delete(old)
      }
      if (expiries.has(id)) return false
      const [oldest] = expiries.keys()
      if (expiries.size >= max && oldest !== undefined) expiries.delete(oldest)
      expiries.set(id, expiresAt)
      return true
    },
  }
}
