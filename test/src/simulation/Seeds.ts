/**
 * A batch of simulated runs as a test, of the seeds that were sampled from a long search: every run ends without problems, and every action
 * and fault occurs in the batch. A failing run is reported by its seed and the command that repeats it.
 */
import { expect, it } from "vitest"
import { clientActions } from "./Clients.ts"
import { faultNames } from "./FaultInjection.ts"
import { readSample } from "./Sample.ts"
import { replay, simulate } from "./Simulation.ts"

const batches = 2

/** How many more runs look for what a batch was without, since a change gives its seeds other runs. */
const moreMax = 400

/** Faults that a batch may be without: they occur once in some hundred runs, or more rarely. */
const rare = ["crash at transfer.confirmed", "crash at quote.asked", "crash at cancellation.asked"]

/** Runs one of the batches; each is in its own test file, so that workers share them. */
export const seeds = (batch: number): void => {
  const own = readSample().seeds.filter((_, index) => index % batches === batch)
  it(`ends well, by ${own.length} seeds of the sample`, { timeout: 1_200_000 }, async () => {
    expect(own.length).toBeGreaterThan(50)
    const seen = new Set<string>()
    const missing = () =>
      [...Object.keys(clientActions), ...faultNames].filter((name) => !seen.has(name) && !rare.includes(name))
    const run = async (seed: number) => {
      const { actionCounts: done, faults, problems } = await simulate(seed)
      expect(problems, replay(seed)).toEqual([])
      for (const name of [...done.keys(), ...faults.keys()]) seen.add(name)
    }
    for (const seed of own) await run(seed)
    const next = 1 + batch * moreMax
    for (let seed = next; seed < next + moreMax && missing().length > 0; seed++) await run(seed)
    expect(missing()).toEqual([])
  })
}
