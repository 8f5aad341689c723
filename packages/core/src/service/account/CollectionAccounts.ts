/**
 * International collection accounts: a job asks for them after an account was opened, and the embedding program reports changes.
 * Source: wire contract areas 2.12; D-397.
 */
import { Context, Effect, Layer, Schema } from "effect"
import type { SecureRandom } from "effect/crypto"
import { decideCollection, type FundingSetReport, recordFundingSet } from "../../decision/account/FundingSetDecision.ts"
import { notFound, type ServiceError } from "../../foundation/errors/ServiceError.ts"
import { finish, finishing, type JobHandler } from "../../operation/Jobs.ts"
import * as Operation from "../../operation/Operation.ts"
import { readExisting } from "../../operation/ReadExisting.ts"
import { FundingInstructions } from "../../ports/FundingInstructions.ts"
import type { WallTime } from "../../ports/WallTime.ts"
import type { CurrentCaller } from "../../store/Caller.ts"
import { Store, type StoreUnavailable } from "../../store/Store.ts"

const decodePayload = Schema.decodeUnknownEffect(Schema.Struct({ accountId: Schema.String }))
const accountNotFound = notFound("internal account")

export class CollectionAccounts extends Context.Service<
  CollectionAccounts,
  {
    /** The handler that asks the port. */
    readonly ask: JobHandler
    /**
     * Reports, as the account's platform, that its funding instructions have changed. The platform gets an event.
     * Errors: `REFERENCE_NOT_FOUND`.
     */
    readonly report: (
      accountId: string,
      report: FundingSetReport,
    ) => Effect.Effect<void, ServiceError | StoreUnavailable, CurrentCaller>
  }
>()("@countersign/core/CollectionAccounts") {
  static readonly layer = Layer.effect(
    CollectionAccounts,
    Effect.gen(function* () {
      const store = yield* Store
      const { collectionAccount } = yield* FundingInstructions
      const services = yield* Effect.context<Store | WallTime | SecureRandom.SecureRandom>()
      const load = (accountId: string) => (read: Operation.Read) =>
        readExisting(read, "InternalAccount", accountId, accountNotFound)

      const ask: JobHandler = Effect.fnUntraced(function* (job) {
        const { accountId } = yield* Effect.orDie(decodePayload(job.payload))
        const { customerId } = job
        const found = yield* store.read({
          records: [
            { kind: "InternalAccount", id: accountId },
            ...(customerId === null ? [] : [{ kind: "Customer" as const, id: customerId }]),
          ],
        })
        const account = found.record("InternalAccount", accountId)
        const customer = customerId === null ? undefined : found.record("Customer", customerId)
        if (account?.data.status !== "ACTIVE" || customer === undefined) return yield* finish(job)
        const { platformCustomerId, region } = customer.data
        const answer = yield* collectionAccount({
          customerId: customer.id,
          platformCustomerId,
          openedAt: account.createdAt,
          ...(region === undefined ? {} : { region }),
        })
        if (answer._tag === "None") return yield* finish(job)
        return yield* Operation.run({
          name: "CollectionAccounts.ask",
          load: load(accountId),
          decide: decideCollection(answer, finishing(job)),
        }).pipe(Effect.asVoid)
      })

      const report = (accountId: string, change: FundingSetReport) =>
        Operation.run({
          name: "CollectionAccounts.report",
          load: load(accountId),
          decide: recordFundingSet(change),
        }).pipe(Effect.asVoid, Effect.provideContext(services))

      return CollectionAccounts.of({ ask, report })
    }),
  )
}
