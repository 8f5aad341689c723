/** Reconciles a period of a bank from what is stored. Source: D-530, D-535. */
import type { LedgerFact } from "@countersign/core/ports"
import { Clock, Duration, Effect } from "effect"
import type { Bank } from "./Bank.ts"
import { instantOf, localDate } from "./calendar/BankCalendar.ts"
import type { BankLine } from "./orders/BankFile.ts"
import type { BankFileStore } from "./orders/BankFileStore.ts"
import type { BankOrder } from "./orders/BankOrder.ts"
import { reconcile } from "./reconciliation/Reconcile.ts"

/** The period to reconcile, and what to compare it with. */
export interface ReconcileOptions {
  /** The first day of the period, such as `2026-01-01`. */
  readonly from: string
  /** How many days an order may be without a line. Default: 5. */
  readonly missingAfterDays?: number
  /** What the ledger has of the orders; absent: it is not compared. */
  readonly ledger?: ReadonlyArray<LedgerFact>
}

export interface BankRecords {
  readonly lines: ReadonlyArray<BankLine>
  readonly orders: ReadonlyArray<BankOrder>
}

/** The lines of a bank since a day, the orders since then, and the older ones that the lines name. */
export const recordsSince = (bank: Bank, store: BankFileStore["Service"], from: string, now: number) =>
  store.transact((rows) =>
    Effect.gen(function* () {
      // A statement may be dated ahead of us.
      const until = localDate(bank.calendar, now + Duration.toMillis(Duration.days(7)))
      const lines = yield* rows.listLines(bank.name, from, until)
      const ofPeriod = yield* rows.listOrders(bank.name, instantOf(bank.calendar, from, "00:00"), now + 1)
      const known = new Set(ofPeriod.flatMap(({ endToEndId, individualId }) => [endToEndId, individualId]))
      const older = [...new Set(lines.flatMap(({ orderIds }) => orderIds))].filter((id) => !known.has(id))
      const orders = [...ofPeriod, ...(older.length === 0 ? [] : yield* rows.ordersById(bank.name, older))]
      const batchIds = new Set(lines.flatMap(({ batchId = [] }) => batchId))
      for (const id of batchIds)
        orders.push(...(yield* rows.ordersOfBatch(id)).filter((each) => each.bank === bank.name))
      const records: BankRecords = { lines, orders }
      return records
    }),
  )

export const missingAfterDaysDefault = 5

/** Compares all lines and orders of a bank from a day on until now. */
export const reconcileBank = Effect.fnUntraced(function* (
  bank: Bank,
  store: BankFileStore["Service"],
  { from, ledger, missingAfterDays = missingAfterDaysDefault }: ReconcileOptions,
) {
  const now = yield* Clock.currentTimeMillis
  const { lines, orders } = yield* recordsSince(bank, store, from, now)
  return reconcile({
    lines,
    orders,
    from: instantOf(bank.calendar, from, "00:00"),
    now,
    missingAfterMillis: Duration.toMillis(Duration.days(missingAfterDays)),
    confirms: bank.format.confirms,
    ...(ledger === undefined ? {} : { ledger }),
  })
})
