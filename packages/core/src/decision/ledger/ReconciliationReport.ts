/**
 * The reconciliation that a platform may see: its own orders, and the lines about them alone. Lines that are about no order belong to the
 * deployment, and only a platform that is alone sees them.
 * Source: D-535.
 */
import { iso } from "../../foundation/kit/Instant.ts"
import { Currencies } from "../../foundation/money/Currencies.ts"
import type { ReconciliationFinding, ReconciliationResponse } from "../../model/ledger/ReconciliationResource.ts"
import type {
  BankComparison,
  BankPeriod,
  BankReconciliation,
  ComparedLine,
  ComparedOrder,
  OwnedOrder,
  SubmittedPayment,
} from "../../ports/BankReconciliation.ts"
import { totalsOf } from "./ReconciliationTotals.ts"

export interface ReconciliationInput {
  readonly period: BankPeriod
  readonly now: number
  readonly banks: BankReconciliation["banks"]
  readonly meanings: BankReconciliation["problems"]
  readonly comparisons: ReadonlyArray<BankComparison & { readonly bank: string }>
  /** Of the platform itself. */
  readonly withoutOrder: ReadonlyArray<SubmittedPayment>
  readonly platformId: string
  readonly isAlone: boolean
}

const findingsMax = 500

const decimalsOf = (currency: string): number => Currencies.find(currency)?.decimals ?? 2

/** What the platform may see of a comparison. */
const confine = ({ lines, orders }: BankComparison, platformId: string, isAlone: boolean): BankComparison => {
  if (isAlone) return { lines, orders }
  const isOwn = (order: OwnedOrder) => order.platformId === platformId
  return {
    orders: orders.filter(isOwn),
    // The total of a file of several platforms would show one of them the sum of another.
    lines: lines.filter((line) => line.orders.length > 0 && line.orders.every(isOwn)),
  }
}

const moneyOf = ({ amount, currency }: { readonly amount: number; readonly currency: string }) => ({
  amount,
  currency,
  decimals: decimalsOf(currency),
})

const dayOf = (millis: number): string => iso(millis).slice(0, 10)

const countBy = <A extends { readonly verdict: string }>(all: ReadonlyArray<A>, verdict: A["verdict"]): number =>
  all.filter((each) => each.verdict === verdict).length

export const toReconciliation = (input: ReconciliationInput): ReconciliationResponse => {
  const { banks, comparisons, isAlone, meanings, now, period, platformId, withoutOrder } = input
  const own = comparisons.map(({ bank, ...comparison }) => ({ bank, ...confine(comparison, platformId, isAlone) }))

  const reasonOf = (problem: string | undefined) => {
    if (problem === undefined) return {}
    const meaning = meanings[problem]
    return { problem, ...(meaning === undefined ? {} : { meaning }) }
  }
  const ofLine = (bank: string, line: ComparedLine): ReadonlyArray<ReconciliationFinding> => {
    const { day, isCredit, orders, problem, statementId, verdict } = line
    if (verdict === "MATCHED") return []
    const [first] = orders
    const named = first === undefined ? {} : { transactionId: first.reference }
    const direction = isCredit ? "IN" : "OUT"
    return [
      { kind: "LINE", verdict, bank, day, ...moneyOf(line), direction, ...reasonOf(problem), ...named, statementId },
    ]
  }
  const ofOrder = (bank: string, order: ComparedOrder): ReadonlyArray<ReconciliationFinding> => {
    const { day, problem, reference, verdict } = order
    if (verdict === "AGREED") return []
    const direction = order.direction === "pull" ? "IN" : "OUT"
    return [
      {
        kind: "ORDER",
        verdict,
        bank,
        day,
        ...moneyOf(order),
        direction,
        ...reasonOf(problem),
        transactionId: reference,
      },
    ]
  }
  const ofPayment = ({ account, amount, direction, reference, submittedAt }: SubmittedPayment) =>
    ({
      kind: "TRANSACTION",
      verdict: "SUSPICIOUS",
      day: dayOf(submittedAt),
      ...moneyOf({ amount, currency: account.currency }),
      direction: direction === "pull" ? "IN" : "OUT",
      problem: "ORDER_MISSING",
      meaning: "No bank has an order of the transaction.",
      transactionId: reference,
    }) satisfies ReconciliationFinding

  const found: ReadonlyArray<ReconciliationFinding> = [
    ...own.flatMap(({ bank, lines }) => lines.flatMap((line) => ofLine(bank, line))),
    ...own.flatMap(({ bank, orders }) => orders.flatMap((order) => ofOrder(bank, order))),
    ...withoutOrder.map(ofPayment),
  ]
  const findings = (["SUSPICIOUS", "UNMATCHED", "OPEN"] as const).flatMap((verdict) =>
    found.filter((each) => each.verdict === verdict),
  )
  const days = own.flatMap(({ bank, lines, orders }) => {
    const named = [...new Set([...lines, ...orders].map(({ day }) => day))].toSorted()
    return named.map((day) => {
      const ofDay = lines.filter((line) => line.day === day)
      const accepted = orders.filter((order) => order.day === day)
      return {
        bank,
        day,
        matched: countBy(ofDay, "MATCHED"),
        unmatched: countBy(ofDay, "UNMATCHED"),
        suspicious: countBy(ofDay, "SUSPICIOUS"),
        orders: accepted.length,
        open: countBy(accepted, "OPEN"),
        suspiciousOrders: countBy(accepted, "SUSPICIOUS"),
      }
    })
  })
  const totals = own.flatMap(({ bank, orders }) => totalsOf(bank, orders))
  const isQuiet = findings.every(({ verdict }) => verdict !== "SUSPICIOUS")
  return {
    asOf: iso(now),
    ...period,
    banks,
    agrees: isQuiet && totals.every(({ agrees }) => agrees),
    days,
    totals: totals.map((total) => ({ ...total, decimals: decimalsOf(total.currency) })),
    findings: findings.slice(0, findingsMax),
    findingsCount: findings.length,
  }
}
