/**
 * Events for the operator of a platform, with their deliveries: additions of this service.
 * Source: D-450, D-452.
 */
import { EventDetailResource, EventListResponse, EventResendAccepted, EventTypeName } from "@countersign/core/models"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { Access } from "./Access.ts"
import { PlatformCredentials, RequestReading } from "./Credentials.ts"
import { extension } from "./Documented.ts"
import { failures } from "./Failures.ts"
import { bound, exactly, idempotencyKey, idFilter, paging, pathId, sorting } from "./Parameters.ts"
import { accepted } from "./Statuses.ts"

export const OperatorEventsApi = HttpApiGroup.make("operatorEvents")
  .add(
    HttpApiEndpoint.get("listEvents", "/operator/events", {
      query: {
        type: Schema.optionalKey(EventTypeName),
        subject: exactly("Only events about this record."),
        customerId: idFilter("Customer"),
        startDate: bound("Emitted at this time or later."),
        endDate: bound("Emitted at this time or earlier."),
        ...paging,
        ...sorting,
      },
      success: EventListResponse,
      error: failures(),
    })
      .annotate(Access, { tokenPermission: "VIEW", isForConsole: true })
      .annotateMerge(
        extension(
          "listEvents",
          "List events",
          "An addition of this service: the events of the last 30 days, the newest first, each with the state of its delivery and its latest attempt.",
        ),
      ),
    HttpApiEndpoint.get("getEvent", "/operator/events/:eventId", {
      params: { eventId: pathId("event") },
      success: EventDetailResource,
      error: failures(404),
    })
      .annotate(Access, { tokenPermission: "VIEW", isForConsole: true })
      .annotateMerge(
        extension(
          "getEvent",
          "Get an event",
          "An addition of this service: the body of the event as it is delivered, the state of its delivery, and its attempts.",
        ),
      ),
    HttpApiEndpoint.post("resendEvent", "/operator/events/:eventId/resend", {
      params: { eventId: pathId("event") },
      headers: idempotencyKey,
      success: accepted(EventResendAccepted),
      error: failures(404),
    })
      .annotate(Access, { tokenPermission: "MANAGE", isIdempotent: true, isForConsole: true })
      .annotateMerge(
        extension(
          "resendEvent",
          "Send an event again",
          "An addition of this service: sends the event to the webhook endpoint once more, with the same id and body. It is sent once, whatever the event's own delivery does; the attempt appears among those of the event. 400 (`WEBHOOK_ENDPOINT_NOT_SET`) if the endpoint is not active.",
        ),
      ),
  )
  .middleware(RequestReading)
  .middleware(PlatformCredentials)
  .annotateMerge(
    OpenApi.annotations({ title: "Events", description: "Emitted events, and the attempts to deliver them." }),
  )
