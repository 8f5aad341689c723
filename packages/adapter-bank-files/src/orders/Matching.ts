/** Which order a line or notice of a bank is about, and what it says about it. Pure. Source: D-530. */
import type { BankLine } from "./BankFile.ts"
import type { BankOrder } from "./BankOrder.ts"
import type { OrderEvent } from "./OrderEvent.ts"

type Ids = ReadonlyArray<string>

const idsOf = ({ endToEndId, individualId, traceNumber }: BankOrder): Ids =>
  traceNumber === undefined ? [endToEndId, individualId] : [endToEndId, individualId, traceNumber]

/** Finds orders by their ids. */
export const orderIndex = (orders: Iterable<BankOrder>): ReadonlyMap<string, ReadonlyArray<BankOrder>> => {
  const index = new Map<string, Array<BankOrder>>()
  for (const order of orders) {
    for (const id of idsOf(order)) {
      const known = index.get(id)
      if (known === undefined) index.set(id, [order])
      else known.push(order)
    }
  }
  return index
}

/** The order that ids name; `undefined`: they name none, or several, because trace numbers begin again after ten million. */
export const orderOf = (index: ReadonlyMap<string, ReadonlyArray<BankOrder>>, ids: Ids): BankOrder | undefined => {
  const found = new Map(ids.flatMap((id) => index.get(id) ?? []).map((order) => [order.reference, order]))
  const all = [...found.values()]
  if (all.length <= 1) return all[0]
  const exact = all.filter((order) => ids.every((id) => idsOf(order).includes(id)))
  return exact.length === 1 ? exact[0] : undefined
}

/** Whether a line moves money as its order does, and not back. */
export const isForward = ({ isCredit }: BankLine, { direction }: BankOrder): boolean =>
  isCredit === (direction === "pull")

export const hasAmountOf = (line: BankLine, { amount, currency }: BankOrder): boolean =>
  line.amount === amount && line.currency === currency

/** What a line says about its order; `undefined`: nothing that the order may follow. */
export const eventOfLine = (line: BankLine, order: BankOrder): OrderEvent | undefined => {
  if (!hasAmountOf(line, order)) return undefined
  if (isForward(line, order)) return line.isMovement && !line.isReturn ? { _tag: "Confirmed" } : undefined
  const { code = "NARR", refusal } = line
  return refusal === undefined ? undefined : { _tag: "Returned", code, refusal }
}

/** The orders that the total of a file stands for: those that the bank did not reject. */
export const ordersOfTotal = (orders: ReadonlyArray<BankOrder>): ReadonlyArray<BankOrder> =>
  orders.filter(({ state }) => state !== "REJECTED")

/** Whether the total of a file is the sum of its orders. */
export const isTotalOf = (line: BankLine, orders: ReadonlyArray<BankOrder>): boolean => {
  const counted = ordersOfTotal(orders)
  const sum = counted.reduce((total, { amount }) => total + amount, 0)
  const isSame = counted.every((order) => order.currency === line.currency && isForward(line, order))
  return counted.length > 0 && isSame && sum === line.amount
}
