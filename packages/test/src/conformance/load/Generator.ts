/** Random choices from a seed, so that a failure can be repeated. */
import { randomIntegers } from "../../random/RandomIntegers.ts"

export interface Generator {
  /** A whole number from 0, below `bound`. */
  readonly below: (bound: number) => number
  readonly isOneIn: (n: number) => boolean
  readonly pick: <const A>(values: readonly [A, ...ReadonlyArray<A>]) => A
  /** A list of `count` values. */
  readonly many: <A>(count: number, make: (index: number) => A) => ReadonlyArray<A>
}

export const make = (seed: number): Generator => {
  const below = randomIntegers(seed)
  return {
    below,
    isOneIn: (n) => below(n) === 0,
    pick: (values) => values[below(values.length)] ?? values[0],
    many: (count, make) => Array.from({ length: count }, (_, index) => make(index)),
  }
}
