/**
 * The figures of the benchmarks that are followed from commit to commit: each a ratio to something else that runs in the same rounds, with
 * the limit that it shall reach. Runs with `--record` append theirs to docs/performance/figures.json. Pure.
 * Source: D-516.
 */
import { median, type Ratio } from "./Rounds.ts"

export interface Figure {
  readonly name: string
  /** The case, and what it is divided by. */
  readonly of: Pick<Ratio, "name" | "base">
  /** More is better. */
  readonly limit: number
  /** Earlier records, by their day, are of something else: what the ratio is divided by has changed. */
  readonly since?: string
}

/** Of `pgbench` calling the set-based commit, which lone sets take. Source: D-522. */
const sinceLoneSets = "2026-11-27"

/** The base of the start: a server of `node:http` alone. */
export const startNames = { name: "npm start, in memory", base: "bare node:http server" } as const

const transferIn = (connections: number) => `POST /agents/me/transfer-in, ${connections} connections`

export const figures: ReadonlyArray<Figure> = [
  {
    name: "commits, 64 callers",
    of: { name: "Store.commit, 64 callers", base: "pgbench" },
    limit: 1.5,
    since: sinceLoneSets,
  },
  {
    name: "commits, 64 callers, hot account",
    of: { name: "Store.commit, 64 callers, hot", base: "pgbench, hot" },
    limit: 2.5,
    since: sinceLoneSets,
  },
  {
    name: "commits with one of every part",
    of: { name: "Store.commit, 64 callers, one of every part", base: "bare transfer" },
    limit: 1,
  },
  {
    name: "transfer-in, 32 connections",
    of: { name: transferIn(32), base: "pgbench" },
    limit: 1.8,
    since: sinceLoneSets,
  },
  {
    name: "transfer-in, 128 connections",
    of: { name: transferIn(128), base: "pgbench" },
    limit: 2.5,
    since: sinceLoneSets,
  },
  // 320 ms beside 37 ms, both to the first answer.
  { name: "start in memory", of: startNames, limit: 0.116 },
  {
    name: "signature check",
    of: { name: "signed request, Node's crypto", base: "openssl speed, verify" },
    limit: 0.87,
  },
  { name: "seal", of: { name: "seal, Node's crypto", base: "@hpke/core, seal" }, limit: 4.7 },
  { name: "open", of: { name: "open, Node's crypto", base: "@hpke/core, open" }, limit: 4.7 },
]

/** A figure as one run measured it. */
export interface RecordedFigure {
  readonly commit: string
  /** The day, in UTC. */
  readonly date: string
  readonly machine: string
  readonly name: string
  readonly ratio: number
  readonly limit: number
}

/** How far a figure may fall below what was recorded before a line warns of it. */
const fallMax = 0.2
/** The recorded ratios with whose median a new one is compared, so that one lucky run does not make all later ones look worse. */
const recentRecords = 5
const digits = 4

const rounded = (ratio: number): number => Number(ratio.toPrecision(digits))

/** The ratios of a run that are figures, as they are recorded. A ratio that could not be measured is left out. */
export const measuredFigures = (
  ratios: ReadonlyArray<Ratio>,
  run: Pick<RecordedFigure, "commit" | "date" | "machine">,
): ReadonlyArray<RecordedFigure> =>
  figures.flatMap(({ limit, name, of }) =>
    ratios
      .filter((one) => one.name === of.name && one.base === of.base && Number.isFinite(one.ratio))
      .map(({ ratio }) => ({ ...run, name, ratio: rounded(ratio), limit })),
  )

export interface ComparedFigure extends RecordedFigure {
  /** The median of the latest recorded ratios; absent for a figure that was never recorded. */
  readonly recorded: number | undefined
  readonly hasFallen: boolean
}

export const compareFigures = (
  measured: ReadonlyArray<RecordedFigure>,
  recorded: ReadonlyArray<RecordedFigure>,
): ReadonlyArray<ComparedFigure> =>
  measured.map((figure) => {
    const since = figures.find(({ name }) => name === figure.name)?.since ?? ""
    const before = recorded.filter(({ date, name }) => name === figure.name && date >= since).slice(-recentRecords)
    const usual = before.length === 0 ? undefined : median(before.map(({ ratio }) => ratio))
    return { ...figure, recorded: usual, hasFallen: usual !== undefined && figure.ratio < (1 - fallMax) * usual }
  })

const ratioText = (ratio: number): string => (ratio < 1 ? ratio.toFixed(3) : ratio.toFixed(2))

/** The figures as a table, and a line for each that has fallen. */
export const figuresReport = (compared: ReadonlyArray<ComparedFigure>): string => {
  const rows = compared.map(({ limit, name, ratio, recorded }) => {
    const before = recorded === undefined ? "" : ratioText(recorded)
    return `| ${name} | ${ratioText(ratio)} | ${ratioText(limit)} | ${before} |`
  })
  const warnings = compared.flatMap(({ hasFallen, name, ratio, recorded }) =>
    hasFallen && recorded !== undefined
      ? [
          `warning: ${name} fell by ${Math.round(100 * (1 - ratio / recorded))} %, from ${ratioText(recorded)} to ${ratioText(ratio)}`,
        ]
      : [],
  )
  return [
    "## Figures beside their limits",
    "",
    "| figure | ratio | limit | recorded |",
    "| --- | ---: | ---: | ---: |",
    ...rows,
    ...(warnings.length === 0 ? [] : ["", ...warnings]),
  ].join("\n")
}
