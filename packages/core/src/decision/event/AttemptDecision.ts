/**
 * The record of an attempt to deliver an event, as a part of the commit that ends or postpones the delivery.
 * Source: D-450, D-451.
 */
import { clean } from "../../foundation/kit/Outside.ts"
import { type DeliveryAttempt, responseBodyMax } from "../../model/event/DeliveryAttempt.ts"
import type { WebhookResult } from "../../ports/WebhookTransport.ts"
import type { Changes } from "../../store/Changes.ts"
import { failureOf } from "./DeliveryDecision.ts"

/** What was sent. Times are wall time in milliseconds. */
export interface SentEvent extends Pick<DeliveryAttempt, "at" | "headers" | "latencyMillis" | "timestamp" | "url"> {
  readonly eventId: string
  readonly result: WebhookResult
}

export interface AttemptOptions {
  readonly isResend: boolean
  /** Whether the body of the answer is kept. */
  readonly showsAnswers: boolean
}

/** Returns the change that records an attempt. The reason and the body come from outside. */
export const recordAttempt = (
  { eventId, result, ...sent }: SentEvent,
  { isResend, showsAnswers }: AttemptOptions,
): Changes => {
  const failure = failureOf(result)
  const isShown = showsAnswers && result._tag === "Answered" && result.body !== ""
  const attempt: DeliveryAttempt = {
    ...sent,
    isResend,
    ...(result._tag === "Answered" ? { status: result.status } : {}),
    ...(failure === undefined ? {} : { failure }),
    ...(isShown ? { responseBody: result.body.slice(0, responseBodyMax) } : {}),
  }
  return { attempts: [{ eventId, attempt: clean(attempt) }] }
}
