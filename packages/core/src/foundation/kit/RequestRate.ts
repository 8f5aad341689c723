/**
 * Limits a rate by the generic cell rate algorithm: each key may use its whole count at once, and gets it back evenly over the window.
 * The number of keys is bounded: the one that was added first makes room for a new one.
 * Source: D-338.
 */

/** The result of one request. */
export interface RateUse {
  readonly isAllowed: boolean
  /** How many further requests are allowed now. */
  readonly remaining: number
  /** When the next request is allowed, or, if it is allowed now, when the whole count is available again (ms). */
  readonly availableAt: number
}

export interface RequestRate {
  readonly count: number
  /** Counts a request of a key at `now` (ms), unless it is refused. */
  readonly take: (key: string, now: number) => RateUse
}

/** Returns a rate of `count` requests for each key and window. It is of this process only. */
export const make = (count: number, windowMillis: number, keysMax = 10_000): RequestRate => {
  const interval = windowMillis / count
  /** By key, when its whole count is available again (ms). */
  const fullAt = new Map<string, number>()

  const take = (key: string, now: number): RateUse => {
    const full = Math.max(fullAt.get(key) ?? now, now)
    const next = full + interval
    if (next - now > windowMillis) return { isAllowed: false, remaining: 0, availableAt: next - windowMillis }
    if (!fullAt.has(key) && fullAt.size >= keysMax) {
      const [first] = fullAt.keys()
      if (first !== undefined) fullAt.delete(first)
    }
    fullAt.set(key, next)
    return { isAllowed: true, remaining: Math.floor((windowMillis - (next - now)) / interval), availableAt: next }
  }

  return { count, take }
}
