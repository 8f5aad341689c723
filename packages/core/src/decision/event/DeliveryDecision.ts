/**
 * Decides whether the delivery of an event is finished, or must be retried.
 * Source: wire contract 6.2 and 11 (37, 38).
 */
import type { EventType } from "../../model/event/EventTypes.ts"
import type { WebhookResult } from "../../ports/WebhookTransport.ts"

export type DeliveryDecision =
  | { readonly _tag: "Acknowledged" }
  /** No attempt is left: a test event is sent once. */
  | { readonly _tag: "Abandoned"; readonly reason: string }
  | { readonly _tag: "Retry"; readonly reason: string }

const isAcknowledged = (status: number): boolean => (status >= 200 && status < 300) || status === 409

/** Returns why an attempt was not acknowledged, without the body of the answer; `undefined` if it was. */
export const failureOf = (result: WebhookResult): string | undefined => {
  if (result._tag === "Unreachable") return result.reason
  return isAcknowledged(result.status) ? undefined : `the endpoint answered ${result.status}`
}

export const decideDelivery = (type: EventType, result: WebhookResult): DeliveryDecision => {
  const reason = failureOf(result)
  if (reason === undefined) return { _tag: "Acknowledged" }
  return { _tag: type === "TEST" ? "Abandoned" : "Retry", reason }
}
