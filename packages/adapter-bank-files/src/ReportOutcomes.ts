/**
 * Reports to the service what became of orders, for the platform of each. The service drops what it knows, so a report that was stored, but
 * not noted here, is repeated.
 * Source: D-530; docs/guides/asynchronous-banks.md.
 */
import { Outcomes, reportForPlatform } from "@countersign/core"
import type { ReportOutcome } from "@countersign/core/ports"
import { Clock, Effect } from "effect"
import { outcomeOf } from "./OrderOutcome.ts"
import type { BankFileStore } from "./orders/BankFileStore.ts"
import type { BankOrder } from "./orders/BankOrder.ts"

const ordersMax = 200

/** Notes the report, unless the order has changed since. */
const note = (store: BankFileStore["Service"], reported: BankOrder) =>
  store.transact((rows) =>
    Effect.gen(function* () {
      const [order] = yield* rows.orders([reported.reference])
      if (order !== undefined && order.state === reported.state) yield* rows.putOrders([{ ...order, isReported: true }])
    }),
  )

/** Returns how many outcomes the service has received. It ends at the first one that the service's store cannot take now. */
export const reportTo = Effect.fnUntraced(function* <E>(store: BankFileStore["Service"], report: ReportOutcome<E>) {
  let count = 0
  for (;;) {
    const orders = yield* store.transact((rows) => rows.listUnreported(ordersMax))
    for (const order of orders) {
      const now = yield* Clock.currentTimeMillis
      yield* report(order, outcomeOf(order, undefined, now))
      yield* note(store, order)
      count += 1
    }
    if (orders.length < ordersMax) return count
  }
})

/** Reports to the service of the context. */
export const reportOutcomes = Effect.fnUntraced(function* (store: BankFileStore["Service"]) {
  return yield* reportTo(store, reportForPlatform(yield* Outcomes))
})
