/**
 * A rule list: ordered rows, of which the first that fails names the error.
 * Source: D-003.
 */

import * as Coverage from "./Coverage.ts"

/** One row: its name, and a test that returns `undefined` when it passes or the refusal when it fails. */
export interface Rule<Facts, R> {
  readonly name: string
  readonly test: (facts: Facts) => R | undefined
}

/** A row's result for some facts: it passed, it decided by its refusal, or an earlier row had decided. */
export type TracedRow<R> =
  | { readonly rule: string; readonly result: "PASSED" | "NOT_REACHED" }
  | { readonly rule: string; readonly result: "DECIDED"; readonly refusal: R }

export interface Rules<Facts, R> {
  readonly name: string
  readonly rows: ReadonlyArray<Rule<Facts, R>>
  /** The refusal of the first row that fails, with the row's name; `undefined` when every row passes. */
  readonly first: (facts: Facts) => { readonly rule: string; readonly refusal: R } | undefined
  /** Every row with its result. The rows behind the one that `first` returns are not tested. */
  readonly trace: (facts: Facts) => ReadonlyArray<TracedRow<R>>
}

/** A row that failed, and what it saw. */
export interface FailedRule {
  readonly list: string
  readonly rule: string
  /** From 1. */
  readonly position: number
  readonly rows: number
  readonly facts: unknown
  readonly refusal: unknown
}

let observer: ((failed: FailedRule) => void) | undefined

/** Runs a function, which must not be an effect, and reports the rows that fail in it. Without an observer a failed row costs nothing. */
export const observing = <A>(onFailed: (failed: FailedRule) => void, run: () => A): A => {
  const outer = observer
  observer = onFailed
  try {
    return run()
  } finally {
    observer = outer
  }
}

/** Builds a rule list from `[name, test]` rows in order of precedence. */
export const make = <Facts, R>(
  name: string,
  rows: ReadonlyArray<readonly [name: string, test: (facts: Facts) => R | undefined]>,
): Rules<Facts, R> => {
  const list = rows.map(([row, test]) => ({ name: row, test }))
  const trace = (facts: Facts): ReadonlyArray<TracedRow<R>> => {
    let isDecided = false
    return list.map(({ name: rule, test }) => {
      if (isDecided) return { rule, result: "NOT_REACHED" }
      const refusal = test(facts)
      if (refusal === undefined) return { rule, result: "PASSED" }
      isDecided = true
      return { rule, result: "DECIDED", refusal }
    })
  }
  return {
    name,
    rows: list,
    first: (facts) => {
      for (const [index, row] of list.entries()) {
        const refusal = row.test(facts)
        if (refusal === undefined) continue
        Coverage.record({ _tag: "Rule", list: name, row: row.name })
        observer?.({ list: name, rule: row.name, position: index + 1, rows: list.length, facts, refusal })
        return { rule: row.name, refusal }
      }
      return undefined
    },
    trace,
  }
}
