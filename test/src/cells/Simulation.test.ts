/** Simulated runs, with all their faults, on a store in four cells. Source: D-235, D-514. */
import { afterAll, expect, it } from "vitest"
import * as TestDatabase from "../adapter-postgres/TestDatabase.ts"
import { simulate } from "../simulation/Simulation.ts"

const database = TestDatabase.create(8)
afterAll(async () => (await database).close())

const store = TestDatabase.emptyWorld(database, 4)
const runs = Number(process.env["RUNS"] ?? 6)

it(`${runs} simulated runs in four cells end well`, { timeout: 600_000 }, async () => {
  for (let seed = 1; seed <= runs; seed++) {
    const { problems, requests } = await simulate(seed, { store })
    expect(problems, `seed ${seed}`).toEqual([])
    expect(requests).toBeGreaterThan(0)
  }
})
