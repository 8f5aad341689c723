/**
 * The measured samples of areas, which a run of areas records in `measured.json`, and their table on the page of mutation testing.
 * Source: D-525.
 */
import { type Explanation, explanationOf, percentOf, type Score, sum } from "./Report.ts"

export interface Sample {
  /** One of this number of mutants was run. */
  readonly every: number
  /** All mutants of the area that could be run. */
  readonly of: number
  readonly score: Score
}

export interface Samples {
  readonly [area: string]: Sample
}

const begin = "<!-- areas -->"
const end = "<!-- end of areas -->"

const sizeOf = ({ killed, survived, timedOut }: Score): number => killed + survived + timedOut

const line = (name: string, { every, of, score }: Sample) =>
  `| ${[name, of, every, sizeOf(score), percentOf(score).toFixed(1), score.killed, score.timedOut, score.survived, score.unloadable].join(" | ")} |`

/** Formats the section of the areas that were measured. */
export const areaSection = (samples: Samples, explained: ReadonlyArray<Explanation>): string => {
  const rows = Object.entries(samples).toSorted(([a], [b]) => a.localeCompare(b))
  const whole = sum(rows.map(([, { score }]) => score))
  const of = rows.reduce((all, [, sample]) => all + sample.of, 0)
  return `${begin}

## Areas, sampled

Everything else of the packages, but tests and pages, is in areas by subject, whose tests run whole services. \`npm run mutate -- <area> --every 40 --record\`
runs every fortieth mutant and writes the row; \`npm run mutate -- --areas --every 40\` does so for all, and fails where an area has less than its floor in
\`Areas.ts\`. A sample of fifty mutants is right within ten points. A run prints its survivors, except those that are explained here.

| Area | Mutants | One of | Run | Score % | Killed | Timed out | Survived | Do not load |
|---|---|---|---|---|---|---|---|---|
${rows.map(([name, sample]) => line(name, sample)).join("\n")}
| all | ${of} | | ${sizeOf(whole)} | ${percentOf(whole).toFixed(1)} | ${whole.killed} | ${whole.timedOut} | ${whole.survived} | ${whole.unloadable} |

${explained.map(explanationOf).join("\n\n")}

${end}
`
}

/** Returns the page with this section of areas instead of its own, or at its end. */
export const withAreas = (page: string, section: string): string => {
  const [before = "", rest] = page.split(begin)
  const after = rest?.split(`${end}\n`)[1] ?? ""
  return rest === undefined ? `${page.trimEnd()}\n\n${section}` : `${before}${section}${after}`
}

/** Returns the areas whose score is below their floor. */
export const problemsOfFloors = (samples: Samples, floorOf: (area: string) => number): ReadonlyArray<string> =>
  Object.entries(samples)
    .filter(([area, { score }]) => percentOf(score) < floorOf(area))
    .map(
      ([area, { score }]) =>
        `the score of ${area} is ${percentOf(score).toFixed(1)} %, less than its floor of ${floorOf(area)} %`,
    )
