/** Chance from a seed: everything that a simulated run decides comes from one of these, so that the seed is the run. */

export interface Chance {
  /** A whole number from 0 up to, not including, the bound. */
  readonly below: (bound: number) => number
  readonly pick: <A>(from: readonly [A, ...ReadonlyArray<A>]) => A
  /** True once in so many times. */
  readonly once: (inTimes: number) => boolean
  /** Another one, for somebody who decides at the same time. */
  readonly split: () => Chance
}

/** mulberry32. */
export const chance = (seed: number): Chance => {
  let state = seed >>> 0
  const below = (bound: number): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) % bound
  }
  return {
    below,
    pick: (from) => from[below(from.length)] ?? from[0],
    once: (inTimes) => below(inTimes) === 0,
    split: () => chance(below(0x1_0000_0000)),
  }
}
