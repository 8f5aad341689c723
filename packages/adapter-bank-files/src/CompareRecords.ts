/** The lines and orders of a bank as a reconciliation of the service sees them: each with its verdict. Pure. Source: D-535. */
import type { BankComparison, BankPeriod, ComparedLine, ComparedOrder, LedgerFact } from "@countersign/core/ports"
import { Duration } from "effect"
import type { Bank } from "./Bank.ts"
import { instantOf, localDate } from "./calendar/BankCalendar.ts"
import type { BankLine } from "./orders/BankFile.ts"
import type { BankOrder } from "./orders/BankOrder.ts"
import { isForward, orderIndex, orderOf } from "./orders/Matching.ts"
import { type BankRecords, missingAfterDaysDefault } from "./ReconcileBank.ts"
import type { Reconciliation } from "./reconciliation/Finding.ts"
import { reconcile } from "./reconciliation/Reconcile.ts"

/** The outcome of an order is reported by the next cycles. */
const ledgerAfterMillis = Duration.toMillis(Duration.minutes(10))

/** How often the bank has moved the money of each order, less how often it came back. */
const movesOf = (found: Reconciliation, orders: ReadonlyMap<string, BankOrder>): ReadonlyMap<string, number> => {
  const moves = new Map<string, number>()
  const move = (line: BankLine, reference: string) => {
    const order = orders.get(reference)
    if (order === undefined) return
    const isBack = !isForward(line, order)
    if (!isBack && !line.isMovement) return
    moves.set(reference, (moves.get(reference) ?? 0) + (isBack ? -1 : 1))
  }
  for (const { line, references } of found.matched) for (const reference of references) move(line, reference)
  for (const { line, reference } of found.suspicious) if (reference !== undefined) move(line, reference)
  return moves
}

export const compareRecords = (
  bank: Bank,
  { lines, orders }: BankRecords,
  facts: ReadonlyArray<LedgerFact>,
  { from, to }: BankPeriod,
  now: number,
): BankComparison => {
  const found = reconcile({
    lines,
    orders,
    from: instantOf(bank.calendar, from, "00:00"),
    now,
    missingAfterMillis: Duration.toMillis(Duration.days(missingAfterDaysDefault)),
    confirms: bank.format.confirms,
    ledger: facts,
    ledgerAfterMillis,
  })
  const byReference = new Map(orders.map((order) => [order.reference, order]))
  const index = orderIndex(byReference.values())
  const owned = (references: ReadonlyArray<string>) =>
    references.flatMap((reference) => {
      const order = byReference.get(reference)
      return order === undefined ? [] : [{ reference, platformId: order.platformId }]
    })
  const base = ({ amount, bookedOn, currency, isCredit, statementId }: BankLine) => ({
    statementId,
    day: bookedOn,
    currency,
    amount,
    isCredit,
  })
  /** The order that a line names, whether or not it agrees with it. */
  const namedBy = (line: BankLine, reference: string | undefined): ReadonlyArray<string> => {
    const named = reference ?? orderOf(index, line.orderIds)?.reference
    if (line.batchId === undefined) return named === undefined ? [] : [named]
    const ofBatch = orders.filter(({ batchId }) => batchId === line.batchId).map((order) => order.reference)
    return [...new Set([...(named === undefined ? [] : [named]), ...ofBatch])]
  }
  const compared: ReadonlyArray<ComparedLine> = [
    ...found.matched.map(
      ({ line, references }): ComparedLine => ({ ...base(line), verdict: "MATCHED", orders: owned(references) }),
    ),
    ...found.unmatched.map((line): ComparedLine => ({ ...base(line), verdict: "UNMATCHED", orders: [] })),
    ...found.suspicious.map(({ line, problem, reference }): ComparedLine => {
      return { ...base(line), verdict: "SUSPICIOUS", problem, orders: owned(namedBy(line, reference)) }
    }),
  ]
  const moves = movesOf(found, byReference)
  const executed = new Map(facts.map(({ isExecuted, reference }) => [reference, isExecuted === true]))
  const asCompared = (
    reference: string,
    verdict: ComparedOrder["verdict"],
    problem?: string,
  ): ReadonlyArray<ComparedOrder> => {
    const order = byReference.get(reference)
    if (order === undefined) return []
    const { acceptedAt, amount, currency, direction, platformId, state } = order
    return [
      {
        reference,
        platformId,
        direction,
        currency,
        amount,
        day: localDate(bank.calendar, acceptedAt),
        verdict,
        ...(problem === undefined ? {} : { problem }),
        isExecuted: state === "BOOKED",
        ...(bank.format.confirms ? { isOnStatement: (moves.get(reference) ?? 0) > 0 } : {}),
        isInLedger: executed.get(reference) ?? false,
      },
    ]
  }
  const comparedOrders = [
    ...found.orders.agreed.flatMap((reference) => asCompared(reference, "AGREED")),
    ...found.orders.open.flatMap((reference) => asCompared(reference, "OPEN")),
    ...found.orders.suspicious.flatMap(({ problem, reference }) => asCompared(reference, "SUSPICIOUS", problem)),
  ]
  const isWithin = ({ day }: { readonly day: string }) => day >= from && day <= to
  return { lines: compared.filter(isWithin), orders: comparedOrders.filter(isWithin) }
}
