/** Seeded random numbers: a simulated run takes every choice from one of these sources, so the seed determines the run. */
import { randomIntegers } from "../../../packages/test/src/random/RandomIntegers.ts"

export interface Randomness {
  /** A whole number from 0 up to, not including, the bound. */
  readonly below: (bound: number) => number
  readonly pick: <A>(from: readonly [A, ...ReadonlyArray<A>]) => A
  /** True with a probability of one in `inTimes`. */
  readonly once: (inTimes: number) => boolean
  /** An independent source, for a concurrent client. */
  readonly split: () => Randomness
}

export const randomness = (seed: number): Randomness => {
  const below = randomIntegers(seed)
  return {
    below,
    pick: (from) => from[below(from.length)] ?? from[0],
    once: (inTimes) => below(inTimes) === 0,
    split: () => randomness(below(0x1_0000_0000)),
  }
}
