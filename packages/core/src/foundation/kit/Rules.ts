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

export interface Rules<Facts, R> {
  readonly name: string
  readonly rows: ReadonlyArray<Rule<Facts, R>>
  /** The refusal of the first row that fails, with the row's name; `undefined` when every row passes. */
  readonly first: (facts: Facts) => { readonly rule: string; readonly refusal: R } | undefined
}

/** Builds a rule list from `[name, test]` rows in order of precedence. */
export const make = <Facts, R>(
  name: string,
  rows: ReadonlyArray<readonly [name: string, test: (facts: Facts) => R | undefined]>,
): Rules<Facts, R> => {
  const list = rows.map(([row, test]) => ({ name: row, test }))
  return {
    name,
    rows: list,
    first: (facts) => {
      for (const row of list) {
        const refusal = row.test(facts)
        if (refusal === undefined) continue
        Coverage.record({ _tag: "Rule", list: name, row: row.name })
        return { rule: row.name, refusal }
      }
      return undefined
    },
  }
}
