/**
 * Proves a rule list: its precedence by a table in which each line repairs one more thing, and the boundaries of a row.
 * Source: architecture, "One table per concept; everything else is derived"; the checks are plain functions, so that they are tested themselves.
 */
import assert from "node:assert/strict"
import type { Rules } from "@countersign/core/verify"
import { describe, it } from "../runner/Runner.ts"

type Problems = ReadonlyArray<string>

/** The repair of a line: new values of some fields, or a function of the facts. */
export type Repair<Facts> = Partial<Facts> | ((facts: Facts) => Facts)

/** One line: the row that fails first, its repair, and optionally a part of its refusal. */
export type PrecedenceLine<Facts> = readonly [rule: string, repair: Repair<Facts>, answer?: unknown]

/** The facts by which a rule list is proven: they break every row, and each line repairs one row. */
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
  return Object.entries(part).every(([name, expected]) => includes(members.get(name), expected))
}

/** Returns the paths of empty texts and objects in a refusal, which a client would see as gaps. Empty lists are allowed. */
export const gapsOf = (value: unknown, at = "refusal"): ReadonlyArray<string> => {
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
    if (first?.rule !== rule) problems.push(`${line}: first returns ${first?.rule ?? "no row"}`)
    if (first?.rule !== before[0]) problems.push(`${line}: the first failing row is ${before[0] ?? "none"}`)
    if (answer !== undefined && !includes(first?.refusal, answer)) {
      problems.push(`${line}: the refusal ${show(first?.refusal)} does not contain ${show(answer)}`)
    }
    problems.push(...gapsOf(first?.refusal).map((gap) => `${line}: ${gap} is empty`))
    facts = repaired(facts, repair)
    const after = failing(rules, facts)
    if (after.includes(rule)) problems.push(`${line}: the repair does not make the row pass`)
    for (const other of before) {
      if (other !== rule && !after.includes(other)) problems.push(`${line}: the repair also makes ${other} pass`)
    }
    for (const other of after) {
      if (!before.includes(other) && masked[other] === undefined)
        problems.push(`${line}: the repair makes ${other} fail`)
    }
  }
  const left = rules.first(facts)
  if (left !== undefined) problems.push(`${left.rule} still fails after the last line`)
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
      ...names.filter((name, at) => names.indexOf(name) !== at).map((name) => `two rows have the name ${name}`),
      ...names.filter((name) => !lines.includes(name)).map((name) => `${name} has no line`),
      ...lines.filter((line) => !names.includes(line)).map((line) => `there is no row ${line}`),
      ...lines.filter((line, at) => lines.indexOf(line) !== at).map((line) => `${line} has two lines`),
      ...names
        .filter((name) => !atFirst.includes(name) && masked[name] === undefined)
        .map((name) => `${name} passes on the broken facts`),
      ...Object.entries(masked).flatMap(([name, reason]) => [
        ...(names.includes(name) && !atFirst.includes(name)
          ? []
          : [`${name} is listed as masked but does not pass on the broken facts`]),
        ...(reason.trim() === "" ? [`${name} is listed as masked without a reason`] : []),
      ]),
      ...walk(rules, table),
    ]
  } catch (thrown) {
    return [`a row throws: ${String(thrown)}`]
  }
}

/** Checks one row against its boundary cases, of which at least one must pass and one must fail. */
export const problemsOfRow = <Facts, R>(
  rules: Rules.Rules<Facts, R>,
  name: string,
  cases: ReadonlyArray<RowCase<Facts>>,
): Problems => {
  const row = rules.rows.find((candidate) => candidate.name === name)
  if (row === undefined) return [`there is no row ${name}`]
  if (rules.name === "") return ["the list has no name"]
  const holding = cases.filter(([, , outcome]) => outcome === "holds")
  return [
    ...(holding.length === 0 ? [`${name}: no case holds`] : []),
    ...(holding.length === cases.length ? [`${name}: no case fails`] : []),
    ...cases.flatMap(([label, facts, outcome]) => {
      const refusal = row.test(facts)
      if (outcome === "holds")
        return refusal === undefined ? [] : [`${name}, ${label}: expected to hold, but fails with ${show(refusal)}`]
      if (refusal === undefined) return [`${name}, ${label}: expected to fail, but holds`]
      const [gap] = gapsOf(refusal)
      if (gap !== undefined) return [`${name}, ${label}: ${gap} is empty`]
      return outcome === "fails" || includes(refusal, outcome.answer)
        ? []
        : [`${name}, ${label}: the refusal ${show(refusal)} does not contain ${show(outcome.answer)}`]
    }),
  ]
}

/** Registers the proof of a rule list's precedence. */
export const provePrecedence = <Facts extends object, R>(
  rules: Rules.Rules<Facts, R>,
  table: PrecedenceTable<Facts>,
): void => {
  it(`the ${rules.name} rules fail in the order of the precedence table`, () => {
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
    it("decides the cases on both sides of its boundary", () => {
      assert.deepStrictEqual(problemsOfRow(rules, name, cases), [])
    })
  })
}
