/**
 * Proves a rule list: its precedence by a table in which each line repairs one more thing, and the boundaries of a row.
 * Source: architecture, "A table per concept"; the checks are plain functions, so that they are tested themselves.
 */
import assert from "node:assert/strict"
import type { Rules } from "@countersign/core/verify"
import { describe, it } from "../runner/Runner.ts"

type Problems = ReadonlyArray<string>

/** The repair of a line: new values of some fields, or a function of the facts. */
export type Repair<Facts> = Partial<Facts> | ((facts: Facts) => Facts)

/** One line: the row that fails first, its repair, and optionally a part of its refusal. */
export type PrecedenceLine<Facts> = readonly [rule: string, repair: Repair<Facts>, answer?: unknown]

export interface PrecedenceTable<Facts> {
  /** Facts that break every row. */
  readonly broken: Facts
  /** One line for each row, in the order of precedence. */
  readonly steps: ReadonlyArray<PrecedenceLine<Facts>>
  /** Rows that cannot fail together with an earlier one (their record is missing), each with the reason. */
  readonly masked?: { readonly [rule: string]: string }
}

/** One boundary case of a row: its label, the facts, and whether the row passes or a part of its refusal. */
export type RowCase<Facts> = readonly [
  label: string,
  facts: Facts,
  outcome: "holds" | "fails" | { readonly answer: unknown },
]

/** Whether `value` contains everything in `part`. */
const includes = (value: unknown, part: unknown): boolean => {
  if (Object.is(value, part)) return true
  if (typeof value !== "object" || value === null || typeof part !== "object" || part === null) return false
  // A list must have the same length.
  if (Array.isArray(part) && Object.keys(value).length !== part.length) return false
  const members = new Map(Object.entries(value))
  return Object.entries(part).every(([name, wanted]) => includes(members.get(name), wanted))
}

/** Returns the paths of empty texts and objects in a refusal, which a client would see as gaps. Empty lists are allowed. */
export const gapsOf = (value: unknown, at = "the answer"): ReadonlyArray<string> => {
  if (typeof value === "string") return value.trim() === "" ? [at] : []
  if (typeof value !== "object" || value === null) return []
  const members = Object.entries(value)
  return members.length === 0 && !Array.isArray(value)
    ? [at]
    : members.flatMap(([name, member]) => gapsOf(member, `${at}.${name}`))
}

const show = (value: unknown) => JSON.stringify(value)

const repaired = <Facts extends object>(facts: Facts, repair: Repair<Facts>): Facts =>
  typeof repair === "function" ? repair(facts) : { ...facts, ...repair }

const failing = <Facts, R>(rules: Rules.Rules<Facts, R>, facts: Facts): ReadonlyArray<string> =>
  rules.rows.filter((row) => row.test(facts) !== undefined).map((row) => row.name)

const walk = <Facts extends object, R>(rules: Rules.Rules<Facts, R>, table: PrecedenceTable<Facts>): Problems => {
  const { broken, masked = {}, steps } = table
  const problems: Array<string> = []
  let facts = broken
  for (const [at, [rule, repair, answer]] of steps.entries()) {
    const line = `line ${at + 1} (${rule})`
    const first = rules.first(facts)
    const before = failing(rules, facts)
    if (first?.rule !== rule) problems.push(`${line}: ${first?.rule ?? "no row"} answers`)
    if (first?.rule !== before[0]) problems.push(`${line}: the first row that fails is ${before[0] ?? "none"}`)
    if (answer !== undefined && !includes(first?.refusal, answer)) {
      problems.push(`${line}: answers ${show(first?.refusal)}, which lacks ${show(answer)}`)
    }
    problems.push(...gapsOf(first?.refusal).map((gap) => `${line}: ${gap} is empty`))
    facts = repaired(facts, repair)
    const after = failing(rules, facts)
    if (after.includes(rule)) problems.push(`${line}: repairs nothing`)
    for (const other of before) {
      if (other !== rule && !after.includes(other)) problems.push(`${line}: repairs ${other} too`)
    }
    for (const other of after) {
      if (!before.includes(other) && masked[other] === undefined) problems.push(`${line}: breaks ${other}`)
    }
  }
  const left = rules.first(facts)
  if (left !== undefined) problems.push(`after the last line ${left.rule} still fails`)
  return problems
}

/** Checks a rule list against its precedence table. */
export const problemsOfPrecedence = <Facts extends object, R>(
  rules: Rules.Rules<Facts, R>,
  table: PrecedenceTable<Facts>,
): Problems => {
  const { broken, masked = {}, steps } = table
  const names = rules.rows.map((row) => row.name)
  const lines = steps.map(([rule]) => rule)
  try {
    const atFirst = failing(rules, broken)
    return [
      ...(rules.name === "" ? ["the list has no name"] : []),
      ...names.filter((name, at) => names.indexOf(name) !== at).map((name) => `two rows are called ${name}`),
      ...names.filter((name) => !lines.includes(name)).map((name) => `${name} has no line`),
      ...lines.filter((line) => !names.includes(line)).map((line) => `no row is called ${line}`),
      ...lines.filter((line, at) => lines.indexOf(line) !== at).map((line) => `${line} has two lines`),
      ...names
        .filter((name) => !atFirst.includes(name) && masked[name] === undefined)
        .map((name) => `the broken facts do not break ${name}`),
      ...Object.entries(masked).flatMap(([name, reason]) => [
        ...(names.includes(name) && !atFirst.includes(name) ? [] : [`${name} is not masked`]),
        ...(reason.trim() === "" ? [`${name} is masked without a reason`] : []),
      ]),
      ...walk(rules, table),
    ]
  } catch (thrown) {
    return [`a row does not answer but throws: ${String(thrown)}`]
  }
}

/** Checks one row against its boundary cases, of which at least one must pass and one must fail. */
export const problemsOfRow = <Facts, R>(
  rules: Rules.Rules<Facts, R>,
  name: string,
  cases: ReadonlyArray<RowCase<Facts>>,
): Problems => {
  const row = rules.rows.find((candidate) => candidate.name === name)
  if (row === undefined) return [`no row is called ${name}`]
  if (rules.name === "") return ["the list has no name"]
  const holding = cases.filter(([, , outcome]) => outcome === "holds")
  return [
    ...(holding.length === 0 ? [`${name}: no case in which it holds`] : []),
    ...(holding.length === cases.length ? [`${name}: no case in which it fails`] : []),
    ...cases.flatMap(([label, facts, outcome]) => {
      const refusal = row.test(facts)
      if (outcome === "holds") return refusal === undefined ? [] : [`${name}, ${label}: fails with ${show(refusal)}`]
      if (refusal === undefined) return [`${name}, ${label}: holds`]
      const [gap] = gapsOf(refusal)
      if (gap !== undefined) return [`${name}, ${label}: ${gap} is empty`]
      return outcome === "fails" || includes(refusal, outcome.answer)
        ? []
        : [`${name}, ${label}: answers ${show(refusal)}, which lacks ${show(outcome.answer)}`]
    }),
  ]
}

/** Registers the proof of a rule list's precedence. */
export const provePrecedence = <Facts extends object, R>(
  rules: Rules.Rules<Facts, R>,
  table: PrecedenceTable<Facts>,
): void => {
  it(`the ${rules.name} rules answer in their order, each line repairing one more thing`, () => {
    assert.deepStrictEqual(problemsOfPrecedence(rules, table), [])
  })
}

/** Registers the boundary cases of one row. */
export const proveRow = <Facts, R>(
  rules: Rules.Rules<Facts, R>,
  name: string,
  cases: ReadonlyArray<RowCase<Facts>>,
): void => {
  describe(`the row ${name} of the ${rules.name} rules`, () => {
    it("has cases on both sides of its boundary", () => {
      assert.deepStrictEqual(problemsOfRow(rules, name, cases), [])
    })
  })
}
