/**
 * Decides whether an incoming payment is accepted: by the platform's response to the event, by its call within the time to
 * decide, or by the end of that time.
 * Source: wire contract 5.7 and 6.3; D-095.
 */
import { invalidInput, type Refusal } from "../../foundation/errors/ServiceError.ts"
import type { AuditOperation } from "../../model/audit/AuditRecord.ts"
import type { IncomingTransaction, RequestedField } from "../../model/transaction/Transaction.ts"
import {
  type IncomingTransactionResource,
  isIncoming,
  type StoredIncoming,
  toIncomingTransaction,
} from "../../model/transaction/TransactionResource.ts"
import * as Changes from "../../store/Changes.ts"
import { job } from "../../store/JobKinds.ts"
import { auditRecord } from "../audit/Audit.ts"
import { answer, type Decision, type DecisionContext, exceededExactRange, refuse } from "../Decision.ts"
import type { ReceiverInfo, Verdict } from "./ApprovalVerdict.ts"
import * as Incoming from "./IncomingChanges.ts"
import type { OutcomeLoaded } from "./OutcomeDecision.ts"

/** How long (ms) a platform that answered 202 has to decide. */
const timeToDecideMillis = 5000

/** The mandatory fields that the platform's information lacks. */
const missingFields = (requested: ReadonlyArray<RequestedField>, info: ReceiverInfo = {}): ReadonlyArray<string> =>
  requested.filter(({ mandatory, name }) => mandatory && (info[name] ?? "") === "").map(({ name }) => name)

const missingFieldsRefusal = (missing: ReadonlyArray<string>): Refusal =>
  invalidInput(missing.map((name) => ({ field: `receiverCustomerInfo.${name}`, message: "is required" })))

const notPending: Refusal = {
  code: "TRANSACTION_NOT_PENDING_PLATFORM_APPROVAL",
  message: "The transaction does not wait for the platform's approval, or the time for it is over.",
}

/** Whether the payment still awaits the platform's decision. */
const awaitsApproval = ({ approval, status }: IncomingTransaction): boolean =>
  approval !== undefined && status === "PENDING"

/** Whether the platform may decide by a call now. */
const canBeDecided = (data: IncomingTransaction, now: number): boolean =>
  awaitsApproval(data) && data.approval?.decideBy !== undefined && now < data.approval.decideBy

/** Applies the verdict. `isFull`: the account cannot accept the amount. */
const applyVerdict = (
  stored: StoredIncoming,
  credited: Incoming.CreditedAccount,
  verdict: Verdict,
  isFull: boolean,
  { ids, now }: Pick<DecisionContext, "ids" | "now">,
): Incoming.TransitionResult => {
  const request = stored.data.approval ?? { requestedFields: [] }
  switch (verdict._tag) {
    case "Accept": {
      const { info } = verdict
      if (missingFields(request.requestedFields, info).length > 0) {
        return Incoming.fail(ids, now, stored, "MISSING_MANDATORY_PAYEE_DATA")
      }
      if (isFull) return Incoming.fail(ids, now, stored, "QUOTE_EXECUTION_FAILED")
      const approval = { ...request, ...(info === undefined ? {} : { receiverCustomerInfo: info }) }
      return Incoming.settle(ids, now, stored, credited, { approval })
    }
    case "Defer":
      return Incoming.deferApproval(stored, now, {
        approval: { ...request, decideBy: now + timeToDecideMillis },
        job: job(ids, "payment.time-out", {
          customerId: stored.customerId,
          dueAt: now + timeToDecideMillis,
          lane: `payment.time-out:${stored.id}`,
          payload: { transactionId: stored.id },
        }),
      })
    case "Reject": {
      const { reason } = verdict
      const approval = { ...request, ...(reason === undefined ? {} : { rejectionReason: reason }) }
      return Incoming.reject(ids, now, stored, { approval })
    }
    case "Fail":
      return verdict.reason === "PAYMENT_APPROVAL_TIMED_OUT"
        ? Incoming.reject(ids, now, stored, { failureReason: verdict.reason })
        : Incoming.fail(ids, now, stored, verdict.reason)
  }
}

/** The incoming transaction and its account; `undefined` for any other transaction. */
const incomingOf = ({ account, accountReceivable: receivable, transaction }: OutcomeLoaded) =>
  isIncoming(transaction) && account !== undefined ? { transaction, credited: { account, receivable } } : undefined

/** Decides the platform's call. */
export const decideByCall =
  (operation: AuditOperation, verdict: Verdict) =>
  (loaded: OutcomeLoaded, context: DecisionContext): Decision<IncomingTransactionResource> => {
    const incoming = incomingOf(loaded)
    if (incoming === undefined || !canBeDecided(incoming.transaction.data, context.now)) return refuse(notPending)
    const { credited, transaction } = incoming
    const requested = transaction.data.approval?.requestedFields ?? []
    const missing = verdict._tag === "Accept" ? missingFields(requested, verdict.info) : []
    if (missing.length > 0) return refuse(missingFieldsRefusal(missing))
    const isFull = exceededExactRange(context.rejections)
    const decided = applyVerdict(transaction, credited, verdict, isFull, context)
    const { failureReason } = decided.transaction.data
    const auditEntry = auditRecord(
      context,
      operation,
      transaction,
      failureReason === undefined ? {} : { outcome: "FAILED", details: { failureReason } },
    )
    return answer(200, toIncomingTransaction(decided.transaction), Changes.combine(decided.changes, auditEntry))
  }

/** Decides the platform's response to the event, or the end of its time. It changes nothing after an earlier decision. */
export const decideByJob =
  (verdict: Verdict, finishedJob: Changes.Changes) =>
  (loaded: OutcomeLoaded, context: DecisionContext): Decision<null> => {
    const incoming = incomingOf(loaded)
    if (incoming === undefined) return refuse(notPending)
    const { credited, transaction } = incoming
    const isFull = exceededExactRange(context.rejections)
    const decided = awaitsApproval(transaction.data)
      ? applyVerdict(transaction, credited, verdict, isFull, context)
      : undefined
    return answer(200, null, Changes.combine(decided?.changes, finishedJob))
  }
