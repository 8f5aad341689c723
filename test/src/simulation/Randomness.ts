/** Seeded random numbers: a simulated run takes every choice from one of these sources, so the seed determines the run. */

export interface Randomness {
  /** A whole number from 0 up to, not including, the bound. */
  readonly below: (bound: number) => number
  readonly pick: <A>(from: readonly [A, ...ReadonlyArray<A>]) => A
  /** True with a probability of one in `inTimes`. */
  readonly once: (inTimes: number) => boolean
  /** An independent source, for a concurrent client. */
  readonly split: () => Randomness
}

/** mulberry32. */
export const randomness = (seed: number): Randomness => {
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
    split: () => randomness(below(0x1_0000_0000)),
  }
}
