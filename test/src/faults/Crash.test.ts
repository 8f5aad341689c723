/**
 * A short crash run; the long one is `npm run crash -- --seed N --kills N`.
 */
import { expect, it } from "vitest"
import { crashRun } from "./CrashRun.ts"

it("processes that are killed under load lose nothing and execute nothing twice", { timeout: 240_000 }, async () => {
  const summary = await crashRun({
    seed: 20_261_121,
    kills: 6,
    killsPerCrash: 3,
    roles: ["all", "all"],
    clients: 8,
    answersMax: 60,
  })
  expect(summary.problems).toEqual([])
  expect(summary).toMatchObject({ kills: 6, databaseCrashes: 2 })
  // Jobs that waited for their lease of 120 seconds would make this more. Deliveries that were refused wait up to 40 seconds.
  expect(summary.drainSeconds).toBeLessThan(75)
  expect(Math.min(summary.acknowledged, summary.replays, summary.approvals, summary.broken)).toBeGreaterThan(0)
  console.log(JSON.stringify(summary))
})
