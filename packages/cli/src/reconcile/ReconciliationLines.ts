/** A reconciliation as tables for a terminal: the days, the sums, and what needs attention. Source: D-535. */
import { decimalText, type ReconciliationFinding, type ReconciliationResponse } from "@countersign/core/models"
import * as TextTable from "../TextTable.ts"

const sum = (amount: string, decimals: number, currency: string): string =>
  `${decimalText(BigInt(amount), decimals)} ${currency}`

const subjectOf = ({ statementId = "", transactionId }: ReconciliationFinding): string =>
  transactionId ?? (statementId === "" ? "" : `statement ${statementId}`)

const findingRow = (finding: ReconciliationFinding): ReadonlyArray<string> => {
  const { amount, bank = "", currency, day, decimals, direction, kind, problem = "", verdict } = finding
  const money = sum(String(amount), decimals, currency)
  return [verdict, kind, day, bank, problem, subjectOf(finding), `${direction === "IN" ? "+" : "-"}${money}`]
}

const daysTable = ({ banks, days }: ReconciliationResponse): string => {
  const accounts = new Map(banks.map(({ account, name }) => [name, account]))
  return TextTable.make(
    ["day", "bank", "account", "matched", "unmatched", "suspicious", "orders", "open", "suspicious orders"],
    days.map(({ bank, day, matched, open, orders, suspicious, suspiciousOrders, unmatched }) => [
      day,
      bank,
      accounts.get(bank) ?? "",
      ...[matched, unmatched, suspicious, orders, open, suspiciousOrders].map(String),
    ]),
    3,
  )
}

const totalsTable = ({ totals }: ReconciliationResponse): string =>
  TextTable.make(
    ["bank", "direction", "", "statements", "orders", "ledger", "open"],
    totals.map(({ agrees, bank, currency, decimals, direction, ledger, open, orders, statement }) => [
      bank,
      direction,
      agrees ? "agrees" : "DIFFERS",
      statement === undefined ? "-" : sum(statement, decimals, currency),
      ...[orders, ledger, open].map((amount) => sum(amount, decimals, currency)),
    ]),
    3,
  )

export const reconciliationLines = (found: ReconciliationResponse): string => {
  const { banks, findings, findingsCount, from, to } = found
  if (banks.length === 0) return "no bank is reconciled here"
  const heading = `${from} to ${to}: ${found.agrees ? "everything agrees" : "something does not agree"}`
  const meanings = new Map(
    findings.flatMap(({ meaning, problem }) => (problem === undefined ? [] : [[problem, meaning]])),
  )
  const legend = [...meanings].map(([problem, meaning = ""]) => `${problem}: ${meaning}`)
  const hidden = findingsCount - findings.length
  const listed = TextTable.make(
    ["verdict", "of", "day", "bank", "problem", "transaction or statement", "amount"],
    findings.map(findingRow),
    6,
  )
  return [
    heading,
    ...(found.days.length === 0 ? [] : [daysTable(found)]),
    ...(found.totals.length === 0 ? [] : [totalsTable(found)]),
    ...(findings.length === 0 ? [] : [listed]),
    ...(hidden > 0 ? [`${hidden} more are not shown: choose a shorter period or one bank`] : []),
    ...(legend.length === 0 ? [] : [legend.join("\n")]),
  ].join("\n\n")
}
