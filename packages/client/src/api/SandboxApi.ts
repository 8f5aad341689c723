/**
 * Sandbox operations: simulated deposits, payments and time, and a test of the webhook endpoint.
 * Spec: 4.6; wire contract 6.4 and 7.1.
 */
import {
  ExternalAccountResource,
  IncomingTransactionResource,
  InternalAccountResource,
  SandboxClock,
  SandboxClockAdvance,
  SandboxClockAdvanceRequest,
  SandboxExternalAccountStatusRequest,
  SandboxFundRequest,
  SandboxSendRequest,
  SandboxUmaReceiveRequest,
  TestWebhookResponse,
  TransactionResource,
} from "@countersign/core/models"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { Access } from "./Access.ts"
import { PlatformCredentials, RequestReading } from "./Credentials.ts"
import { documented, extension } from "./Documented.ts"
import { failures } from "./Failures.ts"
import { pathId } from "./Parameters.ts"

const testDescription =
  "Sends a signed `TEST` event to the configured `webhookEndpoint` and returns the endpoint's response."

export const SandboxApi = HttpApiGroup.make("sandbox")
  .add(
    HttpApiEndpoint.post("sandboxFundInternalAccount", "/sandbox/internal-accounts/:accountId/fund", {
      params: { accountId: pathId("internal account") },
      payload: SandboxFundRequest,
      success: InternalAccountResource,
      error: failures(404),
    })
      .annotate(Access, { tokenPermission: "TRANSACT" })
      .annotateMerge(
        documented(
          "sandboxFundInternalAccount",
          "Fund an internal account",
          "Adds `amount` to the balance at once and records an incoming transaction.",
        ),
      ),
    HttpApiEndpoint.post("sandboxSend", "/sandbox/send", {
      payload: SandboxSendRequest,
      success: TransactionResource,
      error: failures(404),
    })
      .annotate(Access, { tokenPermission: "TRANSACT" })
      .annotateMerge(
        documented(
          "sandboxSend",
          "Pay a quote",
          "Simulates the payer of a quote: sends its amount, or another amount, which fails and is returned.",
        ),
      ),
    HttpApiEndpoint.post("sandboxReceive", "/sandbox/uma/receive", {
      payload: SandboxUmaReceiveRequest,
      success: IncomingTransactionResource,
      error: failures(404),
    })
      .annotate(Access, { tokenPermission: "TRANSACT" })
      .annotateMerge(
        documented(
          "sandboxReceive",
          "Receive a UMA payment",
          "Simulates a sender: the webhook endpoint receives `INCOMING_PAYMENT.PENDING`, and its response decides.",
        ),
      ),
    HttpApiEndpoint.post("sandboxSetExternalAccountStatus", "/sandbox/external-accounts/:externalAccountId/status", {
      params: { externalAccountId: pathId("external account") },
      payload: SandboxExternalAccountStatusRequest,
      success: ExternalAccountResource,
      error: failures(404, 409),
    })
      .annotate(Access, { tokenPermission: "MANAGE" })
      .annotateMerge(
        extension(
          "sandboxSetExternalAccountStatus",
          "Change an external account's status",
          "An addition of this service: accounts of the sandbox are `ACTIVE` at once. This operation moves one to another state, as a review or a liveness check would. 409 if the state machine has no such transition.",
        ),
      ),
    HttpApiEndpoint.post("sendTestWebhook", "/sandbox/webhooks/test", {
      success: TestWebhookResponse,
      error: failures(),
    })
      .annotate(Access, { tokenPermission: "MANAGE" })
      .annotateMerge(documented("sendTestWebhook", "Send a test webhook", testDescription)),
    HttpApiEndpoint.post("sendTestWebhookAlias", "/webhooks/test", { success: TestWebhookResponse, error: failures() })
      .annotate(Access, { tokenPermission: "MANAGE" })
      .annotateMerge(
        extension(
          "sendTestWebhookAlias",
          "Send a test webhook (alias)",
          `${testDescription} Same as /sandbox/webhooks/test.`,
        ),
      ),
    HttpApiEndpoint.get("sandboxGetClock", "/sandbox/clock", { success: SandboxClock, error: failures() })
      .annotate(Access, { tokenPermission: "VIEW", isForConsole: true })
      .annotateMerge(
        extension(
          "sandboxGetClock",
          "Get the clock",
          "An addition of this service: the business time of records, expiries and periods, and its offset from real time.",
        ),
      ),
    HttpApiEndpoint.post("sandboxAdvanceClock", "/sandbox/clock/advance", {
      payload: SandboxClockAdvanceRequest,
      success: SandboxClockAdvance,
      error: failures(409, 501),
    })
      .annotate(Access, { tokenPermission: "MANAGE", isForConsole: true })
      .annotateMerge(
        extension(
          "sandboxAdvanceClock",
          "Advance the clock",
          "An addition of this service: moves business time forward for the whole deployment, by `seconds` or a duration (`by`), or `to` a time. It stops whenever work is due and continues when that work, webhooks included, is done or postponed. Retries run in real time and do not delay it. The response says how far it came within 20 seconds. 409 if several platforms share the deployment, unless it was started with `--shared-clock`, and while another call advances the clock.",
        ),
      ),
  )
  .middleware(RequestReading)
  .middleware(PlatformCredentials)
  .annotateMerge(OpenApi.annotations({ title: "Sandbox", description: "Operations that exist in the sandbox only." }))
