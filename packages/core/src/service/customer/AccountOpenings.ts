/**
 * Opens the accounts of existing customers in currencies that their platform added. A job processes the customers in batches.
 * Source: wire contract 5.9 (one per enabled currency); D-084.
 */
import { Context, Effect, Layer, Schema } from "effect"
import { openingIdsMax } from "../../decision/account/AccountChanges.ts"
import { continueOpenings, openMissingAccounts } from "../../decision/account/AccountOpeningDecision.ts"
import { limitMax, type Position } from "../../foundation/kit/Page.ts"
import { finishing, type JobHandler } from "../../operation/Jobs.ts"
import * as Operation from "../../operation/Operation.ts"
import { KeyVault } from "../../ports/KeyVault.ts"
import type { Stored } from "../../store/ChangeSet.ts"
import { Store } from "../../store/Store.ts"
import { newestRoot } from "../wallet/RootVault.ts"

/** The position of the customer after which the job continues. Absent: it starts at the first customer. */
const Payload = Schema.Struct({
  after: Schema.optionalKey(Schema.Struct({ createdAt: Schema.Int, id: Schema.String })),
})
const decodePayload = Schema.decodeUnknownEffect(Payload)

/** Number of customers per job. */
const batchSize = 20

export class AccountOpenings extends Context.Service<AccountOpenings, { readonly open: JobHandler }>()(
  "@countersign/core/AccountOpenings",
) {
  static readonly layer = Layer.effect(
    AccountOpenings,
    Effect.gen(function* () {
      const store = yield* Store
      const vault = yield* KeyVault

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

      const openFor =
        (rootId: string | undefined) =>
        ({ id, platformId }: Stored<"Customer">) =>
          Operation.run({
            name: "AccountOpenings.open",
            ids: openingIdsMax,
            load: (read) => load(read, platformId, id),
            decide: openMissingAccounts(rootId),
          })

      const open: JobHandler = Effect.fnUntraced(function* (job) {
        const { after } = yield* Effect.orDie(decodePayload(job.payload))
        const page = yield* store.list(
          "Customer",
          { isDeleted: { eq: false } },
          { limit: batchSize, order: "asc", ...(after === undefined ? {} : { after }) },
        )
        const rootId = yield* Effect.provideService(newestRoot, KeyVault, vault)
        yield* Effect.forEach(page.data, openFor(rootId), { discard: true })
        const last: Position | undefined = page.hasMore ? page.data.at(-1) : undefined
        yield* Operation.run({
          name: "AccountOpenings.next",
          load: () => Effect.void,
          decide: continueOpenings(last, finishing(job)),
        })
      })

      return AccountOpenings.of({ open })
    }),
  )
}
