/**
 * The outcomes of transactions: jobs ask the rail for them, and banks report them. Every outcome is stored by the same decision.
 * Each job handler loads the transaction, calls the rail, decides and commits.
 * Source: architecture, "Jobs, external calls and time".
 */
import { Context, Effect, Layer, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import {
  type DefiniteOutcome,
  decideCancellation,
  decideConfirmation,
  decideOutcome,
  decideRefund,
  type OutcomeLoaded,
} from "../../decision/transaction/OutcomeDecision.ts"
import {
  cancelRequestOf,
  confirmRequestOf,
  refundRequestOf,
  submitRequestOf,
} from "../../decision/transaction/RailRequests.ts"
import { decideSubmission } from "../../decision/transaction/SubmissionDecision.ts"
import type { ServiceError } from "../../foundation/errors/ServiceError.ts"
import * as Outside from "../../foundation/kit/Outside.ts"
import { reachFailPoint } from "../../operation/FailPoints.ts"
import { finish, finishing, JobFailed, type JobHandler } from "../../operation/Jobs.ts"
import * as Operation from "../../operation/Operation.ts"
import { type InquiryOutcome, Rails } from "../../ports/Rails.ts"
import { WallTime } from "../../ports/WallTime.ts"
import type { CurrentCaller } from "../../store/Caller.ts"
import type { RecordRef } from "../../store/ChangeSet.ts"
import * as Changes from "../../store/Changes.ts"
import { type ClaimedJob, Store, type StoreUnavailable } from "../../store/Store.ts"
import { instructOnce } from "./RailInstructions.ts"
import { loadTransactionScope } from "./TransactionLoads.ts"

/** `accountId` is the external account, so that both records are read in one trip. */
const Payload = Schema.Struct({ transactionId: Schema.String, accountId: Schema.optionalKey(Schema.String) })
type Payload = typeof Payload.Type

const decodePayload = ({ payload }: ClaimedJob) => Effect.orDie(Schema.decodeUnknownEffect(Payload)(payload))

type Decide = (
  loaded: OutcomeLoaded,
  outcome: DefiniteOutcome,
  isFull: boolean,
  context: Operation.DecisionContext,
) => ReturnType<typeof decideOutcome>

/** The outcome of a payment between two internal accounts: no rail is involved. */
const delivered: DefiniteOutcome = { _tag: "Done" }

/** The outcome of a payment whose external account became inactive before the rail was asked. */
const accountInactive: DefiniteOutcome = { _tag: "Refused", reason: "ACCOUNT_INVALID" }

const transactionRef = (id: string): RecordRef => ({ kind: "Transaction", id })

const missing = (transactionId: string) => Effect.die(new Error(`transaction ${transactionId} does not exist`))

const loadSubmission = Effect.fnUntraced(function* (read: Operation.Read, { accountId, transactionId }: Payload) {
  const accounts: ReadonlyArray<RecordRef> = accountId === undefined ? [] : [{ kind: "ExternalAccount", id: accountId }]
  const found = yield* read({ records: [transactionRef(transactionId), ...accounts] })
  const transaction = found.record("Transaction", transactionId) ?? (yield* missing(transactionId))
  return { transaction, account: accountId === undefined ? undefined : found.record("ExternalAccount", accountId) }
})

/** `Unknown` is never a failure: the job fails and asks again about the same reference. */
const requireDefinite = (outcome: InquiryOutcome): Effect.Effect<DefiniteOutcome, JobFailed> => {
  if (outcome._tag === "Unknown") {
    return Effect.fail(new JobFailed({ reason: `the rail does not know: ${outcome.cause}` }))
  }
  return outcome._tag === "NotReceived"
    ? Effect.fail(new JobFailed({ reason: "the rail has not received what it has delivered" }))
    : Effect.succeed(outcome)
}

export class Outcomes extends Context.Service<
  Outcomes,
  {
    /** The handler of pull and push jobs: submits the transaction to its rail. */
    readonly ask: JobHandler
    /** The handler that credits an internal account; no rail is asked. */
    readonly deliver: JobHandler
    /** The handler of confirm jobs: asks whether a delivered payment was returned. */
    readonly confirm: JobHandler
    /** The handler of refund jobs: asks whether the refund has arrived. */
    readonly refund: JobHandler
    /** The handler of cancel jobs: asks the rail to cancel a payment. */
    readonly cancel: JobHandler
    /** Stores an outcome that a rail or bank reports; a late or repeated one is dropped. */
    readonly report: (
      transactionId: string,
      outcome: DefiniteOutcome,
    ) => Effect.Effect<void, ServiceError | StoreUnavailable, CurrentCaller>
  }
>()("@countersign/core/Outcomes") {
  static readonly layer = Layer.effect(
    Outcomes,
    Effect.gen(function* () {
      const rails = yield* Rails
      const store = yield* Store
      const wall = yield* WallTime
      const random = yield* SecureRandom.SecureRandom

      const submit = (payload: Payload) =>
        Operation.run({
          name: "Outcomes.submit",
          load: (read) => loadSubmission(read, payload),
          decide: decideSubmission,
        }).pipe(Effect.map(({ body }) => body))

      /** Decides an outcome and commits it, together with the end of the job that obtained it. */
      const record = (transactionId: string, outcome: DefiniteOutcome, decide: Decide, job?: ClaimedJob) =>
        Operation.run({
          name: "Outcomes.report",
          ids: 24,
          load: (read) => loadTransactionScope(read, transactionId),
          decide: (loaded, context) => {
            const isFull = Operation.exceededExactRange(context.rejections)
            const decided = decide(loaded, outcome, isFull, context)
            return Operation.answer(200, null, Changes.combine(decided?.changes, job && finishing(job)))
          },
        }).pipe(Effect.asVoid)

      const loadTransaction = Effect.fnUntraced(function* (job: ClaimedJob) {
        const { transactionId } = yield* decodePayload(job)
        const found = yield* store.read({ records: [transactionRef(transactionId)] })
        return found.record("Transaction", transactionId) ?? (yield* missing(transactionId))
      })

      const ask: JobHandler = Effect.fnUntraced(function* (job) {
        const { isBlocked, isFirst, transaction } = yield* submit(yield* decodePayload(job))
        if (isBlocked) return yield* record(transaction.id, accountInactive, decideOutcome, job)
        const submission = submitRequestOf(transaction)
        if (submission === undefined) return yield* finish(job)
        yield* reachFailPoint("transfer.submitted")
        const outcome = yield* instructOnce(rails, submission, isFirst)
        yield* reachFailPoint("transfer.asked")
        return yield* record(transaction.id, yield* requireDefinite(outcome), decideOutcome, job)
      })

      const deliver: JobHandler = Effect.fnUntraced(function* (job) {
        const { transactionId } = yield* decodePayload(job)
        return yield* record(transactionId, delivered, decideOutcome, job)
      })

      const confirm: JobHandler = Effect.fnUntraced(function* (job) {
        const transaction = yield* loadTransaction(job)
        const request = confirmRequestOf(transaction)
        if (request === undefined) return yield* finish(job)
        const outcome = yield* requireDefinite(yield* rails.inquire(request))
        yield* reachFailPoint("transfer.confirmed")
        return yield* record(transaction.id, outcome, decideConfirmation, job)
      })

      const refund: JobHandler = Effect.fnUntraced(function* (job) {
        const transaction = yield* loadTransaction(job)
        const request = refundRequestOf(transaction)
        if (request === undefined) return yield* finish(job)
        const outcome = yield* rails.refund(request)
        yield* reachFailPoint("refund.asked")
        return yield* record(transaction.id, yield* requireDefinite(outcome), decideRefund, job)
      })

      const cancel: JobHandler = Effect.fnUntraced(function* (job) {
        const transaction = yield* loadTransaction(job)
        const request = cancelRequestOf(transaction)
        if (request === undefined) return yield* finish(job)
        const outcome = yield* rails.cancel(request)
        yield* reachFailPoint("cancellation.asked")
        const decide: Decide = (loaded, definite, _isFull, context) => decideCancellation(loaded, definite, context)
        return yield* record(transaction.id, yield* requireDefinite(outcome), decide, job)
      })

      return Outcomes.of({
        ask,
        deliver,
        confirm,
        refund,
        cancel,
        report: (transactionId, outcome) =>
          record(transactionId, Outside.clean(outcome), decideOutcome).pipe(
            Effect.provideService(Store, store),
            Effect.provideService(WallTime, wall),
            Effect.provideService(SecureRandom.SecureRandom, random),
          ),
      })
    }),
  )
}
