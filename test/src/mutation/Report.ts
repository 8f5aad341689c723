/**
 * The results of a mutation run: the score of each room, and the surviving mutants, each compared with its explanation.
 */

/** The part of Stryker's report that is read. */
export interface MutantReport {
  readonly files: {
    readonly [path: string]: { readonly source: string; readonly mutants: ReadonlyArray<ReportedMutant> }
  }
}

interface Position {
  readonly line: number
  readonly column: number
}

export interface ReportedMutant {
  readonly mutatorName: string
  readonly replacement?: string
  readonly status: string
  readonly statusReason?: string
  readonly location: { readonly start: Position; readonly end: Position }
}

/** Surviving mutants, and why no test can or should detect them. */
export interface Explanation {
  readonly why: string
  readonly mutants: ReadonlyArray<string>
}

/** The number of mutants by result. Mutants that do not load or are ignored are not part of the score. */
export interface Score {
  readonly killed: number
  readonly timedOut: number
  readonly survived: number
  readonly unloadable: number
  readonly ignored: number
}

const kinds = {
  Killed: "killed",
  Timeout: "timedOut",
  Survived: "survived",
  NoCoverage: "survived",
  RuntimeError: "unloadable",
  CompileError: "unloadable",
  Ignored: "ignored",
} as const satisfies { readonly [status: string]: keyof Score }

const kindOf = (status: string): keyof Score => {
  const found = Object.entries(kinds).find(([name]) => name === status)
  if (found === undefined) throw new Error(`a mutant is ${status}: the run is incomplete`)
  return found[1]
}

/** Why a mutant was not run: it is no part of the sample, nor of the score. */
export const notSampled = "not in the sample"

/** Whether a mutant is one of every n-th, by its number. */
export const isSampled = ({ id }: { readonly id: string }, every: number): boolean => Number(id) % every === 0

export const isNotSampled = ({ statusReason }: { readonly statusReason?: string }): boolean =>
  statusReason?.includes(notSampled) === true

const mutantsOf = ({ files }: MutantReport) =>
  Object.entries(files).flatMap(([path, { mutants, source }]) =>
    mutants.filter((mutant) => !isNotSampled(mutant)).map((mutant) => ({ path, source, mutant })),
  )

export const scoreOf = (report: MutantReport): Score => {
  const all = mutantsOf(report).map(({ mutant }) => kindOf(mutant.status))
  const count = (kind: keyof Score) => all.filter((one) => one === kind).length
  return {
    killed: count("killed"),
    timedOut: count("timedOut"),
    survived: count("survived"),
    unloadable: count("unloadable"),
    ignored: count("ignored"),
  }
}

/** The number of mutants that a whole run would run. */
export const mutantCount = ({ files }: MutantReport): number =>
  Object.values(files).reduce(
    (all, { mutants }) => all + mutants.filter(({ status }) => status !== "Ignored").length,
    0,
  )

export const sum = (scores: ReadonlyArray<Score>): Score => {
  const total = (kind: keyof Score) => scores.reduce((all, score) => all + score[kind], 0)
  return {
    killed: total("killed"),
    timedOut: total("timedOut"),
    survived: total("survived"),
    unloadable: total("unloadable"),
    ignored: total("ignored"),
  }
}

/** Returns the percentage of mutants that the tests detected. */
export const percentOf = ({ killed, survived, timedOut }: Score): number =>
  killed + timedOut + survived === 0 ? 100 : (100 * (killed + timedOut)) / (killed + timedOut + survived)

/** A change of fewer mutants is not judged: one that cannot be noticed would decide. */
const judgedFrom = 20

/** The least score of the lines of a change. */
const leastOfChange = 70

/** Returns a problem if the tests notice too few of the mutants of a change. */
export const problemsOfChange = (results: ReadonlyArray<Pick<RoomResult, "score">>): ReadonlyArray<string> => {
  const score = sum(results.map((each) => each.score))
  const run = score.killed + score.survived + score.timedOut
  return run < judgedFrom || percentOf(score) >= leastOfChange
    ? []
    : [`the score of the changed lines is ${percentOf(score).toFixed(1)} %, less than ${leastOfChange} %`]
}

/** Returns a problem for each room of which most mutants do not load: its tests do not run, whatever its score. */
export const problemsOfLoading = (results: ReadonlyArray<Pick<RoomResult, "room" | "score">>): ReadonlyArray<string> =>
  results.flatMap(({ room, score: { killed, survived, timedOut, unloadable } }) =>
    unloadable > killed + survived + timedOut
      ? [`${room}: ${unloadable} mutants do not load, and ${killed + survived + timedOut} do`]
      : [],
  )

const flat = (text: string) => text.replaceAll(/\s+/gu, " ").trim()

/** Returns the source text that a mutant replaces. */
const originalOf = (source: string, { location: { end, start } }: ReportedMutant): string => {
  const lines = source.split("\n").slice(start.line - 1, end.line)
  const last = lines.length - 1
  return lines
    .map((line, at) => line.slice(at === 0 ? start.column - 1 : 0, at === last ? end.column - 1 : undefined))
    .join("\n")
}

/** Returns the surviving mutants as text and replacement. Line numbers are omitted, because they change. */
export const survivorsOf = (report: MutantReport): ReadonlyArray<string> =>
  mutantsOf(report)
    .filter(({ mutant }) => kindOf(mutant.status) === "survived")
    .map(
      ({ mutant, path, source }) =>
        `${path.replace(/^packages\/(?:core\/src\/)?/u, "")}: ${flat(originalOf(source, mutant))} => ${flat(mutant.replacement ?? "")}`,
    )

/** Returns survivors without an explanation, and explanations without a survivor in the rooms that were run. */
export const problemsOfSurvivors = (
  found: ReadonlyArray<string>,
  explained: ReadonlyArray<Explanation>,
  wasRun: (path: string) => boolean,
): ReadonlyArray<string> => {
  const all = explained.flatMap(({ mutants }) => mutants)
  return [
    ...found.filter((mutant) => !all.includes(mutant)).map((mutant) => `survives unexplained: ${mutant}`),
    ...all
      .filter((mutant) => wasRun(mutant.split(": ", 1)[0] ?? "") && !found.includes(mutant))
      .map((mutant) => `is explained, and does not survive: ${mutant}`),
    ...explained.filter(({ why }) => why.trim() === "").map(({ mutants }) => `survives for no reason: ${mutants[0]}`),
  ]
}

export interface RoomResult {
  readonly room: string
  readonly sources: number
  readonly score: Score
  readonly seconds: number
}

const cell = (text: string) => text.replaceAll("|", "\\|")

/** Formats a reason and the list of its mutants. */
export const explanationOf = ({ mutants, why }: Explanation): string =>
  `${why}\n\n${mutants.map((mutant) => `- \`${cell(mutant)}\``).join("\n")}`

/** Formats the page of the whole run. */
export const pageOf = (
  results: ReadonlyArray<RoomResult>,
  explained: ReadonlyArray<Explanation>,
  included: ReadonlyArray<string>,
): string => {
  const whole = {
    room: "all",
    sources: results.reduce((all, { sources }) => all + sources, 0),
    score: sum(results.map(({ score }) => score)),
    seconds: results.reduce((all, { seconds }) => all + seconds, 0),
  }
  const line = ({ room, score, seconds, sources }: RoomResult) =>
    `| ${[room, sources, percentOf(score).toFixed(1), score.killed, score.timedOut, score.survived, score.unloadable, score.ignored, seconds].join(" | ")} |`
  return `# Mutation testing
<!-- Written by \`npm run mutate\`. Do not edit: change the rooms, the tests, or the explanations in test/src/mutation. -->

Each mutant is one small fault in the code of a rule, a machine, the policy or the ledger: a state renamed, a comparison turned round, a
row's condition always true. The tests of the room are run on it, and the score is how many of a hundred they notice: **${percentOf(whole.score).toFixed(1)} %** of
${whole.score.killed + whole.score.timedOut + whole.score.survived} mutants. \`npm run mutate\` makes them anew and fails below 90 %, or where one survives without an explanation below;
\`npm run mutate -- card quote\` runs two rooms. This run took ${Math.ceil(whole.seconds / 60)} minutes on one core of a busy machine.

| Room | Sources | Score % | Killed | Timed out | Survived | Do not load | Only document | Seconds |
|---|---|---|---|---|---|---|---|---|
${[...results, whole].map(line).join("\n")}

Static mutants count: a machine's table is made when its module loads, and every module is loaded anew with the mutant. Those that do not
load at all stop every test, and are no part of the score; a machine with two arrows for one state and trigger throws, for example. Neither are texts that only document or name:
annotations of schemas, and the names of tables, services, spans and operations.

## What is mutated

${included.join("\n")}

## Survivors

${explained.map(explanationOf).join("\n\n")}
`
}
