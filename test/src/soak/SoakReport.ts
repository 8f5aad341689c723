/** A soak run as tables: a line for each sample, the latencies of each operation by quarter, and the tables at the start and the end. */
import { percentiles } from "../bench/Rounds.ts"
import type { Timing } from "./Judgement.ts"
import type { Sample } from "./Samples.ts"
import { within } from "./Series.ts"

type Row = ReadonlyArray<string | number>

/** Columns of equal width: the first is text, the others are numbers. */
export const table = (head: ReadonlyArray<string>, rows: ReadonlyArray<Row>): string => {
  const all: ReadonlyArray<Row> = [head, ...rows]
  const widths = head.map((_, column) => Math.max(...all.map((row) => String(row[column] ?? "").length)))
  const cell = (row: Row) => (width: number, column: number) => {
    const text = String(row[column] ?? "")
    return column === 0 ? text.padEnd(width) : text.padStart(width)
  }
  return all.map((row) => widths.map(cell(row)).join("  ").trimEnd()).join("\n")
}

const mebibytes = (bytes: number): string => (bytes / 1024 ** 2).toFixed(1)
const millis = (value: number | undefined): string => (value ?? 0).toFixed(1)

export const sampleHead = [
  "seconds",
  "api MiB",
  "of it anonymous",
  "workers MiB",
  "p50 ms",
  "p99 ms",
  "jobs",
  "due jobs",
  "connections",
]

/** The line of a sample, with the latencies of the requests since the one before. */
export const sampleRow = (one: Sample, timings: ReadonlyArray<Timing>): Row => {
  const api = one.processes.find(({ role }) => role === "api")
  const workers = one.processes.filter(({ role }) => role === "worker")
  const { p50Millis, p99Millis } = percentiles(timings.map((timing) => timing.millis))
  return [
    Math.round(one.seconds),
    (api?.resident ?? 0).toFixed(0),
    (api?.anonymous ?? 0).toFixed(0),
    workers.reduce((sum, { resident }) => sum + resident, 0).toFixed(0),
    millis(p50Millis),
    millis(p99Millis),
    one.tables.find((size) => size.table === "job")?.rows ?? 0,
    one.dueJobs,
    one.connections,
  ]
}

const quarters = [0, 0.25, 0.5, 0.75] as const

export const latencyTable = (timings: ReadonlyArray<Timing>, runSeconds: number): string =>
  table(
    ["operation", "requests", "p50 ms", ...quarters.map((_, index) => `p99 of quarter ${index + 1}`)],
    [...Map.groupBy(timings, ({ operation }) => operation)]
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([operation, all]) => [
        operation,
        all.length,
        millis(percentiles(all.map((one) => one.millis)).p50Millis),
        ...quarters.map((from) => {
          const part = within(all, runSeconds, from, from + 0.25)
          return part.length === 0 ? "" : millis(percentiles(part.map((one) => one.millis)).p99Millis)
        }),
      ]),
  )

/** The tables that have rows, at the middle and at the end of the run. */
export const tableSizesTable = (samples: ReadonlyArray<Sample>): string => {
  const middle = samples[samples.length >> 1]?.tables ?? []
  const rows = (samples.at(-1)?.tables ?? []).flatMap(({ bytes, rows, table }) => {
    const before = middle.find((one) => one.table === table)
    return rows === 0 ? [] : [[table, before?.rows ?? 0, rows, mebibytes(before?.bytes ?? 0), mebibytes(bytes)]]
  })
  return table(["table", "rows, middle", "rows, end", "MiB, middle", "MiB, end"], rows)
}
