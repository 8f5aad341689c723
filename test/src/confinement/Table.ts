/** All rows, and the row of a request. Source: `Row.ts`. */
import { agentRows } from "./AgentRows.ts"
import { customerRows } from "./CustomerRows.ts"
import { moneyRows } from "./MoneyRows.ts"
import { operatorRows } from "./OperatorRows.ts"
import type { Row } from "./Row.ts"
import { sandboxRows } from "./SandboxRows.ts"

export const table: ReadonlyArray<Row> = [...agentRows, ...moneyRows, ...customerRows, ...operatorRows, ...sandboxRows]

/** A path without parameters comes before one whose parameter would match it. */
const byGenerality = (a: Row, b: Row) => a.path.split("{").length - b.path.split("{").length

const patterns = table
  .toSorted(byGenerality)
  .map((row) => ({ row, pattern: new RegExp(`^${row.path.replaceAll(/\{\w+\}/gu, "[^/]+")}$`, "u") }))

/** Returns the row of a request. `path` may have a query. */
export const rowOf = (method: string, path: string): Row => {
  const [bare = ""] = path.split("?")
  const found = patterns.find(({ pattern, row }) => row.method === method && pattern.test(bare))
  if (found === undefined) throw new Error(`no row for ${method} ${path}`)
  return found.row
}
