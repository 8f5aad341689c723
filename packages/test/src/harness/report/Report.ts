/**
 * The report of a test run: the sandbox-only leniencies that it relied on, and which transitions, rules and error codes it
 * reached.
 * Source: D-231.
 */
import { SandboxLeniencies } from "@countersign/core/sandbox"
import { type Counts, coverageTargets, reached } from "./Run.ts"

/** The reached and unreached rows of one table. */
export interface TableCoverage {
  readonly reached: ReadonlyArray<readonly [name: string, times: number]>
  readonly never: ReadonlyArray<string>
}

export interface Report {
  /** The leniencies with their meanings, and how often each applied. Production would have rejected these requests. */
  readonly leniencies: ReadonlyArray<{ readonly name: string; readonly meaning: string; readonly times: number }>
  readonly arrows: TableCoverage
  readonly rules: TableCoverage
  readonly codes: TableCoverage
}

const coverageOf = (all: ReadonlyArray<string>, counts: { readonly [name: string]: number }): TableCoverage => ({
  reached: all.flatMap((name) => (counts[name] === undefined ? [] : [[name, counts[name]] as const])),
  never: all.filter((name) => counts[name] === undefined),
})

/** Returns the report of this process, or of gathered counts. */
export const report = (counts: Counts = reached()): Report => {
  const all = coverageTargets()
  return {
    leniencies: SandboxLeniencies.entries.flatMap(([name, meaning]) => {
      const times = counts.leniencies[name]
      return times === undefined ? [] : [{ name, meaning, times }]
    }),
    arrows: coverageOf(all.arrows, counts.arrows),
    rules: coverageOf(all.rules, counts.rules),
    codes: coverageOf(all.codes, counts.codes),
  }
}

const section = (title: string, { never, reached: found }: TableCoverage): ReadonlyArray<string> => [
  `${title}: ${found.length} of ${found.length + never.length} reached`,
  ...never.map((name) => `  never  ${name}`),
]

/** Formats the report as text. */
export const reportText = ({ arrows, codes, leniencies, rules }: Report): string =>
  [
    leniencies.length === 0
      ? "Strict: the run relied on no sandbox-only leniency."
      : "Lenient: the run relied on sandbox-only leniencies.",
    ...leniencies.map(({ meaning, name, times }) => `  ${times} times  ${name}: ${meaning}`),
    "",
    ...section("Arrows", arrows),
    "",
    ...section("Rules", rules),
    "",
    ...section("Error codes", codes),
    "",
  ].join("\n")
