/**
 * A batch of simulated runs as a test: every run ends without problems, and every action and fault occurs in the batch. A failing run is
 * reported by its seed and the command that repeats it.
 */
import { expect, it } from "vitest"
import { clientActions } from "./Clients.ts"
import { faultNames } from "./FaultInjection.ts"
import { replay, simulate } from "./Simulation.ts"

/** Number of runs of all batches together. */
const runs = Number(process.env["SIMULATIONS"] ?? 640)

const batches = 2

/** From this size on, a batch has to contain everything, and how many more runs look for what it was without. */
const completeMin = 320
const moreMax = 320

/** Faults that a batch may be without: they occur once in some hundred runs, or more rarely. */
const rare = ["crash at transfer.confirmed", "crash at quote.asked", "crash at cancellation.asked"]

/** Runs one of the batches; each is in its own test file, so that workers share them. */
export const seeds = (batch: number): void => {
  const each = Math.ceil(runs / batches)
  const [from, to] = [batch * each + 1, (batch + 1) * each]
  it(`ends well, by the seeds ${from} to ${to}`, { timeout: 1_200_000 }, async () => {
    const seen = new Set<string>()
    const missing = () =>
      [...Object.keys(clientActions), ...faultNames].filter((name) => !seen.has(name) && !rare.includes(name))
    const run = async (seed: number) => {
      const { actionCounts: done, faults, problems } = await simulate(seed)
      expect(problems, replay(seed)).toEqual([])
      for (const name of [...done.keys(), ...faults.keys()]) seen.add(name)
    }
    for (let seed = from; seed <= to; seed++) await run(seed)
    // A few runs cannot contain every action and fault.
    if (each < completeMin) return
    const next = runs + batch * moreMax + 1
    for (let seed = next; seed < next + moreMax && missing().length > 0; seed++) await run(seed)
    expect(missing()).toEqual([])
  })
}
