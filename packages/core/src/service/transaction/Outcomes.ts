/**
 * The one door for what a rail says of a transaction, early or late, once or several times; and the jobs that ask it.
 * Source: architecture, "Jobs, outside calls and time".
 */
import { Context, Effect, Layer, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import { canTake } from "../../decision/transaction/IncomingChanges.ts"
import {
  type DefiniteOutcome,
  decideCancellation,
  decideOutcome,
  decideRefund,
  type OutcomeLoaded,
} from "../../decision/transaction/OutcomeDecision.ts"
import { canTake as canOutgoing, isUnderWay } from "../../decision/transaction/OutgoingTransitions.ts"
import type { ServiceError } from "../../foundation/errors/ServiceError.ts"
import { PaymentRails } from "../../model/transaction/PaymentRails.ts"
import { type OutgoingTransaction, payoutOf } from "../../model/transaction/Transaction.ts"
import { isIncoming, isOutgoing } from "../../model/transaction/TransactionResource.ts"
import { reachFailPoint } from "../../operation/FailPoints.ts"
import { finish, finishing, JobFailed, type JobHandler } from "../../operation/Jobs.ts"
import * as Operation from "../../operation/Operation.ts"
import { type RailAccount, type RailOutcome, Rails } from "../../ports/Rails.ts"
import { WallTime } from "../../ports/WallTime.ts"
import type { CurrentCaller } from "../../store/Caller.ts"
import type { Stored } from "../../store/ChangeSet.ts"
import * as Changes from "../../store/Changes.ts"
import { type ClaimedJob, Store, type StoreUnavailable } from "../../store/Store.ts"
import { loadTransactionScope } from "./TransactionLoads.ts"

/** `accountId`: the external account, so that it is read together with the transaction. */
const Payload = Schema.Struct({ transactionId: Schema.String, accountId: Schema.optionalKey(Schema.String) })
const decodePayload = Schema.decodeUnknownEffect(Payload)

type Decide<A> = (
  loaded: OutcomeLoaded,
  said: A,
  isFull: boolean,
  context: Operation.DecisionContext,
) => ReturnType<typeof decideOutcome>

/** Whether the rail has still something to say of the payment. */
const isOpen = (stored: Stored<"Transaction">): boolean =>
  isIncoming(stored) ? canTake(stored.data, "Settle") : isOutgoing(stored) && isUnderWay(stored.data)

/** The external account, as the transaction keeps it. */
const accountOf = ({ data }: Stored<"Transaction">): RailAccount | undefined => {
  const accountId = data.type === "INCOMING" ? data.sourceAccountId : data.destinationAccountId
  const currency = data.type === "OUTGOING" ? payoutOf(data).currency : data.currency
  return data.externalAccount === undefined || accountId === undefined
    ? undefined
    : { accountId, currency, accountInfo: data.externalAccount.accountInfo }
}

/** What becomes of a payment to an internal account. */
const arrived: DefiniteOutcome = { _tag: "Done" }

/** What becomes of a payment whose account stopped being active before the rail was asked. */
const notActive: DefiniteOutcome = { _tag: "Refused", reason: "ACCOUNT_INVALID" }

const ofQuote = (exchange: OutgoingTransaction["exchange"]) =>
  exchange === undefined ? {} : { quoteId: exchange.quoteId }

/** What a push carries, the money first. */
const carried = (transaction: OutgoingTransaction) => {
  const { exchange, externalAccount, payerInformation, purposeOfPayment, remittanceInformation: text } = transaction
  const rail = externalAccount?.rail
  return {
    amount: payoutOf(transaction).amount,
    ...ofQuote(exchange),
    ...(rail === undefined ? {} : { rail }),
    ...(rail === undefined || text === undefined || text === ""
      ? {}
      : { remittance: { field: PaymentRails.get(rail).remittanceField, text } }),
    ...(purposeOfPayment === undefined ? {} : { purposeOfPayment }),
    ...(payerInformation === undefined ? {} : { payerInformation }),
  }
}

export class Outcomes extends Context.Service<
  Outcomes,
  {
    /** The handler of pull and push jobs: asks the rail, and stores what it says. */
    readonly ask: JobHandler
    /** The handler that brings money to an internal account: no rail is asked. */
    readonly deliver: JobHandler
    /** The handler of confirm jobs: asks whether what was delivered has come back. */
    readonly confirm: JobHandler
    /** The handler of refund jobs: asks whether the money is back. */
    readonly refund: JobHandler
    /** The handler of cancel jobs: asks the rail to call a payment back. */
    readonly cancel: JobHandler
    /** Stores what a rail or a bank reports; what comes too late or a second time is dropped. */
    readonly report: (
      transactionId: string,
      report: DefiniteOutcome,
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

      const record = <A>(transactionId: string, said: A, decide: Decide<A>, fence: ClaimedJob | undefined) =>
        Operation.run({
          name: "Outcomes.report",
          ids: 24,
          load: (read) => loadTransactionScope(read, transactionId),
          decide: (loaded, context) => {
            const outcome = decide(loaded, said, Operation.exceededExactRange(context.rejections), context)
            return Operation.answer(200, null, Changes.combine(outcome?.changes, fence && finishing(fence)))
          },
        }).pipe(
          Effect.asVoid,
          Effect.provideService(Store, store),
          Effect.provideService(WallTime, wall),
          Effect.provideService(SecureRandom.SecureRandom, random),
        )

      /** Unknown is never failure: the same reference is asked again. */
      const known = (outcome: RailOutcome): Effect.Effect<DefiniteOutcome, JobFailed> =>
        outcome._tag === "Unknown"
          ? Effect.fail(new JobFailed({ reason: `the rail does not know: ${outcome.cause}` }))
          : Effect.succeed(outcome)

      const find = Effect.fnUntraced(function* (job: ClaimedJob) {
        const { transactionId } = yield* Effect.orDie(decodePayload(job.payload))
        const read = yield* store.read({ records: [{ kind: "Transaction", id: transactionId }] })
        const stored = read.record("Transaction", transactionId)
        return stored ?? (yield* Effect.die(new Error(`no transaction ${transactionId}`)))
      })

      /**
       * Marks the transaction as submitted before the call: from then on only the rail can say how it ends. An account that is
       * not active any more neither pays nor is paid; one that was deleted does, by the transaction's copy (D-055).
       */
      const submit = ({ accountId, transactionId }: typeof Payload.Type) =>
        Operation.run({
          name: "Outcomes.submit",
          load: (read) =>
            read({
              records: [
                { kind: "Transaction", id: transactionId },
                ...(accountId === undefined ? [] : [{ kind: "ExternalAccount" as const, id: accountId }]),
              ],
            }),
          decide: (read, { now }) => {
            const stored = read.record("Transaction", transactionId)
            if (stored === undefined) throw new Error(`no transaction ${transactionId}`)
            const account = accountId === undefined ? undefined : read.record("ExternalAccount", accountId)
            const isSubmitted = !isOpen(stored) || stored.data.submittedAt !== undefined
            const isBlocked = !isSubmitted && account !== undefined && account.data.status !== "ACTIVE"
            if (isSubmitted || isBlocked) return Operation.answer(200, { stored, isBlocked })
            const data = { ...stored.data, submittedAt: now }
            return Operation.answer(
              200,
              { stored: Changes.after(stored, data, now), isBlocked },
              Changes.combine(Changes.update(stored, data), account && Changes.guard(account)),
            )
          },
        }).pipe(Effect.map((answered) => answered.body))

      const ask: JobHandler = Effect.fnUntraced(function* (job) {
        const payload = yield* Effect.orDie(decodePayload(job.payload))
        const { transactionId } = payload
        const { isBlocked, stored } = yield* submit(payload)
        if (isBlocked) return yield* record<DefiniteOutcome>(transactionId, notActive, decideOutcome, job)
        const account = accountOf(stored)
        const { amount, submittedAt } = stored.data
        if (!isOpen(stored) || account === undefined || submittedAt === undefined) return yield* finish(job)
        yield* reachFailPoint("transfer.submitted")
        const request = { reference: transactionId, amount, submittedAt }
        const outcome = isOutgoing(stored)
          ? yield* rails.push({ ...request, destination: account, ...carried(stored.data) })
          : yield* rails.pull({ ...request, source: account })
        yield* reachFailPoint("transfer.asked")
        return yield* record<DefiniteOutcome>(transactionId, yield* known(outcome), decideOutcome, job)
      })

      const deliver: JobHandler = Effect.fnUntraced(function* (job) {
        const { transactionId } = yield* Effect.orDie(decodePayload(job.payload))
        return yield* record<DefiniteOutcome>(transactionId, arrived, decideOutcome, job)
      })

      const confirm: JobHandler = Effect.fnUntraced(function* (job) {
        const stored = yield* find(job)
        const account = accountOf(stored)
        const { settledAt: deliveredAt, submittedAt } = stored.data
        const isDelivered = isOutgoing(stored) && canOutgoing(stored.data, "Return")
        if (!isDelivered || account === undefined || submittedAt === undefined || deliveredAt === undefined) {
          return yield* finish(job)
        }
        const request = { reference: stored.id, submittedAt, deliveredAt, destination: account }
        const outcome = yield* known(yield* rails.push({ ...request, ...carried(stored.data) }))
        yield* reachFailPoint("transfer.confirmed")
        return outcome._tag === "Returned"
          ? yield* record<DefiniteOutcome>(stored.id, outcome, decideOutcome, job)
          : yield* finish(job)
      })

      const refund: JobHandler = Effect.fnUntraced(function* (job) {
        const stored = yield* find(job)
        const account = accountOf(stored)
        const initiatedAt = isOutgoing(stored) ? stored.data.refund?.initiatedAt : undefined
        if (account === undefined || initiatedAt === undefined) return yield* finish(job)
        const request = { reference: stored.id, destination: account, initiatedAt }
        const outcome = yield* rails.refund(
          isOutgoing(stored)
            ? { ...request, amount: payoutOf(stored.data).amount, ...ofQuote(stored.data.exchange) }
            : { ...request, amount: stored.data.amount },
        )
        yield* reachFailPoint("refund.asked")
        return yield* record(stored.id, yield* known(outcome), decideRefund, job)
      })

      const cancel: JobHandler = Effect.fnUntraced(function* (job) {
        const stored = yield* find(job)
        const account = accountOf(stored)
        const { submittedAt, type } = stored.data
        if (account === undefined || submittedAt === undefined || !isOpen(stored)) return yield* finish(job)
        const outcome = yield* rails.cancel({
          reference: stored.id,
          direction: type === "INCOMING" ? "pull" : "push",
          account,
          submittedAt,
          ...(isOutgoing(stored) ? ofQuote(stored.data.exchange) : {}),
        })
        yield* reachFailPoint("cancellation.asked")
        const decide: Decide<DefiniteOutcome> = (loaded, said, _isFull, context) =>
          decideCancellation(loaded, said, context)
        return yield* record(stored.id, yield* known(outcome), decide, job)
      })

      return Outcomes.of({
        ask,
        deliver,
        confirm,
        refund,
        cancel,
        report: (transactionId, report) => record(transactionId, report, decideOutcome, undefined),
      })
    }),
  )
}
