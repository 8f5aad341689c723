/** Bulk imports: each handler calls its service. Wire contract areas 1.5. */

import { Api, bulkUpload } from "@countersign/client/api"
import { BulkImports } from "@countersign/core"
import { Effect } from "effect"
import { HttpServerRequest } from "effect/http"
import { keyed } from "../middleware/Idempotency.ts"
import { formOf } from "../middleware/UploadBody.ts"
import { answering, ok } from "./EndpointHandlers.ts"
import { group } from "./HandlerGroup.ts"

export const layer = group(
  Api,
  "bulkImports",
  Effect.fnUntraced(function* (handlers) {
    const imports = yield* BulkImports
    return handlers.handleAll(
      yield* answering(handlers, {
        uploadCustomersCsv: ({ endpoint, headers }) =>
          Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) =>
            imports.upload(formOf(request, bulkUpload), keyed({ endpoint, headers })),
          ),
        getBulkCustomerImportJob: ({ params }) => ok(imports.get(params.jobId)),
      }),
    )
  }),
)
