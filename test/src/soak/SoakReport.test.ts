/** The tables of a soak run. */
import { expect, it } from "vitest"
import type { Sample } from "./Samples.ts"
import { latencyTable, sampleHead, sampleRow, table, tableSizesTable } from "./SoakReport.ts"
import { unknownTables } from "./Tables.ts"

const sampleAt = (seconds: number, rows: number): Sample => ({
  seconds,
  processes: [
    { role: "api", pid: 1, resident: 210.4, anonymous: 150.2 },
    { role: "worker", pid: 2, resident: 100, anonymous: 60 },
    { role: "worker", pid: 3, resident: 101, anonymous: 60 },
  ],
  tables: [
    { table: "event", rows, bytes: rows * 1024 ** 2 },
    { table: "job", rows: 3, bytes: 8192 },
    { table: "card", rows: 0, bytes: 8192 },
  ],
  connections: 17,
  parkedJobs: 0,
  dueJobs: 2,
})

it("aligns text at the left and numbers at the right", () => {
  expect(
    table(
      ["what", "n"],
      [
        ["a", 10],
        ["longer", 2],
      ],
    ),
  ).toBe("what     n\na       10\nlonger   2")
})

it("shows memory, latencies since the sample before, jobs and connections", () => {
  const timings = [1, 2, 300].map((millis) => ({ seconds: 1, operation: "quote", millis }))
  const row = sampleRow(sampleAt(60.4, 1), timings)
  expect(row).toEqual([60, "210", "150", "201", "2.0", "300.0", 3, 2, 17])
  expect(row).toHaveLength(sampleHead.length)
})

it("shows the p99 of each quarter of the run", () => {
  const timings = [1, 4, 6, 9].map((seconds) => ({ seconds, operation: "quote", millis: 10 * seconds }))
  const [, line = ""] = latencyTable(timings, 10).split("\n")
  expect(line.split(/ {2,}/u)).toEqual(["quote", "4", "60.0", "10.0", "40.0", "60.0", "90.0"])
})

it("leaves a quarter without requests empty", () => {
  const [, line = ""] = latencyTable([{ seconds: 1, operation: "quote", millis: 7 }], 10).split("\n")
  expect(line.split(/ {2,}/u)).toEqual(["quote", "1", "7.0", "7.0"])
})

it("shows the tables with rows at the middle and at the end", () => {
  const lines = tableSizesTable([sampleAt(1, 1), sampleAt(2, 5), sampleAt(3, 9)]).split("\n")
  expect(lines.slice(1).map((line) => line.split(/ {2,}/u))).toEqual([
    ["event", "5", "9", "5.0", "9.0"],
    ["job", "3", "3", "0.0", "0.0"],
  ])
})

it("names the tables of which nothing says what bounds them", () => {
  expect(unknownTables(["job", "event_attempt", "ledger_entry", "agent_action"])).toEqual([])
  expect(unknownTables(["job", "diary"])).toEqual(["nothing says what bounds the table diary"])
})
