/**
 * The body of every error response.
 * Spec: Errors; wire contract 8.1.
 */
import { Schema } from "effect"
import { ErrorCodes } from "./ErrorCodes.ts"

/** The schema of `code` in an error response. */
export const ErrorCodeText = Schema.Literals(ErrorCodes.keys).annotate({
  identifier: "ErrorCode",
  description: "What went wrong, for a program. The list may grow.",
})

export const ErrorResource = Schema.Struct({
  status: Schema.Int.annotate({ description: "Equals the HTTP status." }),
  code: ErrorCodeText,
  message: Schema.String.annotate({ description: "What went wrong, for a person." }),
  reason: Schema.optionalKey(Schema.String.annotate({ description: "401 only: the check that failed." })),
  details: Schema.optionalKey(
    Schema.Record(Schema.String, Schema.Json).annotate({
      description: "More for a program; `errors` lists every problem of the request's fields.",
    }),
  ),
}).annotate({ identifier: "Error", description: "The body of every error response." })
export type ErrorResource = typeof ErrorResource.Type
