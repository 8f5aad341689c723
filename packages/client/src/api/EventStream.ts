/**
 * The answer of an operation that sends server-sent events as long as its caller listens.
 * Source: HTML Living Standard, 9.2.5 (the media type).
 */
import { Schema } from "effect"
import { HttpApiSchema } from "effect/http-api"

const contentType = "text/event-stream"

export const EventStream = Object.assign(Schema.String.pipe(HttpApiSchema.asText({ contentType })), {
  "~stream": contentType,
  contentType,
} as const)
