/** Simulated runs, with all their faults and two processes of which one dies, on a store in four cells. Source: D-235, D-514. */
import { afterAll, expect, it } from "vitest"
import * as TestDatabase from "../adapter-postgres/TestDatabase.ts"
import { faultInjection, faultRatesOf, processDeath } from "../simulation/FaultInjection.ts"
import { startProcesses } from "../simulation/Processes.ts"
import { randomness } from "../simulation/Randomness.ts"
import { simulate } from "../simulation/Simulation.ts"
import { makeInitialWorld } from "../simulation/World.ts"

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

it("shows the time to which another process than the first moved it", { timeout: 120_000 }, async () => {
  const { pay } = await makeInitialWorld({ store: await TestDatabase.emptiedWorld(await database, 4) })
  const random = randomness(1)
  const processes = await startProcesses(
    { pay, life: { isDead: false, stepsLeft: undefined } },
    { air: faultInjection(random, faultRatesOf(random)), count: 2, random: { ...random, below: (bound) => bound - 1 } },
  )
  await using all = processes.pay
  const { body } = await all.send("POST", "/sandbox/clock/advance", { body: { seconds: 61 } })
  expect(await all.clock.now()).toBe(Date.parse(Object(body).target))
  // The first process has asked the store nothing since.
  expect(await pay.clock.now()).toBe((await all.clock.now()) - 61_000)
})
