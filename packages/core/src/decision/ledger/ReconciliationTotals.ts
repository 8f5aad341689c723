/**
 * What has moved by currency and direction, by the orders, the ledger and the statements. Orders that are not due are summed apart.
 * Source: D-535.
 */
import type { ComparedOrder } from "../../ports/BankReconciliation.ts"

const sumOf = (orders: ReadonlyArray<ComparedOrder>): bigint =>
  orders.reduce((total, { amount }) => total + BigInt(amount), 0n)

export const totalsOf = (bank: string, orders: ReadonlyArray<ComparedOrder>) =>
  [...Map.groupBy(orders, ({ currency, direction }) => `${currency} ${direction}`).values()].flatMap((group) => {
    const [first] = group
    if (first === undefined) return []
    const due = group.filter(({ verdict }) => verdict !== "OPEN")
    const byOrders = sumOf(due.filter(({ isExecuted }) => isExecuted))
    const byLedger = sumOf(due.filter(({ isInLedger }) => isInLedger))
    const byStatement = due.every(({ isOnStatement }) => isOnStatement === undefined)
      ? undefined
      : sumOf(due.filter(({ isOnStatement }) => isOnStatement === true))
    return [
      {
        bank,
        currency: first.currency,
        direction: first.direction === "pull" ? ("IN" as const) : ("OUT" as const),
        ...(byStatement === undefined ? {} : { statement: String(byStatement) }),
        orders: String(byOrders),
        ledger: String(byLedger),
        open: String(sumOf(group.filter(({ verdict }) => verdict === "OPEN"))),
        agrees: byOrders === byLedger && (byStatement === undefined || byStatement === byOrders),
      },
    ]
  })
