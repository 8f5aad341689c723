/**
 * The platform's verdict on an incoming payment, read from its response to the event.
 * Source: wire contract 6.3; D-095.
 */
import { Result } from "effect"
import type { Json } from "../../foundation/kit/CanonicalJson.ts"
import { isObject } from "../../foundation/kit/CrossField.ts"
import * as Outside from "../../foundation/kit/Outside.ts"
import type { IncomingFailureReason } from "../../model/transaction/Transaction.ts"
import type { WebhookResult } from "../../ports/WebhookTransport.ts"

/** What the platform tells the sender's side about the receiver. */
export type ReceiverInfo = { readonly [name: string]: Json }

export type Verdict =
  | { readonly _tag: "Accept"; readonly info?: ReceiverInfo }
  /** The platform decides later by a call. */
  | { readonly _tag: "Defer" }
  | { readonly _tag: "Reject"; readonly reason?: string }
  | { readonly _tag: "Fail"; readonly reason: IncomingFailureReason }

/** The members of a JSON object; none for any other body. */
const membersOf = (body: string): ReceiverInfo => {
  const json = Result.getOrUndefined(Outside.parseClean(body))
  return isObject(json) ? (json as ReceiverInfo) : {}
}

/** Returns the verdict of an endpoint's response; `undefined` means that the platform has no endpoint. */
export const verdictOf = (result: WebhookResult | undefined): Verdict => {
  if (result === undefined) return { _tag: "Fail", reason: "PAYMENT_APPROVAL_WEBHOOK_ERROR" }
  if (result._tag === "Unreachable") return { _tag: "Fail", reason: "PAYMENT_APPROVAL_TIMED_OUT" }
  const { receiverCustomerInfo, reason } = membersOf(result.body)
  switch (result.status) {
    case 200:
      return isObject(receiverCustomerInfo)
        ? { _tag: "Accept", info: receiverCustomerInfo as ReceiverInfo }
        : { _tag: "Accept" }
    case 202:
      return { _tag: "Defer" }
    case 403:
      return typeof reason === "string" ? { _tag: "Reject", reason } : { _tag: "Reject" }
    case 422:
      return { _tag: "Fail", reason: "PAY_REQUEST_FAILED" }
    default:
      return { _tag: "Fail", reason: "PAYMENT_APPROVAL_WEBHOOK_ERROR" }
  }
}
