/**
 * What a platform earned by exchanging, brought from the books of its customers to its own account.
 * Source: architecture, "The Store port" (Ledger); wire contract 5.3 (platform fees); D-124.
 */
import { Context, Effect, Layer, Schema } from "effect"
import { balanceEvent } from "../../decision/ledger/PostingChanges.ts"
import { Currencies, CurrencyCode } from "../../foundation/money/Currencies.ts"
import type { Owner } from "../../model/record/Record.ts"
import { finishing, type JobHandler } from "../../operation/Jobs.ts"
import * as Operation from "../../operation/Operation.ts"
import * as Changes from "../../store/Changes.ts"
import * as Ledger from "../../store/LedgerAccounts.ts"
import { Store } from "../../store/Store.ts"

const Payload = Schema.Struct({ customerId: Schema.NullOr(Schema.String), currency: CurrencyCode })
const decodePayload = Schema.decodeUnknownEffect(Payload)

export class FeeSweeps extends Context.Service<FeeSweeps, { readonly sweep: JobHandler }>()(
  "@countersign/core/FeeSweeps",
) {
  static readonly layer = Layer.effect(
    FeeSweeps,
    Effect.gen(function* () {
      const store = yield* Store

      const accountOf = Effect.fnUntraced(function* (currency: CurrencyCode) {
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

      const load = Effect.fnUntraced(function* (read: Operation.Read, currency: CurrencyCode, feesId: string) {
        const account = yield* accountOf(currency)
        return { account, earned: (yield* read({ balances: [feesId] })).balance(feesId) }
      })

      const sweep: JobHandler = Effect.fnUntraced(function* (job) {
        const { currency, customerId } = yield* Effect.orDie(decodePayload(job.payload))
        const owner: Owner = { platformId: job.platformId, customerId }
        const fees = Ledger.ownedBy(owner, currency, "platform-fee")
        yield* Operation.run({
          name: "FeeSweeps.sweep",
          load: (read) => load(read, currency, fees.id),
          decide: ({ account, earned }, { ids, now, rejections }) => {
            // What is not positive, has no account to go to or would not fit into it stays where it is.
            const isSwept = account !== undefined && earned.balance > 0 && !Operation.exceededExactRange(rejections)
            return Operation.answer(
              200,
              null,
              Changes.combine(
                finishing(job),
                isSwept
                  ? Changes.combine(balanceEvent(ids, now, account), Changes.guard(account), {
                      transfers: [
                        {
                          from: fees.id,
                          to: Ledger.available(account.id),
                          amount: earned.balance,
                          currency,
                          reference: job.id,
                        },
                      ],
                      assertions: [{ account: fees.id, sequence: earned.sequence }],
                    })
                  : undefined,
              ),
            )
          },
        })
      })

      return FeeSweeps.of({ sweep })
    }),
  )
}
