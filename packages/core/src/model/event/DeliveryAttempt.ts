/**
 * An attempt to deliver an event: where it was sent, with which headers, and what came back.
 * Source: D-450, D-451.
 */
import { Schema } from "effect"

/** How many attempts of an event are kept: the latest. Their numbers go on. */
export const deliveryAttemptsMax = 20

/** How much of an answer's body is kept, in UTF-16 code units. */
export const responseBodyMax = 2048

/** The stored data. It contains no secret: signatures are no keys. */
export const DeliveryAttempt = Schema.Struct({
  /** When it was sent: wall time in milliseconds. */
  at: Schema.Int,
  /** The `timestamp` of the envelope, the same in every attempt. */
  timestamp: Schema.String,
  url: Schema.String,
  /** Whether an operator asked for it, beside the event's own delivery. */
  isResend: Schema.Boolean,
  latencyMillis: Schema.Int,
  /** Absent: there was no answer. */
  status: Schema.optionalKey(Schema.Int),
  /** Why it was not acknowledged; absent: it was. */
  failure: Schema.optionalKey(Schema.String),
  /** Only where every caller could read it without the service. */
  responseBody: Schema.optionalKey(Schema.String),
  headers: Schema.Record(Schema.String, Schema.String),
})
export type DeliveryAttempt = typeof DeliveryAttempt.Type
