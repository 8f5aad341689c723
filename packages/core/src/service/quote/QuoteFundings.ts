/**
 * The money of quotes that comes from outside: sent by a payer or pulled by a rail; and the end of quotes for which none came.
 * Source: wire contract 5.5, 7.1 and 11 (7); D-130.
 */
import { Context, Effect, Layer, Schema } from "effect"
import type { SecureRandom } from "effect/crypto"
import { decideEnd, decidePull, fund, laterMillisMin, type Payment } from "../../decision/quote/QuoteFundingDecision.ts"
import type { DefiniteOutcome } from "../../decision/transaction/OutcomeDecision.ts"
import type { ServiceError } from "../../foundation/errors/ServiceError.ts"
import { isOutgoing, type TransactionResource } from "../../model/transaction/TransactionResource.ts"
import { reachFailPoint } from "../../operation/FailPoints.ts"
import { finish, finishing, JobFailed, type JobHandler } from "../../operation/Jobs.ts"
import * as Operation from "../../operation/Operation.ts"
import { platformOnly } from "../../operation/PlatformOnly.ts"
import { Rails } from "../../ports/Rails.ts"
import type { WallTime } from "../../ports/WallTime.ts"
import type { CurrentCaller } from "../../store/Caller.ts"
import * as Changes from "../../store/Changes.ts"
import { job as newJob } from "../../store/JobKinds.ts"
import { type ClaimedJob, Store, type StoreUnavailable } from "../../store/Store.ts"
import { loadTransactionScope } from "../transaction/TransactionLoads.ts"
import { readQuoteParts } from "./QuoteReads.ts"

const PullPayload = Schema.Struct({ transactionId: Schema.String, accountId: Schema.String })
const decodePull = Schema.decodeUnknownEffect(PullPayload)
const EndPayload = Schema.Struct({ quoteId: Schema.String })
const decodeEnd = Schema.decodeUnknownEffect(EndPayload)

const idsMax = 24

export class QuoteFundings extends Context.Service<
  QuoteFundings,
  {
    /** A payer's money came: the transaction goes on, or fails where the amount is another one. Errors: `INVALID_INPUT`. */
    readonly receive: (
      quoteId: string,
      payment: Payment,
    ) => Effect.Effect<Operation.Answered<TransactionResource>, ServiceError | StoreUnavailable, CurrentCaller>
    /** The handler of pull jobs: asks the rail of the source. */
    readonly pull: JobHandler
    /** The handler that looks what time has done to a quote. */
    readonly end: JobHandler
  }
>()("@countersign/core/QuoteFundings") {
  static readonly layer = Layer.effect(
    QuoteFundings,
    Effect.gen(function* () {
      const rails = yield* Rails
      const store = yield* Store
      const services = yield* Effect.context<Store | WallTime | SecureRandom.SecureRandom>()

      const receive = Effect.fnUntraced(
        function* (quoteId: string, payment: Payment) {
          return yield* Operation.run({
            name: "QuoteFundings.receive",
            ids: idsMax,
            load: (read) => readQuoteParts(read, quoteId),
            decide: fund(payment),
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

      /** Marks the pull as submitted before the call: from then on only the rail can say how it ends. */
      const submit = (quoteId: string) =>
        Operation.run({
          name: "QuoteFundings.submit",
          load: (read) => readQuoteParts(read, quoteId),
          decide: (parts, { now }) => {
            const { pulled, transaction } = parts
            const { exchange } = transaction.data
            const isBlocked = pulled !== undefined && !pulled.data.isDeleted && pulled.data.status !== "ACTIVE"
            if (exchange?.pull === undefined || exchange.pull.submittedAt !== undefined || isBlocked) {
              return Operation.answer(200, { transaction, isBlocked })
            }
            const data = {
              ...transaction.data,
              exchange: { ...exchange, pull: { ...exchange.pull, submittedAt: now } },
            }
            return Operation.answer(
              200,
              { transaction: { ...transaction, data }, isBlocked },
              Changes.combine(Changes.update(transaction, data), pulled && Changes.guard(pulled)),
            )
          },
        }).pipe(Effect.map((answered) => answered.body))

      const loadBegun = Effect.fnUntraced(function* (read: Operation.Read, quoteId: string) {
        const parts = yield* readQuoteParts(read, quoteId)
        const { action, agent } = yield* loadTransactionScope(read, parts.transaction.id)
        return { parts, action, agent }
      })

      const record = (quoteId: string, outcome: DefiniteOutcome, job: ClaimedJob) =>
        Operation.run({
          name: "QuoteFundings.record",
          ids: idsMax,
          load: (read) => loadBegun(read, quoteId),
          decide: (loaded, { ids, now }) => {
            const moved = decidePull(loaded, outcome, { ids, now })
            const again =
              outcome._tag === "Later"
                ? newJob(ids, "quote.pull", {
                    customerId: job.customerId,
                    dueAt: Math.max(outcome.at, now + laterMillisMin),
                    payload: job.payload,
                    ...(job.lane === undefined ? {} : { lane: job.lane }),
                  })
                : undefined
            const jobs = again === undefined ? [] : [again]
            return Operation.answer(200, null, Changes.combine(moved?.changes, { jobs }, finishing(job)))
          },
        }).pipe(Effect.asVoid)

      const pull: JobHandler = Effect.fnUntraced(function* (job) {
        const { accountId, transactionId } = yield* Effect.orDie(decodePull(job.payload))
        const quoteId = yield* quoteIdOf(transactionId)
        const { isBlocked, transaction } = yield* submit(quoteId)
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
        // The payout has the transaction's reference: the pull has the quote's.
        const outcome = yield* rails.pull({
          reference: quoteId,
          amount,
          submittedAt,
          source: { accountId, currency, accountInfo },
        })
        yield* reachFailPoint("quote.asked")
        if (outcome._tag === "Unknown") {
          return yield* new JobFailed({ reason: `the rail does not know: ${outcome.cause}` })
        }
        return yield* record(quoteId, outcome, job)
      })

      const end: JobHandler = Effect.fnUntraced(function* (job) {
        const { quoteId } = yield* Effect.orDie(decodeEnd(job.payload))
        yield* Operation.run({
          name: "QuoteFundings.end",
          ids: idsMax,
          load: (read) => loadBegun(read, quoteId),
          decide: (begun, context) =>
            Operation.answer(200, null, Changes.combine(decideEnd(begun, context)?.changes, finishing(job))),
        })
      })

      return QuoteFundings.of({ receive, pull, end })
    }),
  )
}
