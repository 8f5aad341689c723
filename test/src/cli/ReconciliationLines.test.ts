/** A reconciliation as tables of a terminal. Source: D-535. */
import type { ReconciliationFinding, ReconciliationResponse } from "@countersign/core/models"
import { describe, expect, it } from "vitest"
import { reconciliationLines } from "../../../packages/cli/src/reconcile/ReconciliationLines.ts"

const found: ReconciliationResponse = {
  asOf: "2026-01-31T12:00:00Z",
  agrees: true,
  from: "2026-01-30",
  to: "2026-01-31",
  banks: [{ name: "euros", account: "DE02" }],
  days: [],
  totals: [],
  findings: [],
  findingsCount: 0,
}
const finding: ReconciliationFinding = {
  verdict: "SUSPICIOUS",
  kind: "LINE",
  day: "2026-01-31",
  bank: "euros",
  problem: "AMOUNT_DIFFERS",
  meaning: "the amounts differ",
  statementId: "S1",
  currency: "EUR",
  decimals: 2,
  amount: 1_250,
  direction: "OUT",
}
const linesOf = (changes: Partial<ReconciliationResponse>) => reconciliationLines({ ...found, ...changes }).split("\n")
/** The cells of a line, which two spaces or more separate. */
const cells = (line: string | undefined) => line?.trim().split(/ {2,}/u)

describe("a reconciliation", () => {
  it("of no bank says so", () => {
    expect(linesOf({ banks: [], agrees: false })).toEqual(["no bank is reconciled here"])
  })

  it("without activity is its heading", () => {
    expect(linesOf({})).toEqual(["2026-01-30 to 2026-01-31: everything agrees"])
    expect(linesOf({ agrees: false })).toEqual(["2026-01-30 to 2026-01-31: something does not agree"])
  })

  it("has a table of days, with the account of each bank", () => {
    const day = { day: "2026-01-31", matched: 1, unmatched: 22, suspicious: 3, orders: 4, open: 5, suspiciousOrders: 6 }
    const days = [
      { ...day, bank: "euros" },
      { ...day, bank: "other" },
    ]
    expect(linesOf({ days })).toEqual([
      "2026-01-30 to 2026-01-31: everything agrees",
      "",
      "day         bank   account  matched  unmatched  suspicious  orders  open  suspicious orders",
      "2026-01-31  euros  DE02           1         22           3       4     5                  6",
      "2026-01-31  other                 1         22           3       4     5                  6",
    ])
  })

  it("has a table of sums in the unit of each currency", () => {
    const total = { bank: "euros", currency: "EUR", decimals: 2, orders: "-5", ledger: "100", open: "0" }
    const totals = [
      { ...total, direction: "IN", statement: "125000", agrees: true },
      { ...total, direction: "OUT", currency: "JPY", decimals: 0, agrees: false },
    ] as const
    expect(linesOf({ totals }).slice(2)).toEqual([
      "bank   direction            statements     orders    ledger      open",
      "euros  IN         agrees   1250.00 EUR  -0.05 EUR  1.00 EUR  0.00 EUR",
      "euros  OUT        DIFFERS            -     -5 JPY   100 JPY     0 JPY",
    ])
  })

  it("has a table of findings, each with its subject and the sign of its direction", () => {
    const { bank: _bank, meaning: _meaning, problem: _problem, statementId: _statement, ...bare } = finding
    const findings = [
      finding,
      { ...finding, transactionId: "Transaction:1" },
      { ...bare, verdict: "OPEN", kind: "ORDER", direction: "IN" } as const,
    ]
    const lines = linesOf({ findings, findingsCount: 3 })
    expect(lines).toHaveLength(8)
    expect(lines.slice(2, 5).map(cells)).toEqual([
      ["verdict", "of", "day", "bank", "problem", "transaction or statement", "amount"],
      ["SUSPICIOUS", "LINE", "2026-01-31", "euros", "AMOUNT_DIFFERS", "statement S1", "-12.50 EUR"],
      ["SUSPICIOUS", "LINE", "2026-01-31", "euros", "AMOUNT_DIFFERS", "Transaction:1", "-12.50 EUR"],
    ])
    expect(cells(lines[5])).toEqual(["OPEN", "ORDER", "2026-01-31", "+12.50 EUR"])
    expect(lines.slice(6)).toEqual(["", "AMOUNT_DIFFERS: the amounts differ"])
  })

  it("aligns the amounts of findings to the right", () => {
    const lines = linesOf({ findings: [finding, { ...finding, amount: 5 }], findingsCount: 2 })
    expect(lines[4]).toHaveLength(lines[3]?.length ?? 0)
    expect(lines[4]).toMatch(/ {3}-0\.05 EUR$/u)
  })

  it("explains each problem once, and says how many findings are left out", () => {
    const findings = [finding, finding, { ...finding, problem: "UNKNOWN" }]
    const ends = (findingsCount: number) => linesOf({ findings, findingsCount }).slice(6)
    expect(ends(3)).toEqual(["", "AMOUNT_DIFFERS: the amounts differ", "UNKNOWN: the amounts differ"])
    expect(ends(4).slice(0, 2)).toEqual(["", "1 more are not shown: choose a shorter period or one bank"])
    const { meaning: _, ...unexplained } = finding
    expect(linesOf({ findings: [unexplained], findingsCount: 1 }).at(-1)).toBe("AMOUNT_DIFFERS: ")
  })

  it("shows control characters of a bank's texts as escapes", () => {
    const line = linesOf({ findings: [{ ...finding, statementId: "S\u001b[1m" }], findingsCount: 1 })[3]
    expect(cells(line)).toContain("statement S\\u001b[1m")
  })
})
