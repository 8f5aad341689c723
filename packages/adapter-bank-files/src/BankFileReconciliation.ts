/**
 * The `BankReconciliation` port by bank files: it compares what is stored with the ledger, and writes nothing.
 * Source: D-535.
 */
import { type BankPeriod, type BankReconciliation, type LedgerFacts, PortUnavailable } from "@countersign/core/ports"
import { Clock, Duration, Effect } from "effect"
import type { Bank } from "./Bank.ts"
import { compareRecords } from "./CompareRecords.ts"
import type { BankFileStore } from "./orders/BankFileStore.ts"
import { type BankRecords, recordsSince } from "./ReconcileBank.ts"
import { lineProblems, orderProblems } from "./reconciliation/Finding.ts"

/** Lines of earlier days decide whether a line is the second one of its order. */
const daysBefore = 60
const dayMillis = Duration.toMillis(Duration.days(1))

const dateBefore = (date: string, days: number): string =>
  new Date(Date.parse(date) - days * dayMillis).toISOString().slice(0, 10)

const unavailable = <A, E>(effect: Effect.Effect<A, E>): Effect.Effect<A> =>
  Effect.catch(effect, () =>
    Effect.die(
      new PortUnavailable({ operation: "BankReconciliation", cause: "the store of bank files does not answer" }),
    ),
  )

/** Whether no order has changed between two reads, so that the facts in between are about both. */
const isUnchanged = (before: BankRecords, after: BankRecords): boolean => {
  const known = new Map(before.orders.map(({ changedAt, reference }) => [reference, changedAt]))
  return after.orders.every(({ changedAt, reference }) => known.get(reference) === changedAt)
}

const readsMax = 3

export const bankFileReconciliation = (
  banks: ReadonlyArray<Bank>,
  store: BankFileStore["Service"],
): BankReconciliation => {
  const compare = Effect.fnUntraced(function* (bank: Bank, period: BankPeriod, factsOf: LedgerFacts) {
    const now = yield* Clock.currentTimeMillis
    const read = recordsSince(bank, store, dateBefore(period.from, daysBefore), now)
    let records = yield* read
    for (let reads = 1; ; reads += 1) {
      const facts = yield* factsOf(records.orders)
      const after = yield* read
      if (reads >= readsMax || isUnchanged(records, after)) return compareRecords(bank, records, facts, period, now)
      records = after
    }
  })
  return {
    banks: banks.map(({ account, name }) => ({ name, account })),
    problems: { ...lineProblems, ...orderProblems },
    compare: (name, period, factsOf) => {
      const bank = banks.find((each) => each.name === name)
      return bank === undefined
        ? Effect.die(new RangeError(`there is no bank ${name}`))
        : unavailable(compare(bank, period, factsOf))
    },
    withoutOrder: (payments) => {
      const carried = payments.filter(({ account, direction, rail }) =>
        banks.some(({ format }) => format.carries(account, direction, rail)),
      )
      const references = carried.map(({ reference }) => reference)
      return unavailable(
        Effect.map(
          references.length === 0 ? Effect.succeed([]) : store.transact((rows) => rows.orders(references)),
          (orders) => {
            const known = new Set(orders.map(({ reference }) => reference))
            return references.filter((reference) => !known.has(reference))
          },
        ),
      )
    },
  }
}
