/** Processes that are killed under load, on a store in four cells, with crashes of the database. Source: D-514. */
import { expect, it } from "vitest"
import { crashRun } from "../faults/CrashRun.ts"

it("in four cells, processes that are killed lose nothing and execute nothing twice", {
  timeout: 240_000,
}, async () => {
  const summary = await crashRun({
    seed: 20_261_126,
    kills: 4,
    killsPerCrash: 2,
    roles: ["all", "all"],
    clients: 8,
    answersMax: 60,
    cells: 4,
  })
  expect(summary.problems).toEqual([])
  expect(summary).toMatchObject({ kills: 4, databaseCrashes: 2 })
  expect(Math.min(summary.acknowledged, summary.replays, summary.approvals)).toBeGreaterThan(0)
  console.log(JSON.stringify(summary))
})
