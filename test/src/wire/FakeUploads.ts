/** The fake handlers of uploads. */
import { Api, bulkUpload, documentReplacement, documentUpload, type Upload } from "@countersign/client/api"
import { Effect, Result, Stream } from "effect"
import { HttpServerRequest } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { respond } from "../../../packages/adapter-http/src/middleware/Answers.ts"
import { formOf } from "../../../packages/adapter-http/src/middleware/UploadBody.ts"
import { echo, noContent, read } from "./FakeAnswers.ts"

/** Receives the whole form, as the service does, and returns its texts. */
const received = (endpoint: string, status: number, upload: Upload) => () =>
  respond(
    HttpServerRequest.HttpServerRequest.pipe(
      Effect.flatMap((request) => formOf(request, upload)(Stream.runDrain)),
      Effect.flatMap(({ texts }) => echo(endpoint, { endpoint, payload: Result.getOrUndefined(texts) })),
      Effect.map((body) => ({ status, body })),
    ),
  )

export const Documents = HttpApiBuilder.group(Api, "documents", (handlers) =>
  handlers.handleAll({
    uploadDocument: received("documents.uploadDocument", 201, documentUpload),
    listDocuments: read("documents.listDocuments"),
    getDocument: read("documents.getDocument"),
    replaceDocument: received("documents.replaceDocument", 200, documentReplacement),
    deleteDocument: noContent,
  }),
)

export const BulkImports = HttpApiBuilder.group(Api, "bulkImports", (handlers) =>
  handlers.handleAll({
    uploadCustomersCsv: received("bulkImports.uploadCustomersCsv", 202, bulkUpload),
    getBulkCustomerImportJob: read("bulkImports.getBulkCustomerImportJob"),
  }),
)
