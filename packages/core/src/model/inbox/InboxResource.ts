/**
 * Webhooks that a sandbox received in the inbox of a platform, on the wire: an extension of the specification.
 * Source: D-473.
 */
import { Schema } from "effect"
import { Timestamp } from "../../foundation/kit/Instant.ts"
import { PageOf } from "../../foundation/kit/PageResource.ts"

/** Whether a receiver with the platform's keys accepted the message when it arrived. */
export const InboxVerification = Schema.Struct({
  isVerified: Schema.Boolean,
  reason: Schema.optionalKey(
    Schema.String.annotate({ description: "Why a receiver refuses it, such as `SIGNATURE_MISMATCH`." }),
  ),
}).annotate({ identifier: "InboxVerification" })
export type InboxVerification = typeof InboxVerification.Type

const summary = {
  id: Schema.String,
  receivedAt: Timestamp.annotate({ description: "Real time." }),
  type: Schema.optionalKey(
    Schema.String.annotate({ description: "The type of the event, if the message is verified." }),
  ),
  eventId: Schema.optionalKey(
    Schema.String.annotate({ description: "The event, whose attempts `GET /operator/events/{eventId}` shows." }),
  ),
  delivery: Schema.optionalKey(
    Schema.Int.annotate({ description: "1 for the first message of the event in this inbox, 2 for the second." }),
  ),
  verification: InboxVerification,
  answeredStatus: Schema.Int.annotate({ description: "The status with which the inbox answered." }),
  bytes: Schema.Int,
}

/** A received webhook without its headers and body: an entry of the list. */
export const InboxMessageSummary = Schema.Struct(summary).annotate({ identifier: "InboxMessageSummary" })
export type InboxMessageSummary = typeof InboxMessageSummary.Type

/** Answer of `GET /sandbox/inbox/messages/{messageId}`: a received webhook with its headers and body. */
export const InboxMessage = Schema.Struct({
  ...summary,
  headers: Schema.Record(Schema.String, Schema.String),
  body: Schema.String.annotate({ description: "As it was received; of bytes that are not UTF-8 a readable form." }),
}).annotate({ identifier: "InboxMessage" })
export type InboxMessage = typeof InboxMessage.Type

/** A page of received webhooks, newest first. The server keeps at most 100 in memory. */
export const InboxMessageListResponse = PageOf(InboxMessageSummary, "InboxMessageListResponse")
export type InboxMessageListResponse = typeof InboxMessageListResponse.Type

/** How the inbox answers the next messages instead of 200. */
export const InboxAnswers = Schema.Struct({
  status: Schema.Int.check(Schema.isBetween({ minimum: 200, maximum: 599 })),
  count: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 100 })).annotate({
    description: "How many messages are answered like this.",
  }),
  delayMillis: Schema.optionalKey(
    Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 30_000 })).annotate({
      description: "How long each answer takes.",
    }),
  ),
}).annotate({ identifier: "InboxAnswers" })
export type InboxAnswers = typeof InboxAnswers.Type

export const InboxResource = Schema.Struct({
  url: Schema.String.annotate({
    description: "The address that receives the platform's webhooks. Keep it to yourself.",
  }),
  isEndpoint: Schema.Boolean.annotate({ description: "Whether it is the platform's `webhookEndpoint`." }),
  nextAnswers: Schema.optionalKey(InboxAnswers),
}).annotate({ identifier: "Inbox" })
export type InboxResource = typeof InboxResource.Type

/** Optional body of `POST /sandbox/inbox`. */
export const InboxRequest = Schema.Struct({
  setAsEndpoint: Schema.optionalKey(
    Schema.Boolean.annotate({ description: "Whether it becomes the platform's `webhookEndpoint`. Default: true." }),
  ),
}).annotate({ identifier: "InboxRequest" })
export type InboxRequest = typeof InboxRequest.Type
