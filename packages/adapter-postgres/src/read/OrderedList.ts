/**
 * The statements of a page and of the count of a list, over the indexes of ListIndexes.ts. A page reads from the index, for each combination of
 * the selected values, no more rows than it may return; only those that it returns are read from the table.
 * Source: wire contract 0.3; D-500, D-501.
 */
import { Page } from "@countersign/core/store"
import type { Parameter } from "../connection/Connection.ts"
import { inSample } from "../schema/ListIndexes.ts"

export type Bind = (value: Parameter) => string

/** A leading column of an index, as text, and the values that the list has of it. */
export interface Choice {
  readonly column: string
  readonly values: ReadonlyArray<string>
  /** Whether the list has every value that the column can have. */
  readonly isOpen?: boolean
}

/** What a list selects from a table whose alias is `c`. */
export interface Selection {
  readonly from: string
  readonly choices: ReadonlyArray<Choice>
  /** Bounds of `created_at`, of columns in the index. */
  readonly bounds: ReadonlyArray<string>
  /** The tenant, and what no leading column decides. */
  readonly conditions: ReadonlyArray<string>
  /** Whether the table's lists have samples. */
  readonly isSampled: boolean
}

/** More combinations than this are not read one by one: the database reads the rows of all and sorts them. */
const combinationsMax = 2000

/**
 * The number of records of a sample that a list of `totalCountMax` does not have: of 10,000 records it expects 312, and has 500 with a
 * probability of less than 10^-20.
 */
const sampleMin = 500

const and = (conditions: ReadonlyArray<string>): string => conditions.join(" and ")

const oneOf = ({ column, values }: Choice, bind: Bind): string =>
  values.length === 1 ? `${column} = ${bind(values[0] ?? null)}` : `${column} = any (${bind(values)}::text[])`

/** Selects the positions of a page's records as `k`, in no order. */
export const positions = (
  { bounds, choices, conditions, from }: Selection,
  { after, limit, order }: Page.PageRequest,
  bind: Bind,
): string => {
  const direction = order === "asc" ? "asc" : "desc"
  const beyond = order === "asc" ? ">" : "<"
  const combinations = choices.reduce((product, { values }) => product * values.length, 1)
  const merged = combinations > combinationsMax ? [] : choices.filter(({ values }) => values.length > 1)
  const tests = choices.map((choice) => {
    const at = merged.indexOf(choice)
    return at < 0 ? oneOf(choice, bind) : `${choice.column} = v${at}.value`
  })
  const cursor =
    after === undefined
      ? []
      : [`(c.created_at, c.id) ${beyond} (${bind(after.createdAt)}::bigint, ${bind(after.id)}::text)`]
  const count = `${bind(limit)}::int`
  const sorted = (alias: string) => `order by ${alias}.created_at ${direction}, ${alias}.id ${direction} limit ${count}`
  const scan = `select c.created_at, c.id from ${from} where ${and([...conditions, ...tests, ...bounds, ...cursor])} ${sorted("c")}`
  if (merged.length === 0) return `(${scan}) k`
  const values = merged.map((choice, at) => `unnest(${bind(choice.values)}::text[]) v${at} (value)`)
  return `(select l.created_at, l.id from ${values.join(" cross join ")} cross join lateral (${scan}) l ${sorted("l")}) k`
}

/**
 * Counts the list up to one more than the largest total count. A list that is longer by a half is recognized by its sample, so that its length
 * costs nothing.
 */
export const countOf = ({ bounds, choices, conditions, from, isSampled }: Selection, bind: Bind): string => {
  // Without bounds, the open columns after the last other one need no test: the ones before find the records.
  const needed =
    bounds.length > 0 ? choices : choices.slice(0, choices.findLastIndex(({ isOpen }) => isOpen !== true) + 1)
  const tests = needed.map((choice) => oneOf(choice, bind))
  const where = [...conditions, ...tests, ...bounds]
  const upTo = (limit: number, more: ReadonlyArray<string>) =>
    `(select count(*) from (select from ${from} where ${and([...where, ...more])} limit ${limit}) n)`
  const whole = upTo(Page.totalCountMax + 1, [])
  return isSampled
    ? `case when ${upTo(sampleMin, [inSample("c.")])} = ${sampleMin} then ${Page.totalCountMax + 1} else ${whole} end`
    : whole
}
