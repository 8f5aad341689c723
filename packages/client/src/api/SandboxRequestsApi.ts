/**
 * The requests that a sandbox keeps: additions of this service.
 * Source: D-464.
 */
import {
  RequestDetail,
  RequestListResponse,
  RequestOutcome,
  RequestProgramForm,
  RequestSendRequest,
  RequestSent,
  RequestTape,
} from "@countersign/core/models"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { Access } from "./Access.ts"
import { PlatformCredentials, RequestReading } from "./Credentials.ts"
import { extension } from "./Documented.ts"
import { failures } from "./Failures.ts"
import { exactly, paging, pathId } from "./Parameters.ts"

/** A class, so that the type of the whole interface refers to it by name. */
export class SandboxRequestsApi extends HttpApiGroup.make("sandboxRequests")
  .add(
    HttpApiEndpoint.get("sandboxListRequests", "/sandbox/requests", {
      query: {
        operation: exactly("Only requests for the operation with this id."),
        outcome: Schema.optionalKey(
          RequestOutcome.annotate({ description: "`FAILED`: only those with a status of 400 or above." }),
        ),
        caller: exactly("Only requests of this API token or agent."),
        path: exactly("Only requests whose path contains this text."),
        record: exactly("Only requests that wrote the record with this id before their answer."),
        ...paging,
      },
      success: RequestListResponse,
      error: failures(501),
    })
      .annotate(Access, { tokenPermission: "VIEW", isForConsole: true })
      .annotateMerge(
        extension(
          "sandboxListRequests",
          "List requests",
          "An addition of this service: the platform's latest requests, the newest first. The server keeps at most 1,000 in memory until it stops. It keeps neither requests that were refused with 401 nor those that read this list, nor what a page of the console reads.",
        ),
      ),
    HttpApiEndpoint.get("sandboxGetRequest", "/sandbox/requests/:requestId", {
      params: { requestId: pathId("request") },
      success: RequestDetail,
      error: failures(404, 501),
    })
      .annotate(Access, { tokenPermission: "VIEW", isForConsole: true })
      .annotateMerge(
        extension(
          "sandboxGetRequest",
          "Get a request",
          "An addition of this service: a request and its answer with their headers and bodies, in which secrets are masked.",
        ),
      ),
    HttpApiEndpoint.get("sandboxGetRequestTape", "/sandbox/requests/:requestId/tape", {
      params: { requestId: pathId("request") },
      query: {
        form: Schema.optionalKey(RequestProgramForm),
      },
      success: RequestTape,
      error: failures(404, 409, 501),
    })
      .annotate(Access, { tokenPermission: "VIEW", isForConsole: true })
      .annotateMerge(
        extension(
          "sandboxGetRequestTape",
          "Get a request as a test",
          "An addition of this service: a program that repeats the request on a new world, with the earlier requests that it needs: those whose answers it refers to, also by a masked value, those that changed what it names, and the time that passed. What no kept answer contained is a variable of the program. 409 if the sandbox has not kept the request as a whole, or if it needs more than 300 others.",
        ),
      ),
    HttpApiEndpoint.post("sandboxSendRequest", "/sandbox/requests/:requestId/send", {
      params: { requestId: pathId("request") },
      payload: RequestSendRequest,
      success: RequestSent,
      error: failures(404, 409, 501),
    })
      .annotate(Access, { tokenPermission: "MANAGE", isForConsole: true })
      .annotateMerge(
        extension(
          "sandboxSendRequest",
          "Send a request again",
          "An addition of this service: the sandbox handles a kept request once more, as its caller, whose present permissions and limits apply. 409 if the sandbox does not know all of it, or if its caller has no access any more. 403 if the caller has a permission that you do not have, or if another person sent it on the console. The status of the answer is that of the request.",
        ),
      ),
  )
  .middleware(RequestReading)
  .middleware(PlatformCredentials)
  .annotateMerge(OpenApi.annotations({ title: "Sandbox requests", description: "What was sent to the sandbox." })) {}
