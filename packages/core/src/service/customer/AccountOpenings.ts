/**
 * The accounts of customers in currencies that their platform has added since: a job goes from customer to customer.
 * Source: wire contract 5.9 (one per enabled currency); D-084.
 */
import { Context, Effect, Layer, Schema } from "effect"
import { openAccounts, openingIdsMax } from "../../decision/account/AccountChanges.ts"
import { limitMax, type Position } from "../../foundation/kit/Page.ts"
import { finishing, type JobHandler } from "../../operation/Jobs.ts"
import * as Operation from "../../operation/Operation.ts"
import type { Stored } from "../../store/ChangeSet.ts"
import * as Changes from "../../store/Changes.ts"
import { job as newJob } from "../../store/JobKinds.ts"
import { Store } from "../../store/Store.ts"

/** After which customer the job goes on; absent: it begins. */
const Payload = Schema.Struct({
  after: Schema.optionalKey(Schema.Struct({ createdAt: Schema.Int, id: Schema.String })),
})
const decodePayload = Schema.decodeUnknownEffect(Payload)

/** So many customers in one job. */
const batch = 20

export class AccountOpenings extends Context.Service<AccountOpenings, { readonly open: JobHandler }>()(
  "@countersign/core/AccountOpenings",
) {
  static readonly layer = Layer.effect(
    AccountOpenings,
    Effect.gen(function* () {
      const store = yield* Store

      const load = Effect.fnUntraced(function* (read: Operation.Read, platformId: string, customerId: string) {
        const found = yield* read({
          records: [
            { kind: "Platform", id: platformId },
            { kind: "Customer", id: customerId },
          ],
        })
        const accounts = yield* store.list(
          "InternalAccount",
          { customerId: { eq: customerId } },
          { limit: limitMax, order: "desc" },
        )
        return {
          platform: found.record("Platform", platformId),
          customer: found.record("Customer", customerId),
          accounts: accounts.data.map(({ data }) => data),
        }
      })

      /** Opens what a customer lacks. One that has no accounts waits for its consent, or is gone. */
      const openFor = ({ id, platformId }: Stored<"Customer">) =>
        Operation.run({
          name: "AccountOpenings.open",
          ids: openingIdsMax,
          load: (read) => load(read, platformId, id),
          decide: ({ accounts, customer, platform }, { ids }) => {
            if (customer === undefined || customer.data.isDeleted || platform === undefined || accounts.length === 0) {
              return Operation.answer(200, null)
            }
            const currencies = platform.data.supportedCurrencies.map(({ currencyCode }) => currencyCode)
            return Operation.answer(
              200,
              null,
              Changes.combine(
                openAccounts(ids, customer, currencies, { email: customer.data.email, present: accounts }),
                Changes.guard(customer, platform),
              ),
            )
          },
        })

      const open: JobHandler = Effect.fnUntraced(function* (job) {
        const { after } = yield* Effect.orDie(decodePayload(job.payload))
        const page = yield* store.list(
          "Customer",
          { isDeleted: { eq: false } },
          { limit: batch, order: "asc", ...(after === undefined ? {} : { after }) },
        )
        yield* Effect.forEach(page.data, openFor, { discard: true })
        const last: Position | undefined = page.hasMore ? page.data.at(-1) : undefined
        yield* Operation.run({
          name: "AccountOpenings.next",
          load: () => Effect.void,
          decide: (_loaded, { ids, now }) =>
            Operation.answer(
              200,
              null,
              Changes.combine(
                finishing(job),
                last === undefined
                  ? undefined
                  : {
                      jobs: [
                        newJob(ids, "accounts.open", {
                          customerId: null,
                          dueAt: now,
                          payload: { after: { createdAt: last.createdAt, id: last.id } },
                        }),
                      ],
                    },
              ),
            ),
        })
      })

      return AccountOpenings.of({ open })
    }),
  )
}
