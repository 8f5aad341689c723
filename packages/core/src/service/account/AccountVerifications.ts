/**
 * The one door for what a verification says of an external account that waits, asked for or reported, once or several times.
 * Source: wire contract 2.7 and 11 (18); D-050.
 */
import { Context, Effect, Layer, Schema } from "effect"
import type { SecureRandom } from "effect/crypto"
import { applyBeneficiaryAnswer, verificationJob } from "../../decision/account/ExternalAccountChanges.ts"
import { notFound, type ServiceError } from "../../foundation/errors/ServiceError.ts"
import { finish, finishing, JobFailed, type JobHandler } from "../../operation/Jobs.ts"
import * as Operation from "../../operation/Operation.ts"
import { type BeneficiaryAnswer, Verifier } from "../../ports/Verifier.ts"
import type { WallTime } from "../../ports/WallTime.ts"
import type { CurrentCaller } from "../../store/Caller.ts"
import * as Changes from "../../store/Changes.ts"
import { type ClaimedJob, Store, type StoreUnavailable } from "../../store/Store.ts"

const decodePayload = Schema.decodeUnknownEffect(Schema.Struct({ accountId: Schema.String }))

/** A verifier that says "later" is not asked again within this time. */
const laterMillisMin = 1000

export class AccountVerifications extends Context.Service<
  AccountVerifications,
  {
    /** The handler of verification jobs: asks the verifier, and stores what it says. */
    readonly verify: JobHandler
    /**
     * Stores what a verifier reports of an account, as its platform; an answer that changes nothing is dropped.
     * Errors: `REFERENCE_NOT_FOUND`.
     */
    readonly report: (
      accountId: string,
      answer: BeneficiaryAnswer,
    ) => Effect.Effect<void, ServiceError | StoreUnavailable, CurrentCaller>
  }
>()("@countersign/core/AccountVerifications") {
  static readonly layer = Layer.effect(
    AccountVerifications,
    Effect.gen(function* () {
      const store = yield* Store
      const verifier = yield* Verifier
      const services = yield* Effect.context<Store | WallTime | SecureRandom.SecureRandom>()

      const record = (accountId: string, answer: BeneficiaryAnswer, fence: ClaimedJob | undefined) =>
        Operation.run({
          name: "AccountVerifications.report",
          load: (read) => read({ records: [{ kind: "ExternalAccount", id: accountId }] }),
          decide: (found, { ids, now }) => {
            const account = found.record("ExternalAccount", accountId)
            if (account === undefined) return Operation.refuse(notFound("external account"))
            const changes = applyBeneficiaryAnswer(ids, now, account, answer)
            return Operation.answer(200, null, Changes.combine(changes, fence && finishing(fence)))
          },
        }).pipe(Effect.asVoid, Effect.provideContext(services))

      const later = (job: ClaimedJob, accountId: string, at: number) =>
        Operation.run({
          name: "AccountVerifications.later",
          load: () => Effect.void,
          decide: (_loaded, { ids, now }) => {
            const { customerId } = job
            const next = verificationJob(ids, { id: accountId, customerId }, Math.max(at, now + laterMillisMin))
            return Operation.answer(200, null, Changes.combine(finishing(job), { jobs: [next] }))
          },
        }).pipe(Effect.asVoid)

      const verify: JobHandler = Effect.fnUntraced(function* (job) {
        const { accountId } = yield* Effect.orDie(decodePayload(job.payload))
        const read = yield* store.read({ records: [{ kind: "ExternalAccount", id: accountId }] })
        const account = read.record("ExternalAccount", accountId)
        // Deleted, or decided otherwise meanwhile.
        if (account === undefined || account.data.isDeleted || account.data.status !== "PENDING") {
          return yield* finish(job)
        }
        const { accountInfo, currency } = account.data
        const result = yield* verifier.verifyBeneficiary({ accountId, currency, accountInfo })
        if (result._tag === "Unknown") {
          return yield* new JobFailed({ reason: `the verifier does not know: ${result.cause}` })
        }
        return result._tag === "Later" ? yield* later(job, accountId, result.at) : yield* record(accountId, result, job)
      })

      return AccountVerifications.of({ verify, report: (accountId, answer) => record(accountId, answer, undefined) })
    }),
  )
}
