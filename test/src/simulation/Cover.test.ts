/** The sample of a search: few runs that together reach what all of them did, the rarest things not forgotten. */
import fc from "fast-check"
import { expect, it } from "vitest"
import { coverOf, type Reach } from "./Cover.ts"

const isName = (feature: number) => feature < 20

const searches = fc
  .array(fc.array(fc.nat(60), { minLength: 1, maxLength: 12 }), { minLength: 1, maxLength: 40 })
  .map((all) => all.map((features, index): Reach => ({ seed: index + 1, features: [...new Set(features)] })))

const reachOf = (runs: ReadonlyArray<Reach>, seeds: ReadonlyArray<number>) =>
  new Set(runs.filter(({ seed }) => seeds.includes(seed)).flatMap(({ features }) => features))

it("reaches what all runs together reached, by no run that adds nothing", () => {
  fc.assert(
    fc.property(searches, (runs) => {
      const chosen = coverOf(runs, runs.length, isName)
      expect(reachOf(runs, chosen)).toEqual(new Set(runs.flatMap(({ features }) => features)))
      for (const [index] of chosen.entries()) {
        const [before, with_] = [index, index + 1].map((count) => reachOf(runs, chosen.slice(0, count)).size)
        expect(with_).toBeGreaterThan(before ?? 0)
      }
    }),
  )
})

it("begins with the run that adds most, and prefers one thing of the tables to any number of combinations", () => {
  const runs = [
    { seed: 1, features: [1, 2] },
    { seed: 2, features: [1, 2, 3] },
    { seed: 3, features: Array.from({ length: 30 }, (_, at) => 20 + at) },
    { seed: 4, features: [4] },
  ]
  expect(coverOf(runs, 3, isName)).toEqual([2, 4, 3])
  expect(coverOf(runs, 1, isName)).toEqual([2])
})
