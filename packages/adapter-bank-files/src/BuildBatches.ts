/**
 * Closes the batches of a cut-off that has passed. A transaction builds one file: it fixes the content, and takes the orders out of the
 * queue. A process that dies in it leaves the orders waiting.
 * Source: D-530.
 */
import { Clock, Effect } from "effect"
import type { Bank } from "./Bank.ts"
import { businessDayAfter, type CutOff, instantOf, lastCutOff, localDate, localTime } from "./calendar/BankCalendar.ts"
import type { BankFileStore, BankRows } from "./orders/BankFileStore.ts"
import type { BankOrder } from "./orders/BankOrder.ts"

export const bankLock = ({ name }: Bank): string => `bank ${name}`

/** The first orders whose sum a file can name. The others are in the next one. */
const upTo = (sumMax: number, orders: ReadonlyArray<BankOrder>): ReadonlyArray<BankOrder> => {
  let sum = 0
  const end = orders.findIndex(({ amount }) => {
    sum += amount
    return sum > sumMax
  })
  return end < 0 ? orders : orders.slice(0, end)
}

const buildOne = Effect.fnUntraced(function* (bank: Bank, cutOff: CutOff, now: number, rows: BankRows) {
  const { calendar, format, name } = bank
  yield* rows.lock(bankLock(bank))
  const waiting = yield* rows.waiting(name, cutOff.at, bank.ordersPerFileMax)
  const [first] = waiting
  if (first === undefined) return undefined
  const kind = format.kindOf(first)
  const orders = upTo(
    format.sumMax,
    waiting.filter((order) => format.kindOf(order) === kind),
  )
  const [number = 0] = yield* rows.numbers("batch", 1)
  const numbers = yield* rows.numbers(`entry ${name}`, orders.length)
  const part = (yield* rows.lastPart(name, cutOff.at, kind)) + 1
  const batchId = format.batchIdOf(number)
  // After an interruption the cut-off may be of an earlier day: a bank executes nothing in the past.
  const date = businessDayAfter(calendar, localDate(calendar, now), 0)
  const nextDate = businessDayAfter(calendar, date, 1)
  const createdLocal = localTime(calendar, now)
  const { content, traceNumbers } = format.write({
    batchId,
    createdAt: now,
    createdLocal,
    date,
    nextDate,
    orders,
    numbers,
  })
  const fileName = `${batchId}.${format.extension}`
  yield* rows.addBatch({ id: batchId, bank: name, cutOff: cutOff.at, kind, part, fileName, content, state: "BUILT" })
  const batched = orders.map((order, at): BankOrder => {
    const traceNumber = traceNumbers?.[at]
    const settlesOn = businessDayAfter(calendar, date, format.settlementDays[order.direction])
    return {
      ...order,
      state: "BATCHED",
      batchId,
      changedAt: now,
      ...(traceNumber === undefined ? {} : { traceNumber }),
      ...(format.confirms ? {} : { settlesAt: instantOf(calendar, settlesOn, calendar.cutOff) }),
    }
  })
  yield* rows.putOrders(batched)
  return batchId
})

/** Returns the ids of the batches that were built. */
export const buildBatches = Effect.fnUntraced(function* (bank: Bank, store: BankFileStore["Service"]) {
  const now = yield* Clock.currentTimeMillis
  const cutOff = lastCutOff(bank.calendar, now)
  const built: Array<string> = []
  for (;;) {
    const id = yield* store.transact((rows) => buildOne(bank, cutOff, now, rows))
    if (id === undefined) return built
    built.push(id)
  }
})
