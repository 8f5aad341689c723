/** Executes orders by the passing of time, where the bank confirms nothing and only returns what failed. Source: D-530. */
import { Clock, Effect } from "effect"
import type { Bank } from "./Bank.ts"
import { bankLock } from "./BuildBatches.ts"
import type { BankFileStore } from "./orders/BankFileStore.ts"
import { afterEvent } from "./orders/OrderEvent.ts"

const ordersMax = 1000

/** Returns how many orders count as executed now. */
export const settleOrders = Effect.fnUntraced(function* (bank: Bank, store: BankFileStore["Service"]) {
  const now = yield* Clock.currentTimeMillis
  let count = 0
  for (;;) {
    const settled = yield* store.transact((rows) =>
      Effect.gen(function* () {
        yield* rows.lock(bankLock(bank))
        const orders = yield* rows.settling(bank.name, now, ordersMax)
        yield* rows.putOrders(orders.map((order) => afterEvent(order, { _tag: "Confirmed" }, now)))
        return orders.length
      }),
    )
    count += settled
    if (settled < ordersMax) return count
  }
})
