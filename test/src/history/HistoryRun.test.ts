/** A short recorded run from outside; longer ones are `npm run history -- --rounds 50`. */
import { expect, it } from "vitest"
import { historyRun } from "./HistoryRun.ts"

it("what clients are answered under faults fits in one order, and every change is reported", {
  timeout: 300_000,
}, async () => {
  const summary = await historyRun({ seed: 20_261_127, rounds: 2, processes: 2, clients: 6, steps: 25 })
  expect(summary.problems).toEqual([])
  expect(Math.min(summary.calls, summary.events)).toBeGreaterThan(50)
  console.log(JSON.stringify(summary))
})
