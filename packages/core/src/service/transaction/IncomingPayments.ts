/**
 * Payments that arrive over a rail that asks the platform: received, asked about, taken or not.
 * Source: wire contract 5.1, 5.7 and 6.3.
 */
import { Context, Effect, Layer, Schema } from "effect"
import type { SecureRandom } from "effect/crypto"
import { auditRecord } from "../../decision/audit/Audit.ts"
import {
  awaitsApproval,
  canBeDecided,
  decideApproval,
  missingFields,
  missingFieldsRefusal,
  notPending,
  type Verdict,
  verdictOf,
} from "../../decision/transaction/ApprovalDecision.ts"
import { type CreditedAccount, receive } from "../../decision/transaction/IncomingChanges.ts"
import { notFound, ServiceError } from "../../foundation/errors/ServiceError.ts"
import type { Json } from "../../foundation/kit/CanonicalJson.ts"
import type { AuditOperation } from "../../model/audit/AuditRecord.ts"
import type { RequestedField } from "../../model/transaction/Transaction.ts"
import {
  type IncomingTransactionResource,
  isIncoming,
  toIncomingTransaction,
} from "../../model/transaction/TransactionResource.ts"
import { amountPositive } from "../../model/transaction/TransferRules.ts"
import { reachFailPoint } from "../../operation/FailPoints.ts"
import { finishing, type JobHandler } from "../../operation/Jobs.ts"
import * as Operation from "../../operation/Operation.ts"
import { platformOnly } from "../../operation/PlatformOnly.ts"
import type { WallTime } from "../../ports/WallTime.ts"
import type { CurrentCaller } from "../../store/Caller.ts"
import * as Changes from "../../store/Changes.ts"
import { type ClaimedJob, Store, type StoreUnavailable } from "../../store/Store.ts"
import { Webhooks } from "../event/Webhooks.ts"
import { loadTransactionScope } from "./TransactionLoads.ts"

type Result<A> = Effect.Effect<A, ServiceError | StoreUnavailable, CurrentCaller>
type Answered = Operation.Answered<IncomingTransactionResource>

/** A payment as its rail announces it. */
export interface PaymentAnnouncement {
  readonly destinationAccountId: string
  /** Smallest unit of the destination's currency. */
  readonly amount: number
  readonly senderUmaAddress: string
  /** What the sender's side wants to know of the receiver. */
  readonly requestedFields: ReadonlyArray<RequestedField>
  /** Whether the sandbox makes it up, which is put on record. */
  readonly isSimulated?: boolean
}

const Question = Schema.Struct({ eventId: Schema.String })
const decodeQuestion = Schema.decodeUnknownEffect(Question)
const TimeOut = Schema.Struct({ transactionId: Schema.String })
const decodeTimeOut = Schema.decodeUnknownEffect(TimeOut)

export class IncomingPayments extends Context.Service<
  IncomingPayments,
  {
    /** A payment arrives: recorded, and the platform is asked. Errors: 404, `INVALID_AMOUNT`, `INVALID_INPUT`. */
    readonly receive: (announced: PaymentAnnouncement) => Result<Answered>
    /** The platform takes a payment that it had answered with 202. Errors: `TRANSACTION_NOT_PENDING_PLATFORM_APPROVAL`. */
    readonly approve: (transactionId: string, info?: { readonly [name: string]: Json }) => Result<Answered>
    readonly reject: (transactionId: string, reason?: string) => Result<Answered>
    /** The handler of questions: sends the event, and takes the answer as the decision. */
    readonly ask: JobHandler
    /** The handler that ends the time to decide. */
    readonly timeOut: JobHandler
  }
>()("@countersign/core/IncomingPayments") {
  static readonly layer = Layer.effect(
    IncomingPayments,
    Effect.gen(function* () {
      const store = yield* Store
      const webhooks = yield* Webhooks
      const services = yield* Effect.context<Store | WallTime | SecureRandom.SecureRandom>()

      const load = Effect.fnUntraced(function* (read: Operation.Read, transactionId: string) {
        const { account, accountReceivable: owed, transaction } = yield* loadTransactionScope(read, transactionId)
        if (!isIncoming(transaction) || account === undefined) return yield* new ServiceError(notPending)
        const receiver: CreditedAccount = { account, receivable: owed }
        return { receiver, transaction }
      })

      const loadReceiver = Effect.fnUntraced(function* (read: Operation.Read, accountId: string) {
        const found = yield* read({ records: [{ kind: "InternalAccount", id: accountId }] })
        const account = found.record("InternalAccount", accountId)
        if (account === undefined) return yield* new ServiceError(notFound("internal account"))
        const id = account.customerId
        const customer =
          id === null ? undefined : (yield* read({ records: [{ kind: "Customer", id }] })).record("Customer", id)
        return { account, customer }
      })

      const announced = Effect.fnUntraced(
        function* (payment: PaymentAnnouncement) {
          const { amount, destinationAccountId, isSimulated = false, requestedFields, senderUmaAddress } = payment
          return yield* Operation.run({
            name: "IncomingPayments.receive",
            load: (read) => loadReceiver(read, destinationAccountId),
            decide: ({ account, customer }, context) => {
              const { ids, now } = context
              const refused = amountPositive({ requested: amount })
              if (refused !== undefined) return Operation.refuse(refused)
              const { changes, transaction } = receive(ids, now, account, {
                platformCustomerId: customer?.data.platformCustomerId ?? "",
                amount,
                currency: account.data.currency,
                destinationAccountId,
                senderUmaAddress,
                approval: { requestedFields },
              })
              return Operation.answer(
                201,
                toIncomingTransaction(transaction),
                Changes.combine(
                  changes,
                  Changes.guard(account),
                  isSimulated
                    ? auditRecord(context, "SANDBOX_UMA_RECEIVE", account, {
                        details: { transactionId: transaction.id, amount, currency: account.data.currency },
                      })
                    : undefined,
                ),
              )
            },
          })
        },
        platformOnly,
        Effect.provideContext(services),
      )

      /** The platform decides by a call. */
      const decided = Effect.fnUntraced(
        function* (operation: AuditOperation, transactionId: string, verdict: Verdict) {
          return yield* Operation.run({
            name: "IncomingPayments.decide",
            load: (read) => load(read, transactionId),
            decide: ({ receiver, transaction }, context) => {
              if (!canBeDecided(transaction.data, context.now)) return Operation.refuse(notPending)
              const missing =
                verdict._tag === "Accept"
                  ? missingFields(transaction.data.approval?.requestedFields ?? [], verdict.info)
                  : []
              if (missing.length > 0) return Operation.refuse(missingFieldsRefusal(missing))
              const isFull = Operation.exceededExactRange(context.rejections)
              const moved = decideApproval(transaction, receiver, verdict, isFull, context)
              const { failureReason } = moved.transaction.data
              const told = auditRecord(
                context,
                operation,
                transaction,
                failureReason === undefined ? {} : { outcome: "FAILED", details: { failureReason } },
              )
              return Operation.answer(
                200,
                toIncomingTransaction(moved.transaction),
                Changes.combine(moved.changes, told),
              )
            },
          })
        },
        platformOnly,
        Effect.provideContext(services),
      )

      /** What came of asking; a question that was answered meanwhile changes nothing. */
      const concluded = (transactionId: string, verdict: Verdict, job: ClaimedJob) =>
        Operation.run({
          name: "IncomingPayments.conclude",
          load: (read) => load(read, transactionId),
          decide: ({ receiver, transaction }, context) => {
            const isFull = Operation.exceededExactRange(context.rejections)
            const moved = awaitsApproval(transaction.data)
              ? decideApproval(transaction, receiver, verdict, isFull, context)
              : undefined
            return Operation.answer(200, null, Changes.combine(moved?.changes, finishing(job)))
          },
        }).pipe(Effect.asVoid)

      const ask: JobHandler = Effect.fnUntraced(function* (job) {
        const { eventId } = yield* Effect.orDie(decodeQuestion(job.payload))
        const event = yield* store.event(eventId)
        if (event === undefined) return yield* Effect.die(new Error(`no event ${eventId}`))
        const result = yield* webhooks.ask(event, job.firstClaimedAt)
        yield* reachFailPoint("payment.asked")
        return yield* concluded(event.subject, verdictOf(result), job)
      })

      const timeOut: JobHandler = Effect.fnUntraced(function* (job) {
        const { transactionId } = yield* Effect.orDie(decodeTimeOut(job.payload))
        return yield* concluded(transactionId, { _tag: "Fail", reason: "PAYMENT_APPROVAL_TIMED_OUT" }, job)
      })

      return IncomingPayments.of({
        receive: announced,
        approve: (transactionId, info) =>
          decided("PAYMENT_APPROVE", transactionId, {
            _tag: "Accept",
            ...(info === undefined ? {} : { info }),
          }),
        reject: (transactionId, reason) =>
          decided("PAYMENT_REJECT", transactionId, {
            _tag: "Reject",
            ...(reason === undefined ? {} : { reason }),
          }),
        ask,
        timeOut,
      })
    }),
  )
}
