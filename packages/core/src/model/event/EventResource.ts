/**
 * Events on the wire, for the operator: what was emitted, and how its delivery goes. Additions of this service.
 * Source: D-450.
 */
import { Schema } from "effect"
import { Id } from "../../foundation/ids/IdTypes.ts"
import { HttpUrl } from "../../foundation/kit/HttpUrl.ts"
import { Timestamp } from "../../foundation/kit/Instant.ts"
import { PageOf } from "../../foundation/kit/PageResource.ts"
import { deliveryAttemptsMax, responseBodyMax } from "./DeliveryAttempt.ts"
import { EventTypes } from "./EventTypes.ts"

/** The schema of an event type on the wire. */
export const EventTypeName = Schema.Literals(EventTypes.keys).annotate({ identifier: "EventType" })

/** The state of an event's delivery to the endpoint. */
export const EventDeliveryState = Schema.Literals(["WAITING", "RUNNING", "PARKED", "DONE"]).annotate({
  identifier: "EventDeliveryState",
  description:
    "`WAITING`: the event waits for its first attempt or its next one. `RUNNING`: it is being sent. `PARKED`: it was given up and waits for an operator. `DONE`: the delivery has ended; without an attempt there was no endpoint to send the event to.",
})

/** One request that sent an event to an address. `latencyMillis` is in real time. */
export const DeliveryAttemptResource = Schema.Struct({
  number: Schema.Int.annotate({ description: "1 for the first attempt of the event." }),
  at: Timestamp.annotate({ description: "When it was sent, in real time." }),
  url: Schema.String,
  isAcknowledged: Schema.Boolean.annotate({ description: "Whether the answer was a 2xx or 409." }),
  isResend: Schema.Boolean.annotate({ description: "Whether it was requested beside the event's own delivery." }),
  status: Schema.optionalKey(Schema.Int.annotate({ description: "Absent: there was no answer." })),
  reason: Schema.optionalKey(Schema.String.annotate({ description: "Why it was not acknowledged." })),
  latencyMillis: Schema.Int,
  responseBody: Schema.optionalKey(
    Schema.String.annotate({
      description: `The first ${responseBodyMax} characters of the answer; only in a sandbox that no other machine reaches.`,
    }),
  ),
  headers: Schema.Record(Schema.String, Schema.String).annotate({
    description: "The headers that were sent, with the signatures.",
  }),
}).annotate({ identifier: "DeliveryAttempt" })
export type DeliveryAttemptResource = typeof DeliveryAttemptResource.Type

const summary = {
  id: Id("Webhook"),
  type: EventTypeName,
  customerId: Schema.optionalKey(Schema.String),
  subject: Schema.String.annotate({ description: "The id of the record that the event is about." }),
  createdAt: Timestamp,
  delivery: EventDeliveryState,
  nextAttemptAt: Schema.optionalKey(
    Timestamp.annotate({ description: "When a waiting event is sent again, at the earliest, in real time." }),
  ),
  reason: Schema.optionalKey(
    Schema.String.annotate({
      description: "Why a waiting or parked event has not been delivered; without an attempt, why none was made.",
    }),
  ),
}

export const EventResource = Schema.Struct({
  ...summary,
  lastAttempt: Schema.optionalKey(DeliveryAttemptResource),
}).annotate({ identifier: "Event" })
export type EventResource = typeof EventResource.Type

/** A page of the events of the last 30 days, newest first: the answer of `GET /operator/events`. */
export const EventListResponse = PageOf(EventResource, "EventListResponse")

/** Answer of `GET /operator/events/{eventId}`: an event with its body and the attempts to deliver it. */
export const EventDetailResource = Schema.Struct({
  ...summary,
  body: Schema.String.annotate({ description: "The body exactly as it is delivered, and signed." }),
  attempts: Schema.Array(DeliveryAttemptResource).annotate({
    description: `Oldest first; the latest ${deliveryAttemptsMax} are kept.`,
  }),
}).annotate({ identifier: "EventDetail" })
export type EventDetailResource = typeof EventDetailResource.Type

/** Body of `POST /sandbox/events/{eventId}/send`. */
export const EventSendRequest = Schema.Struct({
  url: HttpUrl(2048).annotate({ description: "Where to send the event, once." }),
}).annotate({ identifier: "EventSendRequest" })

/** Answer (202) of `POST /operator/events/{eventId}/resend` and `POST /sandbox/events/{eventId}/send`. */
export const EventResendAccepted = Schema.Struct({
  eventId: Id("Webhook"),
  url: Schema.String.annotate({ description: "Where the event is sent." }),
}).annotate({ identifier: "EventResendAccepted" })
export type EventResendAccepted = typeof EventResendAccepted.Type
