/**
 * The inbox of a platform in the sandbox: additions of this service.
 * Source: D-473.
 */
import {
  InboxAnswers,
  InboxMessage,
  InboxMessageListResponse,
  InboxRequest,
  InboxResource,
} from "@countersign/core/models"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Access } from "./Access.ts"
import { PlatformCredentials, RequestReading } from "./Credentials.ts"
import { extension } from "./Documented.ts"
import { failures } from "./Failures.ts"
import { paging, pathId } from "./Parameters.ts"

const view = { tokenPermission: "VIEW", isForConsole: true } as const
const manage = { tokenPermission: "MANAGE", isForConsole: true } as const

/** A class, so that the type of the whole interface refers to it by name. */
export class SandboxInboxApi extends HttpApiGroup.make("sandboxInbox")
  .add(
    HttpApiEndpoint.get("sandboxGetInbox", "/sandbox/inbox", { success: InboxResource, error: failures(501) })
      .annotate(Access, view)
      .annotateMerge(
        extension(
          "sandboxGetInbox",
          "Get the inbox",
          "An addition of this service: an address of the sandbox itself that receives webhooks, so that nobody needs a tunnel to see them.",
        ),
      ),
    HttpApiEndpoint.post("sandboxOpenInbox", "/sandbox/inbox", {
      payload: InboxRequest,
      success: InboxResource,
      error: failures(501),
    })
      .annotate(Access, manage)
      .annotateMerge(
        extension(
          "sandboxOpenInbox",
          "Send webhooks to the inbox",
          "Makes the inbox the platform's `webhookEndpoint`. 400 for an address to which the deployment sends no webhooks.",
        ),
      ),
    HttpApiEndpoint.get("sandboxListInboxMessages", "/sandbox/inbox/messages", {
      query: paging,
      success: InboxMessageListResponse,
      error: failures(501),
    })
      .annotate(Access, view)
      .annotateMerge(
        extension(
          "sandboxListInboxMessages",
          "List received webhooks",
          "The latest messages, the newest first. The server keeps at most 100 in memory until it stops.",
        ),
      ),
    HttpApiEndpoint.get("sandboxGetInboxMessage", "/sandbox/inbox/messages/:messageId", {
      params: { messageId: pathId("message") },
      success: InboxMessage,
      error: failures(404, 501),
    })
      .annotate(Access, view)
      .annotateMerge(
        extension(
          "sandboxGetInboxMessage",
          "Get a received webhook",
          "Its headers and body, and whether a receiver with the platform's keys accepted it when it arrived.",
        ),
      ),
    HttpApiEndpoint.delete("sandboxClearInbox", "/sandbox/inbox/messages", {
      success: HttpApiSchema.NoContent,
      error: failures(501),
    })
      .annotate(Access, manage)
      .annotateMerge(extension("sandboxClearInbox", "Delete received webhooks", "Deletes all messages of the inbox.")),
    HttpApiEndpoint.post("sandboxAnswerInbox", "/sandbox/inbox/answers", {
      payload: InboxAnswers,
      success: HttpApiSchema.NoContent,
      error: failures(501),
    })
      .annotate(Access, manage)
      .annotateMerge(
        extension(
          "sandboxAnswerInbox",
          "Choose the next answers",
          "Answers the next messages with this status, to see what the service does with a receiver that fails or is slow.",
        ),
      ),
  )
  .middleware(RequestReading)
  .middleware(PlatformCredentials)
  .annotateMerge(OpenApi.annotations({ title: "Sandbox inbox", description: "Webhooks that the sandbox receives." })) {}
