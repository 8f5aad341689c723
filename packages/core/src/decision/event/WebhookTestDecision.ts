/**
 * The answer and the audit record of a test event that the platform requests.
 * Source: wire contract 6.2 and 11 (37).
 */
import type { Refusal } from "../../foundation/errors/ServiceError.ts"
import type { WebhookResult } from "../../ports/WebhookTransport.ts"
import { auditRecord } from "../audit/Audit.ts"
import { answer, type Decision, type DecisionContext } from "../Decision.ts"

/** The endpoint's answer to a test event. Its body is not shown: the caller would read through the service what it cannot reach itself. */
export interface TestDelivery {
  readonly url: string
  readonly response_status: number
  readonly response_body: string
}

export const endpointNotSet: Refusal = {
  code: "WEBHOOK_ENDPOINT_NOT_SET",
  message: "No webhookEndpoint is configured; set one with PATCH /config.",
}

/** Audits the test, whether the endpoint answered or not. */
export const auditTest =
  (result: WebhookResult) =>
  (_loaded: unknown, context: DecisionContext): Decision<null> => {
    const { platformId } = context.caller
    const target = { id: platformId, platformId, customerId: null }
    const entry = auditRecord(
      context,
      "SANDBOX_WEBHOOK_TEST",
      target,
      result._tag === "Answered" ? { details: { status: result.status } } : { outcome: "FAILED" },
    )
    return answer(200, null, entry)
  }

/** The answer to the platform; an unreachable endpoint is a refusal. */
export const testDeliveryOf = (url: string, result: WebhookResult): TestDelivery | Refusal =>
  result._tag === "Answered"
    ? { url, response_status: result.status, response_body: "" }
    : {
        code: "WEBHOOK_DELIVERY_ERROR",
        message: "The webhook endpoint gave no answer.",
        details: { reason: result.reason },
      }
