/**
 * Runs cases in alternating rounds: every case runs in every round, each round starts with the next case, and the result is
 * the median. Ratios are computed per round, so that other load on the machine disturbs both sides.
 */

export interface Measured {
  readonly perSecond: number
  readonly p50Millis?: number
  readonly p99Millis?: number
  readonly count: number
  /** Processor time of the database server, and of the Node process that calls it. */
  readonly serverMillis?: number
  readonly callerMillis?: number
}

export interface Case {
  readonly name: string
  /** The names of the cases with which this one is compared. */
  readonly bases?: ReadonlyArray<string>
  readonly run: () => Promise<Measured>
}

export interface Settings {
  readonly rounds: number
  readonly seconds: number
}

/** Warm-up that is not measured: after the tables are cleared, each session plans its statements again. */
export const warmingSeconds = 1

export const median = (values: ReadonlyArray<number>): number => {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  const upper = sorted[middle] ?? Number.NaN
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2
}

const whole = (value: number): string => Math.round(value).toLocaleString("en-US")

/** Returns the median and the 99th percentile of latencies. */
export const percentiles = (millis: ReadonlyArray<number>): Pick<Measured, "p50Millis" | "p99Millis"> => {
  const sorted = millis.toSorted((a, b) => a - b)
  const at = (part: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0
  return { p50Millis: at(0.5), p99Millis: at(0.99) }
}

const medianOf = (all: ReadonlyArray<Measured>, value: (measured: Measured) => number | undefined): string => {
  const values = all.flatMap((measured) => value(measured) ?? [])
  return values.length === 0 ? "" : median(values).toFixed(2)
}

/** Returns the processor time per operation in microseconds. */
const each = (all: ReadonlyArray<Measured>, value: (measured: Measured) => number | undefined): string => {
  const values = all.flatMap((measured) => {
    const millis = value(measured)
    return millis === undefined || Number.isNaN(millis) ? [] : [(millis * 1000) / measured.count]
  })
  return values.length === 0 ? "" : whole(median(values))
}

/** A case beside one of its bases: the median of the ratios of all rounds. */
export interface Ratio {
  readonly name: string
  readonly base: string
  readonly ratio: number
}

const line = (cells: ReadonlyArray<string>): string => `| ${cells.join(" | ")} |`

/** Runs the cases, passes a table to `write` and returns the ratios. Progress goes to stderr. */
export const compare = async (
  title: string,
  cases: ReadonlyArray<Case>,
  { rounds, seconds }: Settings,
  write: (text: string) => void,
): Promise<ReadonlyArray<Ratio>> => {
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
  /** Computes the ratios round by round; both lists are in the order of the rounds. */
  const ratioOf = (speeds: ReadonlyArray<number>, base: string): number =>
    median((found.get(base) ?? []).map(({ perSecond }, round) => (speeds[round] ?? Number.NaN) / perSecond))
  const ratio = (speeds: ReadonlyArray<number>, base: string): string =>
    `${ratioOf(speeds, base).toFixed(2)} of ${base}`
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
  return cases.flatMap(({ bases = [], name }) => {
    const speeds = (found.get(name) ?? []).map(({ perSecond }) => perSecond)
    return bases.map((base) => ({ name, base, ratio: ratioOf(speeds, base) }))
  })
}
