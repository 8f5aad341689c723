/**
 * Sandbox calls: money from nowhere, and a test of the webhook endpoint.
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
import { documented } from "./Documented.ts"
import { failures } from "./Failures.ts"
import { pathId } from "./Parameters.ts"

const testDescription =
  "Sends a signed `TEST` event to the configured `webhookEndpoint` and answers what the endpoint said."

export const SandboxApi = HttpApiGroup.make("sandbox")
  .add(
    HttpApiEndpoint.post("fundInternalAccount", "/sandbox/internal-accounts/:accountId/fund", {
      params: { accountId: pathId("internal account") },
      payload: SandboxFundRequest,
      success: InternalAccountResource,
      error: failures(400, 404),
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
      error: failures(400, 404),
    })
      .annotate(Access, { tokenPermission: "TRANSACT" })
      .annotateMerge(
        documented(
          "sandboxSend",
          "Pay a quote",
          "Plays the payer of a quote: sends its amount, or another one, which then fails and goes back.",
        ),
      ),
    HttpApiEndpoint.post("umaReceive", "/sandbox/uma/receive", {
      payload: SandboxUmaReceiveRequest,
      success: IncomingTransactionResource,
      error: failures(400, 404),
    })
      .annotate(Access, { tokenPermission: "TRANSACT" })
      .annotateMerge(
        documented(
          "sandboxUmaReceive",
          "Receive a UMA payment",
          "Plays a sender: the webhook endpoint is asked by `INCOMING_PAYMENT.PENDING`, and what it answers decides.",
        ),
      ),
    HttpApiEndpoint.post("setExternalAccountStatus", "/sandbox/external-accounts/:externalAccountId/status", {
      params: { externalAccountId: pathId("external account") },
      payload: SandboxExternalAccountStatusRequest,
      success: ExternalAccountResource,
      error: failures(400, 404, 409),
    })
      .annotate(Access, { tokenPermission: "MANAGE" })
      .annotateMerge(
        documented(
          "sandboxSetExternalAccountStatus",
          "Change an external account's status",
          "An addition of this service: accounts of the sandbox are `ACTIVE` at once, and this takes one to another state that its state machine has an arrow to, as a review or a liveness check would. 409 where there is no such arrow.",
        ),
      ),
    HttpApiEndpoint.post("testWebhook", "/sandbox/webhooks/test", {
      success: TestWebhookResponse,
      error: failures(400),
    })
      .annotate(Access, { tokenPermission: "MANAGE" })
      .annotateMerge(documented("sendTestWebhook", "Send a test webhook", testDescription)),
    HttpApiEndpoint.post("testWebhookAlias", "/webhooks/test", { success: TestWebhookResponse, error: failures(400) })
      .annotate(Access, { tokenPermission: "MANAGE" })
      .annotateMerge(
        documented(
          "sendTestWebhookAlias",
          "Send a test webhook (alias)",
          `${testDescription} Same as /sandbox/webhooks/test.`,
        ),
      ),
    HttpApiEndpoint.get("clock", "/sandbox/clock", { success: SandboxClock, error: failures() })
      .annotate(Access, { tokenPermission: "VIEW" })
      .annotateMerge(
        documented(
          "sandboxGetClock",
          "Get the clock",
          "An addition of this service: business time, by which records, expiries and periods go, and how far it is ahead of real time.",
        ),
      ),
    HttpApiEndpoint.post("advanceClock", "/sandbox/clock/advance", {
      payload: SandboxClockAdvanceRequest,
      success: SandboxClockAdvance,
      error: failures(400, 409, 501),
    })
      .annotate(Access, { tokenPermission: "MANAGE" })
      .annotateMerge(
        documented(
          "sandboxAdvanceClock",
          "Advance the clock",
          "An addition of this service: moves business time forward for the whole deployment, by `seconds` or a duration (`by`), or `to` a time. It stops at each time at which something falls due, and goes on when all that was due is done, webhooks included, or put off. What is tried again is tried again in real time, and does not hold it up. It answers how far it came within 20 seconds. 409 where several platforms share the deployment, unless it was started with `--shared-clock`, and while another call moves the time.",
        ),
      ),
  )
  .middleware(RequestReading)
  .middleware(PlatformCredentials)
  .annotateMerge(OpenApi.annotations({ title: "Sandbox", description: "Calls that only the sandbox has." }))
