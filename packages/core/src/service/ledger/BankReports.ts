/**
 * The reconciliation of the banks of a deployment with the ledger of the calling platform.
 * Source: D-535.
 */
import { Clock, Context, Duration, Effect, Layer } from "effect"
import { toReconciliation } from "../../decision/ledger/ReconciliationReport.ts"
import { ledgerFactOf, submittedPaymentOf } from "../../decision/transaction/LedgerFacts.ts"
import { invalidInput, ServiceError } from "../../foundation/errors/ServiceError.ts"
import { iso } from "../../foundation/kit/Instant.ts"
import { limitMax } from "../../foundation/kit/Page.ts"
import type { ReconciliationResponse } from "../../model/ledger/ReconciliationResource.ts"
import { platformOnly } from "../../operation/PlatformOnly.ts"
import { BankReconciliation, type LedgerFacts, type SubmittedPayment } from "../../ports/BankReconciliation.ts"
import { CurrentCaller } from "../../store/Caller.ts"
import { Store, type StoreUnavailable } from "../../store/Store.ts"

/** A bank, and the days of its statements. */
export interface ReconciliationQuery {
  /** The name of a bank; absent: every bank. */
  readonly bank?: string
  /** The first and the last day; absent: the 14 days until now. */
  readonly from?: string
  readonly to?: string
}

const dayMillis = Duration.toMillis(Duration.days(1))
/** Longer than an order may be without a line, with the days before its cut-off: a daily look misses none. */
const daysDefault = 14
const daysMax = 31

/** A period with more transactions is refused. */
const paymentsMax = 20_000

/** The bank's order is stored after the transaction: a younger one may be on its way. */
const orderAfterMillis = Duration.toMillis(Duration.minutes(10))

const dayOf = (millis: number): string => iso(millis).slice(0, 10)

const refuse = (field: string, message: string) => Effect.fail(new ServiceError(invalidInput([{ field, message }])))

export class BankReports extends Context.Service<
  BankReports,
  {
    /** Compares the statements of a period with the orders and the ledger of the platform. */
    readonly reconcile: (
      query: ReconciliationQuery,
    ) => Effect.Effect<ReconciliationResponse, ServiceError | StoreUnavailable, CurrentCaller>
  }
>()("@countersign/core/BankReports") {
  static readonly layer = Layer.effect(
    BankReports,
    Effect.gen(function* () {
      const store = yield* Store
      const port = yield* BankReconciliation

      const factsFor = (platformId: string): Effect.Effect<LedgerFacts, never, CurrentCaller> =>
        Effect.map(Effect.context<CurrentCaller>(), (context): LedgerFacts => {
          const read = Effect.fnUntraced(function* (ids: ReadonlyArray<string>) {
            const found = yield* store.read({ records: ids.map((id) => ({ kind: "Transaction", id }) as const) })
            return ids.flatMap((id) => {
              const transaction = found.record("Transaction", id)
              return transaction === undefined ? [] : [ledgerFactOf(transaction)]
            })
          })
          return Effect.fnUntraced(
            function* (orders) {
              const own = orders.filter((order) => order.platformId === platformId).map(({ reference }) => reference)
              const facts = []
              for (let at = 0; at < own.length; at += limitMax)
                facts.push(...(yield* read(own.slice(at, at + limitMax))))
              return facts
            },
            Effect.orDie,
            Effect.provideContext(context),
          )
        })

      /** The transactions that were given to a rail on these days, wherever they begin. */
      const submittedIn = Effect.fnUntraced(function* (from: string, to: string, now: number) {
        const createdAt = { from: Date.parse(from) - dayMillis, to: Date.parse(to) + 2 * dayMillis }
        const payments: Array<SubmittedPayment> = []
        let after: { readonly createdAt: number; readonly id: string } | undefined
        for (;;) {
          const page = { limit: limitMax, order: "asc", ...(after === undefined ? {} : { after }) } as const
          const { data, hasMore } = yield* store.list("Transaction", { createdAt }, page)
          payments.push(...data.map(submittedPaymentOf).filter((payment) => payment !== undefined))
          const last = data.at(-1)
          if (payments.length > paymentsMax) {
            return yield* refuse("from", `must begin a period of at most ${paymentsMax} transactions`)
          }
          if (!hasMore || last === undefined) break
          after = { createdAt: last.createdAt, id: last.id }
        }
        return payments.filter(({ submittedAt }) => now - submittedAt >= orderAfterMillis)
      })

      const reconcile = Effect.fn("BankReports.reconcile")(function* (query: ReconciliationQuery) {
        const { platformId } = yield* CurrentCaller
        const now = yield* Clock.currentTimeMillis
        const to = query.to ?? dayOf(now)
        const from = query.from ?? dayOf(Date.parse(to) - (daysDefault - 1) * dayMillis)
        if (from > to) return yield* refuse("from", "must not be after `to`")
        if (Date.parse(to) - Date.parse(from) >= daysMax * dayMillis) {
          return yield* refuse("from", `must be within ${daysMax} days of \`to\``)
        }
        const { bank } = query
        const banks = port.banks.filter(({ name }) => bank === undefined || name === bank)
        if (bank !== undefined && banks.length === 0) {
          const names = port.banks.map(({ name }) => name).join(", ")
          return yield* refuse(
            "bank",
            names === "" ? "must be absent: no bank is reconciled here" : `must be of ${names}`,
          )
        }
        const factsOf = yield* factsFor(platformId)
        const comparisons = yield* Effect.forEach(banks, ({ name }) =>
          Effect.map(port.compare(name, { from, to }, factsOf), (comparison) => ({ ...comparison, bank: name })),
        )
        const payments = banks.length === 0 ? [] : yield* submittedIn(from, to, now)
        const missing = new Set(payments.length === 0 ? [] : yield* port.withoutOrder(payments))
        return toReconciliation({
          period: { from, to },
          now,
          banks,
          meanings: port.problems,
          comparisons,
          withoutOrder: payments.filter(({ reference }) => missing.has(reference)),
          platformId,
          isAlone: (yield* store.platformCount) === 1,
        })
      }, platformOnly)

      return BankReports.of({ reconcile })
    }),
  )
}
