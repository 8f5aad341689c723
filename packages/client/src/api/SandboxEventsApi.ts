/**
 * Events sent to other addresses than the endpoint, in the sandbox: additions of this service.
 * Source: D-452.
 */
import { EventResendAccepted, EventSendRequest } from "@countersign/core/models"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { Access } from "./Access.ts"
import { PlatformCredentials, RequestReading } from "./Credentials.ts"
import { extension } from "./Documented.ts"
import { failures } from "./Failures.ts"
import { idempotencyKey, pathId } from "./Parameters.ts"
import { accepted } from "./Statuses.ts"

export const SandboxEventsApi = HttpApiGroup.make("sandboxEvents")
  .add(
    HttpApiEndpoint.post("sandboxSendEvent", "/sandbox/events/:eventId/send", {
      params: { eventId: pathId("event") },
      headers: idempotencyKey,
      payload: EventSendRequest,
      success: accepted(EventResendAccepted),
      error: failures(404),
    })
      .annotate(Access, { tokenPermission: "MANAGE", isIdempotent: true, isForConsole: true })
      .annotateMerge(
        extension(
          "sandboxSendEvent",
          "Send an event to another address",
          "An addition of this service: sends the event once to `url`, with the same id, body and keys as to the endpoint. The attempt appears among those of the event. 400 for an address to which the deployment sends no webhooks.",
        ),
      ),
  )
  .middleware(RequestReading)
  .middleware(PlatformCredentials)
  .annotateMerge(
    OpenApi.annotations({ title: "Sandbox events", description: "Events to other addresses than the endpoint." }),
  )
