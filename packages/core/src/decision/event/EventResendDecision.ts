/**
 * Decides that an event is sent once more: to the endpoint, or in the sandbox to another address.
 * Source: D-452.
 */
import { invalidInput, notFound } from "../../foundation/errors/ServiceError.ts"
import type { EventResendAccepted } from "../../model/event/EventResource.ts"
import { eventLane } from "../../model/event/Retention.ts"
import type { EndpointRefusal } from "../../ports/WebhookTransport.ts"
import * as Changes from "../../store/Changes.ts"
import { job } from "../../store/JobKinds.ts"
import type { StoredEvent } from "../../store/Store.ts"
import { auditRecord } from "../audit/Audit.ts"
import { answer, type Decision, type DecisionContext, refuse } from "../Decision.ts"
import type { EndpointLoaded } from "./EndpointDecision.ts"
import { endpointNotSet } from "./WebhookTestDecision.ts"

export interface ResendLoaded extends EndpointLoaded {
  readonly event: StoredEvent | undefined
}

/** The job is in the lane of the event's record, so that the event is kept until it has ended. */
const resendJob = ({ customerId, id, subject }: StoredEvent, { ids, now }: DecisionContext, url?: string) => ({
  jobs: [
    job(ids, "webhook.resend", {
      customerId,
      dueAt: now,
      lane: eventLane(subject),
      payload: { resend: { eventId: id, ...(url === undefined ? {} : { url }) } },
    }),
  ],
})

/** Sends the event to the endpoint, if it is active. */
export const decideResend = (
  { endpoint, event }: ResendLoaded,
  context: DecisionContext,
): Decision<EventResendAccepted> => {
  if (event === undefined) return refuse(notFound("event"))
  const { state, url } = endpoint?.data ?? {}
  if (state !== "ACTIVE" || url === undefined) return refuse(endpointNotSet)
  const audit = auditRecord(context, "EVENT_RESEND", event, { details: { type: event.type } })
  return answer(202, { eventId: event.id, url }, Changes.combine(resendJob(event, context), audit))
}

/** Sends the event to an address, unless the transport refuses it. */
export const decideSend =
  (url: string) =>
  (
    { event, refusal }: ResendLoaded & { readonly refusal: EndpointRefusal | undefined },
    context: DecisionContext,
  ): Decision<EventResendAccepted> => {
    if (event === undefined) return refuse(notFound("event"))
    if (refusal !== undefined) {
      return refuse(invalidInput([{ field: "url", message: refusal.reason, constraint: { format: "uri" } }]))
    }
    const audit = auditRecord(context, "SANDBOX_EVENT_SEND", event, { details: { type: event.type } })
    return answer(202, { eventId: event.id, url }, Changes.combine(resendJob(event, context, url), audit))
  }
