/**
 * The job that sweeps the platform's fees on exchanges from the books of its customers to its own account.
 * Source: architecture, "The Store port" (Ledger); wire contract 5.3 (platform fees); D-124.
 */
import { Context, Effect, Layer, Schema } from "effect"
import { zeroReceivable } from "../../decision/ledger/PostingChanges.ts"
import { sweepFees } from "../../decision/quote/FeeSweepDecision.ts"
import { Currencies, CurrencyCode } from "../../foundation/money/Currencies.ts"
import type { Owner } from "../../model/record/Record.ts"
import { finishing, type JobHandler } from "../../operation/Jobs.ts"
import * as Operation from "../../operation/Operation.ts"
import * as Changes from "../../store/Changes.ts"
import * as Ledger from "../../store/LedgerAccounts.ts"
import { Store } from "../../store/Store.ts"

const Payload = Schema.Struct({ customerId: Schema.NullOr(Schema.String), currency: CurrencyCode })
const decodePayload = Schema.decodeUnknownEffect(Payload)

/** Loads the platform's own account of the currency. */
const loadPlatformAccount = Effect.fnUntraced(function* (currency: CurrencyCode) {
  const store = yield* Store
  const found = yield* store.list(
    "InternalAccount",
    {
      isPlatform: { eq: true },
      currency: { eq: currency },
      type: { eq: Currencies.get(currency).crypto ? "INTERNAL_CRYPTO" : "INTERNAL_FIAT" },
      status: { eq: "ACTIVE" },
    },
    { limit: 1, order: "desc" },
  )
  return found.data[0]
})

const loadSweep = Effect.fnUntraced(function* (read: Operation.Read, currency: CurrencyCode, feesId: string) {
  const account = yield* loadPlatformAccount(currency)
  const receivable = account && Ledger.receivable(account, currency).id
  const found = yield* read({ balances: [feesId, ...(receivable === undefined ? [] : [receivable])] })
  const owed = receivable === undefined ? zeroReceivable : found.balance(receivable)
  return { account, feesId, earned: found.balance(feesId), owed }
})

export class FeeSweeps extends Context.Service<FeeSweeps, { readonly sweep: JobHandler }>()(
  "@countersign/core/FeeSweeps",
) {
  static readonly layer = Layer.sync(FeeSweeps, () => {
    const sweep: JobHandler = Effect.fnUntraced(function* (job) {
      const { currency, customerId } = yield* Effect.orDie(decodePayload(job.payload))
      const owner: Owner = { platformId: job.platformId, customerId }
      const fees = Ledger.ownedBy(owner, currency, "platform-fee")
      yield* Operation.run({
        name: "FeeSweeps.sweep",
        load: (read) => loadSweep(read, currency, fees.id),
        decide: (loaded, context) =>
          Operation.answer(200, null, Changes.combine(finishing(job), sweepFees(loaded, job.id, context))),
      })
    })

    return FeeSweeps.of({ sweep })
  })
}
