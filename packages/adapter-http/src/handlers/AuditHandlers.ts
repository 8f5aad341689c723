/** The audit: each handler calls its service. D-111. */

import { Api } from "@countersign/client/api"
import { AuditRecords } from "@countersign/core"
import { Effect } from "effect"
import { answering, ok } from "./EndpointHandlers.ts"
import { group } from "./HandlerGroup.ts"
import { withDates } from "./OptionalField.ts"

export const layer = group(
  Api,
  "audit",
  Effect.fnUntraced(function* (handlers) {
    const records = yield* AuditRecords
    return handlers.handleAll(
      yield* answering(handlers, {
        listAuditRecords: ({ query }) => ok(records.list(withDates(query))),
      }),
    )
  }),
)
