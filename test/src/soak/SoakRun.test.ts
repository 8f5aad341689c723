/**
 * A short soak run: all kinds of traffic, a kill, the audit and the end of retention. The long one is `npm run soak -- --minutes 120`.
 * Nothing in it depends on speed: a run of seconds is too short for every judgement of time and memory, and says so.
 */
import { expect, it } from "vitest"
import { soakRun } from "./SoakRun.ts"

it("mixed traffic with kills of workers leaves nothing that its records do not need", {
  timeout: 300_000,
}, async () => {
  const summary = await soakRun({ seed: 20_261_125, seconds: 20, perSecond: 5, secondsPerKill: 6 })
  const { expiredRows, expiredRowsAfterSweeps, problems, samples, timings } = summary
  expect(problems).toEqual([])
  expect([...new Set(timings.map(({ operation }) => operation))]).toEqual(
    expect.arrayContaining(["transfer-in", "card authorization", "quote in", "execution of a quote"]),
  )
  expect(Math.min(summary.kills, summary.transfers, summary.events)).toBeGreaterThan(0)
  expect(summary.deliveries).toBeGreaterThanOrEqual(summary.events)
  expect(expiredRowsAfterSweeps).toBeLessThan(expiredRows)
  expect(samples.every(({ connections, tables }) => connections > 0 && tables.length > 10)).toBe(true)
  const api = samples.at(-1)?.processes.filter(({ role }) => role === "api")
  expect(api).toHaveLength(process.platform === "linux" ? 1 : 0)
  expect(summary.notes).toContainEqual(expect.stringContaining("too short to judge its growth"))
})
