/** Records for the operator: each handler calls its service. D-467. */

import { Api } from "@countersign/client/api"
import { Records } from "@countersign/core"
import { Effect } from "effect"
import { answering, ok } from "./EndpointHandlers.ts"
import { group } from "./HandlerGroup.ts"
import { withDates } from "./OptionalField.ts"

export const layer = group(
  Api,
  "operatorRecords",
  Effect.fnUntraced(function* (handlers) {
    const records = yield* Records
    return handlers.handleAll(
      yield* answering(handlers, {
        listRecords: ({ query }) => ok(records.list(withDates(query))),
        findRecords: ({ query }) => ok(records.find(query.text)),
        getRecord: ({ params }) => ok(records.get(params.recordId)),
      }),
    )
  }),
)
