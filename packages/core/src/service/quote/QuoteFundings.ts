/**
 * The external money of quotes: a payer sends it or a rail pulls it; and the expiry of quotes that receive none.
 * Source: wire contract 5.5, 7.1 and 11 (7); D-130.
 */
import { Context, Effect, Layer, Schema } from "effect"
import type { SecureRandom } from "effect/crypto"
import type { QuoteRecords } from "../../decision/quote/QuoteExecutionDecision.ts"
import { arrivedOnChain, fundQuote, type Payment } from "../../decision/quote/QuoteFundingDecision.ts"
import { expireOverdue, recordPullOutcome, submitPull } from "../../decision/quote/QuoteJobDecision.ts"
import type { DefiniteOutcome } from "../../decision/transaction/OutcomeDecision.ts"
import type { ServiceError } from "../../foundation/errors/ServiceError.ts"
import * as Outside from "../../foundation/kit/Outside.ts"
import { isOutgoing, type TransactionResource } from "../../model/transaction/TransactionResource.ts"
import { reachFailPoint } from "../../operation/FailPoints.ts"
import { finish, finishing, JobFailed, type JobHandler } from "../../operation/Jobs.ts"
import * as Operation from "../../operation/Operation.ts"
import { platformOnly } from "../../operation/PlatformOnly.ts"
import { DepositScreening } from "../../ports/DepositScreening.ts"
import { Rails } from "../../ports/Rails.ts"
import type { WallTime } from "../../ports/WallTime.ts"
import type { CurrentCaller } from "../../store/Caller.ts"
import * as Changes from "../../store/Changes.ts"
import { type ClaimedJob, Store, type StoreUnavailable } from "../../store/Store.ts"
import { instructOnce } from "../transaction/RailInstructions.ts"
import { loadTransactionScope } from "../transaction/TransactionLoads.ts"
import { loadQuoteRecords } from "./QuoteReads.ts"

const PullPayload = Schema.Struct({ transactionId: Schema.String, accountId: Schema.String })
const decodePull = Schema.decodeUnknownEffect(PullPayload)
const EndPayload = Schema.Struct({ quoteId: Schema.String })
const decodeEnd = Schema.decodeUnknownEffect(EndPayload)

const idsMax = 24

/** Loads a quote with the agent's action that executed it, if an agent did. */
const loadForJob = Effect.fnUntraced(function* (read: Operation.Read, quoteId: string) {
  const records = yield* loadQuoteRecords(read, quoteId)
  const { action, agent } = yield* loadTransactionScope(read, records.transaction.id)
  return { records, action, agent }
})

/** Marks the pull as submitted before the rail is called. */
const submit = (quoteId: string) =>
  Operation.run({
    name: "QuoteFundings.submit",
    load: (read) => loadQuoteRecords(read, quoteId),
    decide: submitPull,
  }).pipe(Effect.map((answered) => answered.body))

/** Stores the outcome of a pull and finishes its job. */
const record = (quoteId: string, outcome: DefiniteOutcome, job: ClaimedJob) =>
  Operation.run({
    name: "QuoteFundings.record",
    ids: idsMax,
    load: (read) => loadForJob(read, quoteId),
    decide: (loaded, context) =>
      Operation.answer(200, null, Changes.combine(recordPullOutcome(loaded, outcome, job, context), finishing(job))),
  }).pipe(Effect.asVoid)

/** Stores the expiry of a quote or of its challenge and finishes the job. */
const expire = (quoteId: string, job: ClaimedJob) =>
  Operation.run({
    name: "QuoteFundings.end",
    ids: idsMax,
    load: (read) => loadForJob(read, quoteId),
    decide: (loaded, context) =>
      Operation.answer(200, null, Changes.combine(expireOverdue(loaded, context), finishing(job))),
  }).pipe(Effect.asVoid)

export class QuoteFundings extends Context.Service<
  QuoteFundings,
  {
    /** Records a payer's payment. The transaction continues, or fails if the amount differs. Errors: `INVALID_INPUT`. */
    readonly receive: (
      quoteId: string,
      payment: Payment,
    ) => Effect.Effect<Operation.Answered<TransactionResource>, ServiceError | StoreUnavailable, CurrentCaller>
    /** Handles a pull job: asks the rail of the source to pull. */
    readonly pull: JobHandler
    /** Handles an expiry job: stores the state that time has given a quote. */
    readonly end: JobHandler
  }
>()("@countersign/core/QuoteFundings") {
  static readonly layer = Layer.effect(
    QuoteFundings,
    Effect.gen(function* () {
      const rails = yield* Rails
      const screening = yield* DepositScreening
      const store = yield* Store
      const services = yield* Effect.context<Store | WallTime | SecureRandom.SecureRandom>()

      /** Asks for the hash of the payer's transaction on a chain, where the payment names none. */
      const askHash = Effect.fnUntraced(function* (records: QuoteRecords, { amount, transactionHash }: Payment) {
        const arrived = transactionHash === undefined ? arrivedOnChain(records, amount) : undefined
        return { arrivedHash: arrived && (yield* screening.transactionHash(arrived)) }
      })

      const receive = Effect.fnUntraced(
        function* (quoteId: string, payment: Payment) {
          return yield* Operation.run({
            name: "QuoteFundings.receive",
            ids: idsMax,
            load: (read) => loadQuoteRecords(read, quoteId),
            ask: (records) => askHash(records, payment),
            decide: fundQuote(payment),
          })
        },
        platformOnly,
        Effect.provideContext(services),
      )

      const quoteIdOf = Effect.fnUntraced(function* (transactionId: string) {
        const read = yield* store.read({ records: [{ kind: "Transaction", id: transactionId }] })
        const stored = read.record("Transaction", transactionId)
        const quoteId = stored !== undefined && isOutgoing(stored) ? stored.data.exchange?.quoteId : undefined
        return quoteId ?? (yield* Effect.die(new Error(`${transactionId} has no quote`)))
      })

      const pull: JobHandler = Effect.fnUntraced(function* (job) {
        const { accountId, transactionId } = yield* Effect.orDie(decodePull(job.payload))
        const quoteId = yield* quoteIdOf(transactionId)
        const { isBlocked, isFirst, transaction } = yield* submit(quoteId)
        const { amount, currency, exchange } = transaction.data
        const submittedAt = exchange?.pull?.submittedAt
        if (isBlocked && submittedAt === undefined) {
          return yield* record(quoteId, { _tag: "Refused", reason: "ACCOUNT_INVALID" }, job)
        }
        if (exchange?.pull === undefined || submittedAt === undefined || exchange.fundedAt !== undefined) {
          return yield* finish(job)
        }
        yield* reachFailPoint("quote.submitted")
        const { accountInfo } = exchange.pull
        // The payout uses the transaction's id as its reference, so the pull uses the quote's id.
        const request = { reference: quoteId, amount, submittedAt, source: { accountId, currency, accountInfo } }
        const outcome = yield* instructOnce(rails, { _tag: "Pull", request }, isFirst)
        yield* reachFailPoint("quote.asked")
        if (outcome._tag === "Unknown") {
          return yield* new JobFailed({ reason: `the rail does not know: ${outcome.cause}` })
        }
        return yield* record(quoteId, outcome, job)
      })

      const end: JobHandler = Effect.fnUntraced(function* (job) {
        const { quoteId } = yield* Effect.orDie(decodeEnd(job.payload))
        yield* expire(quoteId, job)
      })

      return QuoteFundings.of({
        receive: (quoteId, payment) => receive(quoteId, Outside.clean(payment)),
        pull,
        end,
      })
    }),
  )
}
