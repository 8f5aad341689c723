/**
 * A kept request as a program that repeats it on a new world, on the wire.
 * Source: D-479.
 */
import { Schema } from "effect"

/** The form of a program: a test, a program for Node, or commands for a shell. */
export const RequestProgramForm = Schema.Literals(["TEST", "SCRIPT", "CURL"]).annotate({
  identifier: "RequestProgramForm",
  description: "The form of a program. Default: `TEST`.",
})
export type RequestProgramForm = typeof RequestProgramForm.Type

/** Why a tape does not have a value. */
export const RequestVariableReason = Schema.Literals(["MASKED", "CREDENTIALS", "NOT_ANSWERED"]).annotate({
  identifier: "RequestVariableReason",
})
export type RequestVariableReason = typeof RequestVariableReason.Type

/** A value that the program reads from its environment, because the sandbox does not have it. */
export const RequestTapeVariable = Schema.Struct({
  name: Schema.String.annotate({ description: "The environment variable that the program reads." }),
  reason: RequestVariableReason.annotate({
    description:
      "`MASKED`: a secret that no answer contained. `CREDENTIALS`: an `Authorization` header that no answer contained. `NOT_ANSWERED`: an id that no kept answer contained.",
  }),
  description: Schema.String,
}).annotate({ identifier: "RequestTapeVariable" })
export type RequestTapeVariable = typeof RequestTapeVariable.Type

/** Answer of `GET /sandbox/requests/{requestId}/tape`: a program that repeats the request with the earlier ones that it needs. */
export const RequestTape = Schema.Struct({
  requestId: Schema.String,
  form: RequestProgramForm,
  program: Schema.String.annotate({
    description:
      "`TEST`: a test for `node:test` with `@countersign/test`. `SCRIPT`: a program for Node and any address. `CURL`: commands for a shell.",
  }),
  tape: Schema.Json.annotate({ description: "The same as a tape, which `countersign replay` sends to a server." }),
  requests: Schema.Array(Schema.String).annotate({ description: "The ids of the requests that the program repeats." }),
  variables: Schema.Array(RequestTapeVariable).annotate({
    description: "The values that the program must be given, because the journal does not have them.",
  }),
  gaps: Schema.Array(Schema.String).annotate({ description: "What happened in between and cannot be repeated." }),
  forgotten: Schema.Int.annotate({
    description: "How many requests the journal has forgotten: the program may need some of them.",
  }),
}).annotate({ identifier: "RequestTape" })
export type RequestTape = typeof RequestTape.Type
