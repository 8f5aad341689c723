/** Simulated runs, with all their faults and two processes of which one dies, on a store in four cells. Source: D-235, D-514. */
import { afterAll, expect, it } from "vitest"
import * as TestDatabase from "../adapter-postgres/TestDatabase.ts"
import { processDeath } from "../simulation/FaultInjection.ts"
import { simulate } from "../simulation/Simulation.ts"

const database = TestDatabase.create(8)
afterAll(async () => (await database).close())

const runs = Number(process.env["RUNS"] ?? 6)

it(`${runs} simulated runs in four cells end well`, { timeout: 600_000 }, async () => {
  let deaths = 0
  for (let seed = 1; seed <= runs; seed++) {
    const { faults, problems, requests } = await simulate(seed, {
      store: await TestDatabase.emptiedWorld(await database, 4),
    })
    expect(problems, `seed ${seed}`).toEqual([])
    expect(requests).toBeGreaterThan(0)
    deaths += faults.get(processDeath) ?? 0
  }
  expect(deaths).toBeGreaterThan(0)
})
