/**
 * The question by which an operator finds out whether a server answers, before it is used. It concerns no port of the service.
 * Source: D-534.
 */
import { Schema } from "effect"
import { optional, result, Text } from "./Parts.ts"
import { withoutUnknown } from "./PortOperation.ts"

export const portServerOperations = {
  describe: withoutUnknown({
    path: "/port-server/describe",
    summary: "Lists the operations that the server answers. `countersign doctor --live` asks; the service never does.",
    request: Schema.Struct({}),
    answer: result(
      Schema.Struct({
        operations: Schema.Array(Text.annotate({ description: "A path, such as `/rails/push`." })),
        isTest: optional(Schema.Boolean.annotate({ description: "No real money moves." })),
      }),
    ),
    repetition: "none",
    deadline: "ask",
  }),
}
