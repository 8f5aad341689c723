/** The report of a run: the sandbox's leniencies that it leaned on, and the arrows, rules and codes that it reached and did not reach. */
import { SandboxLeniencies } from "@countersign/core/sandbox"
import { type Counts, coverageTargets, reached } from "./Run.ts"

/** What was reached of one table. */
export interface TableCoverage {
  readonly reached: ReadonlyArray<readonly [name: string, times: number]>
  readonly never: ReadonlyArray<string>
}

export interface Report {
  /** Each makes the test weaker than a live deployment would be: what it is, and how often it let something pass. */
  readonly leniencies: ReadonlyArray<{ readonly name: string; readonly meaning: string; readonly times: number }>
  readonly arrows: TableCoverage
  readonly rules: TableCoverage
  readonly codes: TableCoverage
}

const part = (all: ReadonlyArray<string>, counts: { readonly [name: string]: number }): TableCoverage => ({
  reached: all.flatMap((name) => (counts[name] === undefined ? [] : [[name, counts[name]] as const])),
  never: all.filter((name) => counts[name] === undefined),
})

/** Of this process, or of counts that were gathered. */
export const report = (counts: Counts = reached()): Report => {
  const all = coverageTargets()
  return {
    leniencies: SandboxLeniencies.entries.flatMap(([name, meaning]) => {
      const times = counts.leniencies[name]
      return times === undefined ? [] : [{ name, meaning, times }]
    }),
    arrows: part(all.arrows, counts.arrows),
    rules: part(all.rules, counts.rules),
    codes: part(all.codes, counts.codes),
  }
}

const section = (title: string, { never, reached: found }: TableCoverage): ReadonlyArray<string> => [
  `${title}: ${found.length} of ${found.length + never.length} reached`,
  ...never.map((name) => `  never  ${name}`),
]

/** The report as text. */
export const reportText = ({ arrows, codes, leniencies, rules }: Report): string =>
  [
    leniencies.length === 0
      ? "Strict: nothing leaned on what only a sandbox lets pass."
      : "Lenient: this leaned on what only a sandbox lets pass.",
    ...leniencies.map(({ meaning, name, times }) => `  ${times} times  ${name}: ${meaning}`),
    "",
    ...section("Arrows", arrows),
    "",
    ...section("Rules", rules),
    "",
    ...section("Error codes", codes),
    "",
  ].join("\n")
