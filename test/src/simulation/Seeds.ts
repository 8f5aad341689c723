/**
 * A batch of simulated runs as a test: every end is right, and everything that can be done and go wrong was done and went wrong in it. A run
 * that fails is one seed, and the command that plays it again.
 */
import { expect, it } from "vitest"
import { deeds } from "./Clients.ts"
import { replay, simulate } from "./Simulation.ts"
import { faultNames } from "./Weather.ts"

/** How many runs all batches have together. */
const runs = Number(process.env["SIMULATIONS"] ?? 2000)

const batches = 2

/** What happens less than once in a thousand runs. */
const rare = ["crash at transfer.confirmed"]

/** One of the batches, each in a file of its own, so that workers share them. */
export const seeds = (batch: number): void => {
  const each = Math.ceil(runs / batches)
  const [from, to] = [batch * each + 1, (batch + 1) * each]
  it(`ends well, by the seeds ${from} to ${to}`, { timeout: 1_200_000 }, async () => {
    const seen = new Set<string>()
    for (let seed = from; seed <= to; seed++) {
      const { deeds: done, faults, problems } = await simulate(seed)
      expect(problems, replay(seed)).toEqual([])
      for (const name of [...done.keys(), ...faults.keys()]) seen.add(name)
    }
    // A run in which little happens proves little; a few runs cannot have it all.
    const missing = [...Object.keys(deeds), ...faultNames].filter((name) => !seen.has(name) && !rare.includes(name))
    if (each >= 500) expect(missing).toEqual([])
  })
}
