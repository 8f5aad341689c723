/** A reconciliation as a text table for a person: what needs attention, and how much agrees. Source: D-530. */
import type { BankLine } from "../orders/BankFile.ts"
import { lineProblems, orderProblems, type Reconciliation } from "./Finding.ts"

const meanings: Readonly<Record<string, string>> = { ...lineProblems, ...orderProblems }

/** Text of a bank may have control characters, which a terminal would obey. */
const printable = (text: string): string => text.replaceAll(/[^\x20-\x7e\u00a0-\uffff]/gu, "?").slice(0, 60)

const aligned = (rows: ReadonlyArray<ReadonlyArray<string>>): string => {
  const cells = rows.map((row) => row.map(printable))
  const widths = (cells[0] ?? []).map((_, column) => Math.max(...cells.map((row) => row[column]?.length ?? 0)))
  return cells
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join("  ")
        .trimEnd(),
    )
    .join("\n")
}

const lineCells = ({ amount, bookedOn, currency, isCredit, statementId }: BankLine): ReadonlyArray<string> => [
  bookedOn,
  `${isCredit ? "+" : "-"}${amount} ${currency}`,
  statementId,
]

export const reconciliationTable = ({ matched, orders, suspicious, unmatched }: Reconciliation): string => {
  const summary = aligned([
    ["", "agree", "open", "unmatched", "suspicious"],
    ["lines", String(matched.length), "", String(unmatched.length), String(suspicious.length)],
    ["orders", String(orders.agreed.length), String(orders.open.length), "", String(orders.suspicious.length)],
  ])
  const lines = suspicious.map(({ line, problem, reference = "" }) => [problem, ...lineCells(line), reference])
  const others = unmatched.map((line) => ["UNMATCHED", ...lineCells(line), line.orderIds[0] ?? ""])
  const wrong = orders.suspicious.map(({ problem, reference }) => [problem, "", "", "", reference])
  const found = [...lines, ...wrong, ...others]
  if (found.length === 0) return `${summary}\n`
  const kinds = [...new Set(found.map(([problem = ""]) => problem))].filter((kind) => kind in meanings)
  const legend = kinds.map((kind) => `${kind}: ${meanings[kind]}`)
  const table = aligned([["problem", "day", "amount (smallest unit)", "statement", "order"], ...found])
  return `${[summary, table, ...(legend.length === 0 ? [] : [legend.join("\n")])].join("\n\n")}\n`
}
