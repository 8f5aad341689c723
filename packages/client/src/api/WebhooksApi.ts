/**
 * The platform's webhook endpoint and webhook keys: additions of this service.
 * Source: wire contract 6.2 (the platform gets the public key); D-330, D-332, D-333.
 */
import {
  WebhookEndpointResource,
  WebhookKeyListResponse,
  WebhookKeyRotateRequest,
  WebhookSecretResponse,
} from "@countersign/core/models"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { Access } from "./Access.ts"
import { PlatformCredentials, RequestReading } from "./Credentials.ts"
import { extension } from "./Documented.ts"
import { failures } from "./Failures.ts"
import { idempotencyKey, pathId } from "./Parameters.ts"
import { created } from "./Statuses.ts"

export const WebhooksApi = HttpApiGroup.make("webhooks")
  .add(
    HttpApiEndpoint.get("getWebhookEndpoint", "/webhooks/endpoint", {
      success: WebhookEndpointResource,
      error: failures(),
    })
      .annotate(Access, { tokenPermission: "VIEW" })
      .annotateMerge(
        extension(
          "getWebhookEndpoint",
          "Get the webhook endpoint",
          "An addition of this service: the state of the endpoint, its circuit breaker, its last success and failure, and the events that wait.",
        ),
      ),
    HttpApiEndpoint.post("disableWebhookEndpoint", "/webhooks/endpoint/disable", {
      success: WebhookEndpointResource,
      error: failures(),
    })
      .annotate(Access, { tokenPermission: "MANAGE" })
      .annotateMerge(
        extension(
          "disableWebhookEndpoint",
          "Disable the webhook endpoint",
          "An addition of this service: events are recorded and not sent from now on, also those that wait. The configuration keeps the URL.",
        ),
      ),
    HttpApiEndpoint.post("enableWebhookEndpoint", "/webhooks/endpoint/enable", {
      success: WebhookEndpointResource,
      error: failures(),
    })
      .annotate(Access, { tokenPermission: "MANAGE" })
      .annotateMerge(
        extension(
          "enableWebhookEndpoint",
          "Enable the webhook endpoint",
          "An addition of this service: events are sent from now on. In live mode the endpoint must answer a challenge first, as a new one. Closes an open circuit, and asks a pending endpoint again.",
        ),
      ),
    HttpApiEndpoint.get("listWebhookKeys", "/webhooks/keys", { success: WebhookKeyListResponse, error: failures() })
      .annotate(Access, { tokenPermission: "VIEW" })
      .annotateMerge(
        extension(
          "listWebhookKeys",
          "List webhook keys",
          "An addition of this service: the keys that sign the platform's webhooks, newest first. During a rotation two of them sign each delivery.",
        ),
      ),
    HttpApiEndpoint.post("rotateWebhookKeys", "/webhooks/keys/rotate", {
      headers: idempotencyKey,
      payload: WebhookKeyRotateRequest,
      success: created(WebhookKeyListResponse),
      error: failures(409),
    })
      .annotate(Access, { tokenPermission: "MANAGE", isIdempotent: true })
      .annotateMerge(
        extension(
          "rotateWebhookKeys",
          "Rotate the webhook key",
          "An addition of this service: creates a key that signs from now on. The previous one signs beside it until the overlap ends; the specified signature header carries the signature of the older one until then. 409 while a rotation is in progress, unless `overlapSeconds` is 0.",
        ),
      ),
    HttpApiEndpoint.post("revealWebhookSecret", "/webhooks/keys/:keyId/reveal", {
      params: { keyId: pathId("webhook key") },
      success: WebhookSecretResponse,
      error: failures(404),
    })
      .annotate(Access, { tokenPermission: "MANAGE" })
      .annotateMerge(
        extension(
          "revealWebhookSecret",
          "Show a webhook secret",
          "An addition of this service: the symmetric secret of a key, for libraries of Standard Webhooks. Each call is audited. Who knows the secret can sign as the service; the public key needs no such care.",
        ),
      ),
  )
  .middleware(RequestReading)
  .middleware(PlatformCredentials)
  .annotateMerge(
    OpenApi.annotations({ title: "Webhooks", description: "The endpoint and the keys of a platform's webhooks." }),
  )
