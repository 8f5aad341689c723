/** What the scans of a statement read, as the database explains it. */
import type { Parameter, Statement } from "../../../packages/adapter-postgres/src/connection/Connection.ts"

interface Plan {
  readonly "Node Type": string
  readonly "Relation Name"?: string
  readonly "Actual Rows": number
  readonly "Actual Loops": number
  readonly "Rows Removed by Filter"?: number
  readonly "Rows Removed by Index Recheck"?: number
  readonly "Heap Fetches"?: number
  readonly Plans?: ReadonlyArray<Plan>
}

/** What the scans of a plan read. */
export interface Reads {
  /** Records that were read from the table. */
  readonly fetched: number
  /** Entries that were read from an index alone. */
  readonly entries: number
  /** Records and entries that were read without use. */
  readonly discarded: number
}

const scansOf = (plan: Plan): ReadonlyArray<Plan> => [
  ...(plan["Relation Name"] === undefined ? [] : [plan]),
  ...(plan.Plans ?? []).flatMap(scansOf),
]

const readsOf = (plan: Plan): Reads => {
  const sum = (of: (scan: Plan) => number) =>
    Math.round(scansOf(plan).reduce((total, scan) => total + of(scan) * scan["Actual Loops"], 0))
  const isIndexOnly = (scan: Plan) => scan["Node Type"] === "Index Only Scan"
  return {
    fetched: sum((scan) => (isIndexOnly(scan) ? (scan["Heap Fetches"] ?? 0) : scan["Actual Rows"])),
    entries: sum((scan) => (isIndexOnly(scan) ? scan["Actual Rows"] : 0)),
    discarded: sum((scan) => (scan["Rows Removed by Filter"] ?? 0) + (scan["Rows Removed by Index Recheck"] ?? 0)),
  }
}

/** Explains the statement while it runs. `query` returns the first column of the first row. */
export const explained = async (
  query: (text: string, values: Array<Parameter>) => Promise<unknown>,
  { text, values }: Statement,
): Promise<Reads> => {
  const [explanation] = (await query(`explain (analyze, timing off, format json) ${text}`, [
    ...values,
  ])) as ReadonlyArray<{
    readonly Plan: Plan
  }>
  if (explanation === undefined) throw new Error("no plan")
  return readsOf(explanation.Plan)
}
