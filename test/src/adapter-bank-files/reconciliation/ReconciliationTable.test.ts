/** The table of a reconciliation, as a person reads it. */
import type { BankLine } from "@countersign/adapter-bank-files"
import { expect, it } from "vitest"
import {
  lineProblems,
  orderProblems,
  type Reconciliation,
} from "../../../../packages/adapter-bank-files/src/reconciliation/Finding.ts"
import { reconciliationTable } from "../../../../packages/adapter-bank-files/src/reconciliation/ReconciliationTable.ts"
import { exampleLine } from "../ExampleRows.ts"

const line = (more: Partial<BankLine> = {}) =>
  exampleLine("K", { bookedOn: "2026-03-04", amount: 500, orderIds: [], ...more })
const nothing: Reconciliation = {
  matched: [],
  unmatched: [],
  suspicious: [],
  orders: { agreed: [], open: [], suspicious: [] },
}

it("has only a summary if everything agrees", () => {
  const found: Reconciliation = {
    ...nothing,
    matched: [{ line: line(), references: ["Transaction:1"] }],
    orders: { agreed: ["Transaction:1", "Transaction:2"], open: ["Transaction:3"], suspicious: [] },
  }
  expect(reconciliationTable(found)).toBe(
    [
      "        agree  open  unmatched  suspicious",
      "lines   1            0          0",
      "orders  2      1                0",
      "",
    ].join("\n"),
  )
})

it("has suspicious lines, suspicious orders and other lines, and what their problems mean", () => {
  const found: Reconciliation = {
    ...nothing,
    suspicious: [
      { line: line(), problem: "DOUBLED", reference: "Transaction:1" },
      { line: line({ statementId: "S22", isCredit: true }), problem: "AMBIGUOUS" },
    ],
    unmatched: [line({ amount: 7, orderIds: ["E9", "E8"] }), line({ bookedOn: "2026-03-05" })],
    orders: { agreed: [], open: [], suspicious: [{ reference: "Transaction:2", problem: "MISSING" }] },
  }
  expect(reconciliationTable(found)).toBe(
    [
      "        agree  open  unmatched  suspicious",
      "lines   0            2          2",
      "orders  0      0                1",
      "",
      "problem    day         amount (smallest unit)  statement  order",
      "DOUBLED    2026-03-04  -500 EUR                S1         Transaction:1",
      "AMBIGUOUS  2026-03-04  +500 EUR                S22",
      "MISSING                                                   Transaction:2",
      "UNMATCHED  2026-03-04  -7 EUR                  S1         E9",
      "UNMATCHED  2026-03-05  -500 EUR                S1",
      "",
      "DOUBLED: An earlier line moved the money of the same order in the same direction.",
      "AMBIGUOUS: The ids of the line name different orders.",
      "MISSING: No line has moved the order's money, although it is overdue.",
      "",
    ].join("\n"),
  )
})

it("has no legend for lines of others", () => {
  const table = reconciliationTable({ ...nothing, unmatched: [line()] })
  expect(table.endsWith("UNMATCHED  2026-03-04  -500 EUR                S1\n")).toBe(true)
})

it("shows no character that a terminal obeys, and cuts long texts", () => {
  const unmatched = [line({ statementId: "\u001b[31mred\u007f\u0085é", orderIds: ["x".repeat(61)] })]
  const table = reconciliationTable({ ...nothing, unmatched })
  expect(table).toContain(`  ?[31mred??é  ${"x".repeat(60)}\n`)
})

it("has a sentence for each problem", () => {
  expect(Object.keys(lineProblems)).toEqual([
    "AMBIGUOUS",
    "UNKNOWN_REFERENCE",
    "AMOUNT_DIFFERS",
    "DOUBLED",
    "CONTRADICTION",
  ])
  expect(Object.keys(orderProblems)).toEqual([
    "MISSING",
    "NOT_RETURNED",
    "LEDGER_MISSING",
    "LEDGER_AMOUNT",
    "LEDGER_STATE",
  ])
  for (const text of Object.values({ ...lineProblems, ...orderProblems })) expect(text).toMatch(/^[A-Z].{20,}\.$/u)
})
