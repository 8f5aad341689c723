/**
 * Cases side by side: every case runs in every round, each round begins with the next case, and what counts is the median. A ratio is
 * taken within its round, so that a neighbour on the machine who comes and goes disturbs both of its sides.
 */

export interface Measured {
  readonly perSecond: number
  readonly p50Millis?: number
  readonly p99Millis?: number
  readonly note?: string
}

export interface Case {
  readonly name: string
  /** The case that this one is compared with. */
  readonly base?: string
  readonly run: () => Promise<Measured>
}

export interface Settings {
  readonly rounds: number
  readonly seconds: number
}

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
  const rows = cases.map(({ base, name }) => {
    const all = found.get(name) ?? []
    const speeds = all.map(({ perSecond }) => perSecond)
    const bases = base === undefined ? [] : (found.get(base) ?? [])
    // Both sides' lists are in the order of the rounds.
    const ratios = bases.map(({ perSecond }, round) => (speeds[round] ?? Number.NaN) / perSecond)
    return [
      name,
      whole(median(speeds)),
      `${whole(Math.min(...speeds))} to ${whole(Math.max(...speeds))}`,
      base === undefined ? "" : `${median(ratios).toFixed(2)} of ${base}`,
      medianOf(all, ({ p50Millis }) => p50Millis),
      medianOf(all, ({ p99Millis }) => p99Millis),
      all.at(-1)?.note ?? "",
    ]
  })
  write(
    [
      "",
      `## ${title}`,
      "",
      `Medians of ${rounds} alternating rounds of ${seconds} s.`,
      "",
      line(["case", "per second", "range", "ratio", "p50 ms", "p99 ms", ""]),
      line(["---", "---:", "---", "---", "---:", "---:", "---"]),
      ...rows.map(line),
      "",
    ].join("\n"),
  )
}
