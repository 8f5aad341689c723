/**
 * A kept request that is sent again, on the wire.
 * Source: D-478.
 */
import { Schema } from "effect"

/** Why a kept request cannot be sent again, each with its sentence. */
export const notSendableReasons = {
  MASKED: "The sandbox has masked what these members contained.",
  CUT: "The sandbox has kept only the beginning of this request.",
  NOT_KEPT: "The sandbox has not kept the body of this request.",
  UPLOAD: "The sandbox keeps no files, so that it cannot upload one again.",
  STREAM: "The answer is a stream, which nobody would read.",
  SENDING: "This request sent another one again. Send that one instead.",
} as const
/** A key of the table of reasons. */
export type NotSendableReason = keyof typeof notSendableReasons

/** Why the sandbox cannot send a kept request again. */
export const NotSendable = Schema.Struct({
  reason: Schema.Literals(Object.keys(notSendableReasons) as ReadonlyArray<NotSendableReason>),
  message: Schema.String,
  members: Schema.Array(Schema.String).annotate({
    description: "What is missing: `path.code`, `query.name`, `header.name` or `body.path.of.member`.",
  }),
}).annotate({ identifier: "NotSendable" })
export type NotSendable = typeof NotSendable.Type

/** Returns the reason with its sentence, and the members that are missing. */
export const notSendable = (reason: NotSendableReason, members: ReadonlyArray<string> = []): NotSendable => ({
  reason,
  message: notSendableReasons[reason],
  members,
})

/** The idempotency key of a request that is sent again: another one, or its own. */
export const ResendKey = Schema.Literals(["NEW", "SAME"]).annotate({ identifier: "ResendKey" })
export type ResendKey = typeof ResendKey.Type

/** Optional body of `POST /sandbox/requests/{requestId}/send`. */
export const RequestSendRequest = Schema.Struct({
  idempotencyKey: Schema.optionalKey(
    ResendKey.annotate({
      description:
        "`NEW` replaces the request's key by another, so that it happens again. `SAME` sends its own, so that the answer is replayed. A request without a key has none in either case. Default: `NEW`.",
    }),
  ),
}).annotate({ identifier: "RequestSendRequest" })
export type RequestSendRequest = typeof RequestSendRequest.Type

/** Answer of `POST /sandbox/requests/{requestId}/send`. */
export const RequestSent = Schema.Struct({
  requestId: Schema.String.annotate({ description: "The id of the new request in the journal." }),
  status: Schema.Int.annotate({ description: "The status of its answer." }),
}).annotate({ identifier: "RequestSent" })
export type RequestSent = typeof RequestSent.Type
