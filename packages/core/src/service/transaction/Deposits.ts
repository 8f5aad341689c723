/**
 * Deposits by the funding instructions of internal accounts: reported by a bank or a chain, held, released, and given back.
 * Source: wire contract areas 2.7, 2.8 and 2.13; architecture, "Jobs, external calls and time"; D-398, D-399.
 */
import { Context, Effect, Layer, Schema } from "effect"
import type { SecureRandom } from "effect/crypto"
import { holdFor } from "../../decision/transaction/DepositChanges.ts"
import {
  type DepositDetails,
  decideDeposit,
  decideDepositRefund,
  depositInquiryOf,
  depositRefundOf,
  isHeldDeposit,
  submitDepositRefund,
} from "../../decision/transaction/DepositDecision.ts"
import { type DefiniteOutcome, decideOutcome } from "../../decision/transaction/OutcomeDecision.ts"
import { invalidInput, ServiceError } from "../../foundation/errors/ServiceError.ts"
import * as IdPool from "../../foundation/ids/IdPool.ts"
import * as Outside from "../../foundation/kit/Outside.ts"
import type { DepositSource, PendingReason } from "../../model/account/Deposit.ts"
import { arrivedProblems } from "../../model/transaction/ArrivedDetails.ts"
import type { IncomingTransactionResource } from "../../model/transaction/TransactionResource.ts"
import { reachFailPoint } from "../../operation/FailPoints.ts"
import { finish, finishing, JobFailed, type JobHandler } from "../../operation/Jobs.ts"
import * as Operation from "../../operation/Operation.ts"
import { platformOnly } from "../../operation/PlatformOnly.ts"
import { type InquiryOutcome, Rails } from "../../ports/Rails.ts"
import type { WallTime } from "../../ports/WallTime.ts"
import type { CurrentCaller } from "../../store/Caller.ts"
import * as Changes from "../../store/Changes.ts"
import { type ClaimedJob, Store, type StoreUnavailable } from "../../store/Store.ts"
import { loadForDeposit, makeScreening } from "../account/DepositScreenings.ts"
import { instructOnce } from "./RailInstructions.ts"
import { loadTransactionScope } from "./TransactionLoads.ts"

type Result<A> = Effect.Effect<A, ServiceError | StoreUnavailable, CurrentCaller>

/** A deposit as the platform's bank or chain reports it. */
export interface DepositReport extends Omit<DepositDetails, "deposit"> {
  readonly accountId: string
  /** Smallest unit of the account's currency. */
  readonly amount: number
  readonly source: DepositSource
  /** The bank's own identifier: a second report of the same deposit is dropped. */
  readonly depositId: string
  /** The hash of its transaction on a chain. */
  readonly transactionHash?: string
}

const decodePayload = ({ payload }: ClaimedJob) =>
  Effect.orDie(Schema.decodeUnknownEffect(Schema.Struct({ transactionId: Schema.String }))(payload))

const requireDefinite = (outcome: InquiryOutcome): Effect.Effect<DefiniteOutcome, JobFailed> =>
  outcome._tag === "Unknown" || outcome._tag === "NotReceived"
    ? Effect.fail(new JobFailed({ reason: "the rail does not know the deposit" }))
    : Effect.succeed(outcome)

export class Deposits extends Context.Service<
  Deposits,
  {
    /**
     * Records a deposit that has arrived; `undefined`: it was reported before. Errors: `REFERENCE_NOT_FOUND`, `INVALID_INPUT`.
     * Its later fate (released, refused, taken back by its sender) is reported by `Outcomes.report`.
     */
    readonly report: (deposit: DepositReport) => Result<IncomingTransactionResource | undefined>
    /** Reports that a held deposit waits for another reason. A deposit that is not held stays as it is. */
    readonly hold: (transactionId: string, reason: PendingReason) => Result<void>
    /** The handler that asks the rail about a held deposit. */
    readonly ask: JobHandler
    /** The handler that refuses a deposit that nobody has released. */
    readonly expire: JobHandler
    /** The handler that gives a deposit back. */
    readonly refund: JobHandler
  }
>()("@countersign/core/Deposits") {
  static readonly layer = Layer.effect(
    Deposits,
    Effect.gen(function* () {
      const store = yield* Store
      const rails = yield* Rails
      const screen = yield* makeScreening
      const services = yield* Effect.context<Store | WallTime | SecureRandom.SecureRandom>()

      const report = Effect.fnUntraced(
        function* ({ accountId, amount, depositId, source, transactionHash: reportedHash, ...details }: DepositReport) {
          const problems = arrivedProblems({ amount, ...details })
          if (problems.length > 0) return yield* new ServiceError(invalidInput(problems))
          const id = yield* IdPool.draw("Transaction", accountId)
          const { body } = yield* Operation.run({
            name: "Deposits.report",
            ids: 12,
            load: (read) => loadForDeposit(read, accountId),
            ask: ({ account }) => screen({ transactionId: id, account, amount, source, transactionHash: reportedHash }),
            decide: (facts, context) => {
              const { transactionHash } = facts
              const deposit = { source, depositId, ...(transactionHash === undefined ? {} : { transactionHash }) }
              return decideDeposit(id, amount, { ...details, deposit })(facts, context)
            },
          })
          return body ?? undefined
        },
        platformOnly,
        Effect.provideContext(services),
      )

      const record = (transactionId: string, outcome: DefiniteOutcome, decide: typeof decideOutcome, job: ClaimedJob) =>
        Operation.run({
          name: "Deposits.record",
          ids: 24,
          load: (read) => loadTransactionScope(read, transactionId),
          decide: (loaded, context) => {
            const isFull = Operation.exceededExactRange(context.rejections)
            const decided = decide(loaded, outcome, isFull, context)
            return Operation.answer(200, null, Changes.combine(decided?.changes, finishing(job)))
          },
        }).pipe(Effect.asVoid)

      const loadTransaction = Effect.fnUntraced(function* (job: ClaimedJob) {
        const { transactionId: id } = yield* decodePayload(job)
        const found = yield* store.read({ records: [{ kind: "Transaction", id }] })
        return found.record("Transaction", id) ?? (yield* Effect.die(new Error(`transaction ${id} does not exist`)))
      })

      const ask: JobHandler = Effect.fnUntraced(function* (job) {
        const transaction = yield* loadTransaction(job)
        const inquiry = depositInquiryOf(transaction)
        if (inquiry === undefined) return yield* finish(job)
        const outcome = yield* requireDefinite(yield* rails.inquire(inquiry))
        return yield* record(transaction.id, outcome, decideOutcome, job)
      })

      const expire: JobHandler = Effect.fnUntraced(function* (job) {
        const transaction = yield* loadTransaction(job)
        if (!isHeldDeposit(transaction)) return yield* finish(job)
        return yield* record(transaction.id, { _tag: "Refused", reason: "BANK_REJECTED" }, decideOutcome, job)
      })

      const refund: JobHandler = Effect.fnUntraced(function* (job) {
        const { transactionId } = yield* decodePayload(job)
        const { body } = yield* Operation.run({
          name: "Deposits.submitRefund",
          load: (read) => Effect.map(loadTransactionScope(read, transactionId), ({ transaction }) => transaction),
          decide: submitDepositRefund,
        })
        const instruction = depositRefundOf(body.transaction)
        if (instruction === undefined) return yield* finish(job)
        yield* reachFailPoint("transfer.submitted")
        const outcome = yield* requireDefinite(yield* instructOnce(rails, instruction, body.isFirst))
        yield* reachFailPoint("refund.asked")
        return yield* record(transactionId, outcome, decideDepositRefund, job)
      })

      const hold = Effect.fnUntraced(
        function* (transactionId: string, reason: PendingReason) {
          yield* Operation.run({
            name: "Deposits.hold",
            load: (read) => Effect.map(loadTransactionScope(read, transactionId), ({ transaction }) => transaction),
            decide: (transaction, { ids, now }) => {
              const isChanged = isHeldDeposit(transaction) && transaction.data.pendingReason !== reason
              return Operation.answer(200, null, isChanged ? holdFor(ids, now, transaction, reason).changes : undefined)
            },
          })
        },
        platformOnly,
        Effect.provideContext(services),
      )

      return Deposits.of({ report: (deposit) => report(Outside.clean(deposit)), hold, ask, expire, refund })
    }),
  )
}
