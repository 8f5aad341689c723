/** Documents: each handler calls its service. Wire contract areas 1.2. */

import { Api, documentReplacement, documentUpload } from "@countersign/client/api"
import { Documents } from "@countersign/core"
import { Effect } from "effect"
import { HttpServerRequest } from "effect/http"
import { keyed } from "../middleware/Idempotency.ts"
import { formOf } from "../middleware/UploadBody.ts"
import { answering, ok } from "./EndpointHandlers.ts"
import { group } from "./HandlerGroup.ts"

export const layer = group(
  Api,
  "documents",
  Effect.fnUntraced(function* (handlers) {
    const documents = yield* Documents
    return handlers.handleAll(
      yield* answering(handlers, {
        uploadDocument: ({ endpoint, headers }) =>
          Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) =>
            documents.upload(formOf(request, documentUpload), keyed({ endpoint, headers })),
          ),
        listDocuments: ({ query }) => ok(documents.list(query)),
        getDocument: ({ params }) => ok(documents.get(params.documentId)),
        replaceDocument: ({ params }) =>
          Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) =>
            documents.replace(params.documentId, formOf(request, documentReplacement)),
          ),
        deleteDocument: ({ params }) => documents.remove(params.documentId),
      }),
    )
  }),
)
