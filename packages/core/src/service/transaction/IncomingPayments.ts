/**
 * Incoming payments that the platform must approve: received, announced to the platform, and decided.
 * Source: wire contract 5.1, 5.7 and 6.3.
 */
import { Context, Effect, Layer, Schema } from "effect"
import type { SecureRandom } from "effect/crypto"
import { decideByCall, decideByJob } from "../../decision/transaction/ApprovalDecision.ts"
import { type Verdict, verdictOf } from "../../decision/transaction/ApprovalVerdict.ts"
import { decideArrival, type PaymentAnnouncement } from "../../decision/transaction/ArrivalDecision.ts"
import { notFound, type ServiceError } from "../../foundation/errors/ServiceError.ts"
import type { Json } from "../../foundation/kit/CanonicalJson.ts"
import * as Outside from "../../foundation/kit/Outside.ts"
import type { AuditOperation } from "../../model/audit/AuditRecord.ts"
import type { IncomingTransactionResource } from "../../model/transaction/TransactionResource.ts"
import { reachFailPoint } from "../../operation/FailPoints.ts"
import { finishing, type JobHandler } from "../../operation/Jobs.ts"
import * as Operation from "../../operation/Operation.ts"
import { platformOnly } from "../../operation/PlatformOnly.ts"
import { readExisting } from "../../operation/ReadExisting.ts"
import type { WallTime } from "../../ports/WallTime.ts"
import type { CurrentCaller } from "../../store/Caller.ts"
import { type ClaimedJob, Store, type StoreUnavailable } from "../../store/Store.ts"
import { Webhooks } from "../event/Webhooks.ts"
import { loadTransactionScope } from "./TransactionLoads.ts"

type Result<A> = Effect.Effect<A, ServiceError | StoreUnavailable, CurrentCaller>
type Answered = Operation.Answered<IncomingTransactionResource>

const decodeQuestion = Schema.decodeUnknownEffect(Schema.Struct({ eventId: Schema.String }))
const decodeTimeout = Schema.decodeUnknownEffect(Schema.Struct({ transactionId: Schema.String }))

const timedOut: Verdict = { _tag: "Fail", reason: "PAYMENT_APPROVAL_TIMED_OUT" }

const loadDestination = Effect.fnUntraced(function* (read: Operation.Read, accountId: string) {
  const account = yield* readExisting(read, "InternalAccount", accountId, notFound("internal account"))
  const id = account.customerId
  const customer =
    id === null ? undefined : (yield* read({ records: [{ kind: "Customer", id }] })).record("Customer", id)
  return { account, customer }
})

export class IncomingPayments extends Context.Service<
  IncomingPayments,
  {
    /** Records a payment and asks the platform for approval. Errors: 404, `INVALID_AMOUNT`, `INVALID_INPUT`, also for an inactive account. */
    readonly receive: (announcement: PaymentAnnouncement) => Result<Answered>
    /** Accepts a payment that the platform answered with 202. Errors: `TRANSACTION_NOT_PENDING_PLATFORM_APPROVAL`. */
    readonly approve: (transactionId: string, info?: { readonly [name: string]: Json }) => Result<Answered>
    readonly reject: (transactionId: string, reason?: string) => Result<Answered>
    /** The handler that sends the event: the endpoint's response is the platform's decision. */
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

      const receive = Effect.fnUntraced(
        function* (announcement: PaymentAnnouncement) {
          return yield* Operation.run({
            name: "IncomingPayments.receive",
            load: (read) => loadDestination(read, announcement.destinationAccountId),
            decide: decideArrival(announcement),
          })
        },
        platformOnly,
        Effect.provideContext(services),
      )

      const decide = Effect.fnUntraced(
        function* (operation: AuditOperation, transactionId: string, verdict: Verdict) {
          return yield* Operation.run({
            name: "IncomingPayments.decide",
            load: (read) => loadTransactionScope(read, transactionId),
            decide: decideByCall(operation, verdict),
          })
        },
        platformOnly,
        Effect.provideContext(services),
      )

      const conclude = (transactionId: string, verdict: Verdict, job: ClaimedJob) =>
        Operation.run({
          name: "IncomingPayments.conclude",
          load: (read) => loadTransactionScope(read, transactionId),
          decide: decideByJob(verdict, finishing(job)),
        }).pipe(Effect.asVoid)

      const ask: JobHandler = Effect.fnUntraced(function* (job) {
        const { eventId } = yield* Effect.orDie(decodeQuestion(job.payload))
        const event = yield* store.event(eventId)
        if (event === undefined) return yield* Effect.die(new Error(`event ${eventId} does not exist`))
        const result = yield* webhooks.sendEvent(event, job.firstClaimedAt)
        yield* reachFailPoint("payment.asked")
        return yield* conclude(event.subject, verdictOf(result), job)
      })

      const timeOut: JobHandler = Effect.fnUntraced(function* (job) {
        const { transactionId } = yield* Effect.orDie(decodeTimeout(job.payload))
        return yield* conclude(transactionId, timedOut, job)
      })

      return IncomingPayments.of({
        receive: (announcement) => receive(Outside.clean(announcement)),
        approve: (transactionId, info) =>
          decide("PAYMENT_APPROVE", transactionId, { _tag: "Accept", ...(info === undefined ? {} : { info }) }),
        reject: (transactionId, reason) =>
          decide("PAYMENT_REJECT", transactionId, { _tag: "Reject", ...(reason === undefined ? {} : { reason }) }),
        ask,
        timeOut,
      })
    }),
  )
}
