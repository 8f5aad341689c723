/** The audit: each handler passes on to its service. D-111. */

import { Api } from "@countersign/client/api"
import { AuditRecords } from "@countersign/core"
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { answering, ok } from "./EndpointHandlers.ts"
import { optionalField } from "./OptionalField.ts"

export const layer = HttpApiBuilder.group(
  Api,
  "audit",
  Effect.fnUntraced(function* (handlers) {
    const records = yield* AuditRecords
    return handlers.handleAll(
      answering(handlers, {
        listAuditRecords: ({ query: { endDate, startDate, ...query } }) =>
          ok(records.list({ ...query, ...optionalField("from", startDate), ...optionalField("to", endDate) })),
      }),
    )
  }),
)
