/**
 * Stores the result of an external account's verification, which a job asks for or the verifier reports.
 * Source: wire contract 2.7 and 11 (18); D-050.
 */
import { Context, Effect, Layer, Schema } from "effect"
import type { SecureRandom } from "effect/crypto"
import {
  accountNotFound,
  postponeVerification,
  recordVerification,
} from "../../decision/account/ExternalAccountDecision.ts"
import type { ServiceError } from "../../foundation/errors/ServiceError.ts"
import * as Outside from "../../foundation/kit/Outside.ts"
import { finish, finishing, JobFailed, type JobHandler } from "../../operation/Jobs.ts"
import * as Operation from "../../operation/Operation.ts"
import { readExisting } from "../../operation/ReadExisting.ts"
import { type BeneficiaryAnswer, Verifier } from "../../ports/Verifier.ts"
import type { WallTime } from "../../ports/WallTime.ts"
import type { CurrentCaller } from "../../store/Caller.ts"
import { type ClaimedJob, Store, type StoreUnavailable } from "../../store/Store.ts"

const decodePayload = Schema.decodeUnknownEffect(Schema.Struct({ accountId: Schema.String }))

export class AccountVerifications extends Context.Service<
  AccountVerifications,
  {
    /** Handles verification jobs: asks the verifier and stores its result. */
    readonly verify: JobHandler
    /**
     * Stores what a verifier reports about an account, as its platform. Drops a result that changes nothing.
     * Errors: `REFERENCE_NOT_FOUND`.
     */
    readonly report: (
      accountId: string,
      result: BeneficiaryAnswer,
    ) => Effect.Effect<void, ServiceError | StoreUnavailable, CurrentCaller>
  }
>()("@countersign/core/AccountVerifications") {
  static readonly layer = Layer.effect(
    AccountVerifications,
    Effect.gen(function* () {
      const store = yield* Store
      const verifier = yield* Verifier
      const services = yield* Effect.context<Store | WallTime | SecureRandom.SecureRandom>()

      const record = (accountId: string, result: BeneficiaryAnswer, job?: ClaimedJob) =>
        Operation.run({
          name: "AccountVerifications.report",
          load: (read) => readExisting(read, "ExternalAccount", accountId, accountNotFound),
          decide: recordVerification(result, job && finishing(job)),
        }).pipe(Effect.asVoid, Effect.provideContext(services))

      const postpone = (job: ClaimedJob, id: string, at: number) =>
        Operation.run({
          name: "AccountVerifications.later",
          load: () => Effect.void,
          decide: postponeVerification({ id, customerId: job.customerId }, at, finishing(job)),
        }).pipe(Effect.asVoid)

      const verify: JobHandler = Effect.fnUntraced(function* (job) {
        const { accountId } = yield* Effect.orDie(decodePayload(job.payload))
        const read = yield* store.read({ records: [{ kind: "ExternalAccount", id: accountId }] })
        const account = read.record("ExternalAccount", accountId)
        // The account was deleted, or a report changed its status.
        if (account === undefined || account.data.isDeleted || account.data.status !== "PENDING") {
          return yield* finish(job)
        }
        const { accountInfo, currency } = account.data
        const result = yield* verifier.verifyBeneficiary({ accountId, currency, accountInfo })
        if (result._tag === "Unknown") {
          return yield* new JobFailed({ reason: `the verifier could not check the account: ${result.cause}` })
        }
        return result._tag === "Later"
          ? yield* postpone(job, accountId, result.at)
          : yield* record(accountId, result, job)
      })

      return AccountVerifications.of({
        verify,
        report: (accountId, result) => record(accountId, Outside.clean(result)),
      })
    }),
  )
}
