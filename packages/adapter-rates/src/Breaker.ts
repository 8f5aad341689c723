/**
 * A circuit breaker: after a number of failures in a row nobody is asked for a while, which doubles with each failed probe.
 * Source: D-529.
 */

/** Failures in a row that open it. */
const failuresMax = 3
const openMillisMin = 30_000
const openMillisMax = 15 * 60_000

export const makeBreaker = () => {
  let failures = 0
  let openUntil = 0
  return {
    allows: (now: number): boolean => now >= openUntil,
    succeeded: (): void => {
      failures = 0
      openUntil = 0
    },
    /** Returns for how long it opens (ms), or `undefined` if it stays closed. */
    failed: (now: number): number | undefined => {
      failures += 1
      if (failures < failuresMax) return undefined
      const openMillis = Math.min(openMillisMax, openMillisMin * 2 ** Math.min(failures - failuresMax, 10))
      openUntil = now + openMillis
      return openMillis
    },
  }
}
