/** Random integers from a seed, so that a run can be repeated. */

/** Returns a generator of integers from 0, below a bound (mulberry32). Its quality is sufficient for tests; its output is not secret. */
export const randomIntegers = (seed: number): ((bound: number) => number) => {
  let state = seed >>> 0
  return (bound) => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) % bound
  }
}
