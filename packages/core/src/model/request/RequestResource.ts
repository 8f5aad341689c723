/**
 * Requests that a sandbox keeps, on the wire: an extension of the specification. Secrets are masked when a request is kept.
 * Source: D-464.
 */
import { Schema } from "effect"
import { Timestamp } from "../../foundation/kit/Instant.ts"
import { PageOf } from "../../foundation/kit/PageResource.ts"
import { NotSendable } from "./RequestSendResource.ts"
import { RequestCommit, RequestRule } from "./RequestTraceResource.ts"

export * from "./RequestSendResource.ts"
export * from "./RequestTapeResource.ts"
export { RequestCommit, RequestRule } from "./RequestTraceResource.ts"

/** The kind of credentials of a request: those of a platform, an agent or an approver, or none. */
export const RequestCallerKind = Schema.Literals(["API_TOKEN", "AGENT", "APPROVER", "NOBODY"]).annotate({
  identifier: "RequestCallerKind",
})

/** The caller of a kept request. */
export const RequestCaller = Schema.Struct({
  kind: RequestCallerKind.annotate({
    description: "`APPROVER`: a person on the console. `NOBODY`: the operation takes no credentials.",
  }),
  id: Schema.optionalKey(Schema.String.annotate({ description: "The id of the token or the agent." })),
  name: Schema.optionalKey(Schema.String),
}).annotate({ identifier: "RequestCaller" })
export type RequestCaller = typeof RequestCaller.Type

const summary = {
  id: Schema.String.annotate({ description: "The `X-Request-Id` of the answer." }),
  receivedAt: Timestamp.annotate({ description: "Real time." }),
  at: Timestamp.annotate({ description: "Business time." }),
  method: Schema.String,
  path: Schema.String.annotate({ description: "With the query, relative to the base address." }),
  operation: Schema.String.annotate({ description: "The operation's id, such as `createTransferOut`." }),
  caller: RequestCaller,
  status: Schema.Int,
  durationMillis: Schema.Int,
  idempotencyKey: Schema.optionalKey(Schema.String),
  isReplay: Schema.Boolean.annotate({ description: "Whether the answer is that of an earlier request with this key." }),
  code: Schema.optionalKey(Schema.String.annotate({ description: "The code of the error." })),
  rule: Schema.optionalKey(Schema.String.annotate({ description: "The rule that refused." })),
  sentAgainFrom: Schema.optionalKey(
    Schema.String.annotate({ description: "The id of the earlier request that was sent again." }),
  ),
}

/** A kept request without its headers and bodies: an entry of the list. `durationMillis` is in real time. */
export const RequestSummary = Schema.Struct(summary).annotate({ identifier: "RequestSummary" })
export type RequestSummary = typeof RequestSummary.Type

/** A body as the sandbox keeps it: with masked secrets, and cut where it is long. */
export const RecordedBody = Schema.Struct({
  bytes: Schema.Int.annotate({ description: "How long it was." }),
  text: Schema.optionalKey(
    Schema.String.annotate({ description: "JSON with masks; absent if it is not JSON, or too long to be read." }),
  ),
  isCut: Schema.Boolean.annotate({ description: "Whether only the beginning of the text is kept." }),
  masked: Schema.Array(Schema.String).annotate({ description: "The members that are masked, as paths with dots." }),
}).annotate({ identifier: "RecordedBody" })
export type RecordedBody = typeof RecordedBody.Type

const RecordedHeaders = Schema.Record(Schema.String, Schema.String)

/** Answer of `GET /sandbox/requests/{requestId}`: a kept request with its answer, its rules and its commits. */
export const RequestDetail = Schema.Struct({
  ...summary,
  requestHeaders: RecordedHeaders.annotate({ description: "Those that the service reads, without credentials." }),
  requestBody: Schema.optionalKey(RecordedBody),
  responseHeaders: RecordedHeaders,
  responseBody: Schema.optionalKey(RecordedBody),
  rules: Schema.Array(RequestRule).annotate({ description: "The rules that failed while the request was decided." }),
  commits: Schema.Array(RequestCommit).annotate({ description: "What the request wrote before its answer." }),
  notSendable: Schema.optionalKey(NotSendable.annotate({ description: "Why the sandbox cannot send it again." })),
}).annotate({ identifier: "RequestDetail" })
export type RequestDetail = typeof RequestDetail.Type

/** A page of kept requests, newest first. The server keeps at most 1,000 in memory. */
export const RequestListResponse = PageOf(RequestSummary, "RequestListResponse")
export type RequestListResponse = typeof RequestListResponse.Type

/** Which answers a list shows. */
export const RequestOutcome = Schema.Literals(["SUCCEEDED", "FAILED"]).annotate({ identifier: "RequestOutcome" })
export type RequestOutcome = typeof RequestOutcome.Type
