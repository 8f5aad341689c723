/**
 * Cases side by side: every case runs in every round, each round begins with the next case, and what counts is the median. A ratio is
 * taken within its round, so that a neighbour on the machine who comes and goes disturbs both of its sides.
 */

export interface Measured {
  readonly perSecond: number
  readonly p50Millis?: number
  readonly p99Millis?: number
  readonly count: number
  /** Processor time of the server of the database, and of whoever calls it or serves. */
  readonly serverMillis?: number
  readonly callerMillis?: number
}

export interface Case {
  readonly name: string
  /** The cases that this one is compared with. */
  readonly bases?: ReadonlyArray<string>
  readonly run: () => Promise<Measured>
}

export interface Settings {
  readonly rounds: number
  readonly seconds: number
}

/** Not counted: after the tables were emptied each session plans its statements anew. */
export const warmingSeconds = 1

export const median = (values: ReadonlyArray<number>): number => {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  const upper = sorted[middle] ?? Number.NaN
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2
}

const whole = (value: number): string => Math.round(value).toLocaleString("en-US")

/** The latencies' middle and the one that one in a hundred exceeds. */
export const percentiles = (millis: ReadonlyArray<number>): Pick<Measured, "p50Millis" | "p99Millis"> => {
  const sorted = millis.toSorted((a, b) => a - b)
  const at = (part: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0
  return { p50Millis: at(0.5), p99Millis: at(0.99) }
}

const medianOf = (all: ReadonlyArray<Measured>, value: (measured: Measured) => number | undefined): string => {
  const values = all.flatMap((measured) => value(measured) ?? [])
  return values.length === 0 ? "" : median(values).toFixed(2)
}

/** Processor time of one operation, in microseconds. */
const each = (all: ReadonlyArray<Measured>, value: (measured: Measured) => number | undefined): string => {
  const values = all.flatMap((measured) => {
    const millis = value(measured)
    return millis === undefined || Number.isNaN(millis) ? [] : [(millis * 1000) / measured.count]
  })
  return values.length === 0 ? "" : whole(median(values))
}

const line = (cells: ReadonlyArray<string>): string => `| ${cells.join(" | ")} |`

/** Runs the cases and prints a table. `write` is told the progress. */
export const compare = async (
  title: string,
  cases: ReadonlyArray<Case>,
  { rounds, seconds }: Settings,
  write: (text: string) => void,
): Promise<void> => {
  const found = new Map<string, Array<Measured>>(cases.map(({ name }) => [name, []]))
  for (let round = 0; round < rounds; round++) {
    for (let index = 0; index < cases.length; index++) {
      const each = cases[(index + round) % cases.length]
      if (each === undefined) continue
      const measured = await each.run()
      found.get(each.name)?.push(measured)
      process.stderr.write(`  round ${round + 1}  ${each.name}  ${whole(measured.perSecond)}\n`)
    }
  }
  /** Both sides' lists are in the order of the rounds. */
  const ratio = (speeds: ReadonlyArray<number>, base: string): string => {
    const ratios = (found.get(base) ?? []).map(({ perSecond }, round) => (speeds[round] ?? Number.NaN) / perSecond)
    return `${median(ratios).toFixed(2)} of ${base}`
  }
  const rows = cases.map(({ bases = [], name }) => {
    const all = found.get(name) ?? []
    const speeds = all.map(({ perSecond }) => perSecond)
    return [
      name,
      whole(median(speeds)),
      `${whole(Math.min(...speeds))} to ${whole(Math.max(...speeds))}`,
      bases.map((base) => ratio(speeds, base)).join("; "),
      medianOf(all, ({ p50Millis }) => p50Millis),
      medianOf(all, ({ p99Millis }) => p99Millis),
      each(all, ({ serverMillis }) => serverMillis),
      each(all, ({ callerMillis }) => callerMillis),
    ]
  })
  write(
    [
      "",
      `## ${title}`,
      "",
      `Medians of ${rounds} alternating rounds of ${seconds} s.`,
      "",
      line(["case", "per second", "range", "ratio", "p50 ms", "p99 ms", "server µs", "Node µs"]),
      line(["---", "---:", "---", "---", "---:", "---:", "---:", "---:"]),
      ...rows.map(line),
      "",
    ].join("\n"),
  )
}
