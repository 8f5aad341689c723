/**
 * Whether the platform takes an incoming payment that it was asked about: by its answer to the event, by a call within its
 * time, or not at all.
 * Source: wire contract 5.7 and 6.3; D-095.
 */
import { invalidInput, type Refusal } from "../../foundation/errors/ServiceError.ts"
import type { Json } from "../../foundation/kit/CanonicalJson.ts"
import { isObject } from "../../foundation/kit/CrossField.ts"
import { isTooDeep } from "../../foundation/kit/JsonDepth.ts"
import type { IncomingFailureReason, IncomingTransaction, RequestedField } from "../../model/transaction/Transaction.ts"
import type { StoredIncoming } from "../../model/transaction/TransactionResource.ts"
import type { WebhookResult } from "../../ports/WebhookTransport.ts"
import type { Changes } from "../../store/Changes.ts"
import { job } from "../../store/JobKinds.ts"
import type { DecisionContext } from "../Decision.ts"
import * as Incoming from "./IncomingChanges.ts"

/** How long the platform may take that answers 202. */
const decideWithinMillis = 5000

type Info = { readonly [name: string]: Json }

/** What the platform says, or that it said nothing. */
export type Verdict =
  | { readonly _tag: "Accept"; readonly info?: Info }
  | { readonly _tag: "Later" }
  | { readonly _tag: "Reject"; readonly reason?: string }
  | { readonly _tag: "Fail"; readonly reason: IncomingFailureReason }

const parsed = (body: string): Info => {
  if (isTooDeep(body)) return {}
  try {
    const json: unknown = JSON.parse(body)
    return isObject(json) ? (json as Info) : {}
  } catch {
    return {}
  }
}

/** What an endpoint's answer to the question means; `undefined`: there was nobody to ask. */
export const verdictOf = (result: WebhookResult | undefined): Verdict => {
  if (result === undefined) return { _tag: "Fail", reason: "PAYMENT_APPROVAL_WEBHOOK_ERROR" }
  if (result._tag === "Unreachable") return { _tag: "Fail", reason: "PAYMENT_APPROVAL_TIMED_OUT" }
  const { receiverCustomerInfo, reason } = parsed(result.body)
  switch (result.status) {
    case 200:
      return isObject(receiverCustomerInfo)
        ? { _tag: "Accept", info: receiverCustomerInfo as Info }
        : { _tag: "Accept" }
    case 202:
      return { _tag: "Later" }
    case 403:
      return typeof reason === "string" ? { _tag: "Reject", reason } : { _tag: "Reject" }
    case 422:
      return { _tag: "Fail", reason: "PAY_REQUEST_FAILED" }
    default:
      return { _tag: "Fail", reason: "PAYMENT_APPROVAL_WEBHOOK_ERROR" }
  }
}

/** The fields that must be told of the receiver and are not. */
export const missingFields = (requested: ReadonlyArray<RequestedField>, info: Info = {}): ReadonlyArray<string> =>
  requested.filter(({ mandatory, name }) => mandatory && (info[name] ?? "") === "").map(({ name }) => name)

/** The 400 of an approval that lacks what was asked for. */
export const missingFieldsRefusal = (missing: ReadonlyArray<string>): Refusal =>
  invalidInput(missing.map((name) => ({ field: `receiverCustomerInfo.${name}`, message: "is required" })))

export const notPending: Refusal = {
  code: "TRANSACTION_NOT_PENDING_PLATFORM_APPROVAL",
  message: "The transaction does not wait for the platform's approval, or the time for it is over.",
}

/** Whether a question about the payment is still open. */
export const awaitsApproval = ({ approval, status }: IncomingTransaction): boolean =>
  approval !== undefined && status === "PENDING"

/** Whether the platform may decide by a call now. */
export const canBeDecided = (data: IncomingTransaction, now: number): boolean =>
  awaitsApproval(data) && data.approval?.decideBy !== undefined && now < data.approval.decideBy

/** What the verdict changes. `isFull`: the account cannot take the money. */
export const decideApproval = (
  stored: StoredIncoming,
  receiver: Incoming.CreditedAccount,
  verdict: Verdict,
  isFull: boolean,
  { ids, now }: Pick<DecisionContext, "ids" | "now">,
): { readonly transaction: StoredIncoming; readonly changes: Changes } => {
  const asked = stored.data.approval ?? { requestedFields: [] }
  switch (verdict._tag) {
    case "Accept": {
      if (missingFields(asked.requestedFields, verdict.info).length > 0) {
        return Incoming.fail(ids, now, stored, "MISSING_MANDATORY_PAYEE_DATA")
      }
      if (isFull) return Incoming.fail(ids, now, stored, "QUOTE_EXECUTION_FAILED")
      const { info } = verdict
      const approval = { ...asked, ...(info === undefined ? {} : { receiverCustomerInfo: info }) }
      return Incoming.settle(ids, now, stored, receiver, { approval })
    }
    case "Later":
      return Incoming.deferApproval(stored, now, {
        approval: { ...asked, decideBy: now + decideWithinMillis },
        job: job(ids, "payment.time-out", {
          customerId: stored.customerId,
          dueAt: now + decideWithinMillis,
          lane: `payment.time-out:${stored.id}`,
          payload: { transactionId: stored.id },
        }),
      })
    case "Reject": {
      const { reason } = verdict
      const approval = { ...asked, ...(reason === undefined ? {} : { rejectionReason: reason }) }
      return Incoming.reject(ids, now, stored, { approval })
    }
    case "Fail":
      return verdict.reason === "PAYMENT_APPROVAL_TIMED_OUT"
        ? Incoming.reject(ids, now, stored, { failureReason: verdict.reason })
        : Incoming.fail(ids, now, stored, verdict.reason)
  }
}
