/**
 * Documents: evidence for verifications.
 * Source: wire contract areas 1.2.
 */
import {
  DocumentHolder,
  DocumentListResponse,
  DocumentReplaceRequest,
  DocumentResource,
  DocumentUploadRequest,
  documentBytesMax,
} from "@countersign/core/models"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Access } from "./Access.ts"
import { PlatformCredentials, RequestReading } from "./Credentials.ts"
import { documented } from "./Documented.ts"
import { failures } from "./Failures.ts"
import { idempotencyKey, paging, pathId } from "./Parameters.ts"
import { created } from "./Statuses.ts"
import { formOf, Upload } from "./Upload.ts"

const documentId = { documentId: pathId("document") }
const file = "A PDF, JPEG or PNG. Its first bytes decide the type."

/** The limit of a new document's file, and the texts beside it. */
export const documentUpload = { fileBytesMax: documentBytesMax, texts: DocumentUploadRequest } as const
/** The same for a document that takes the place of another; its holder is known already. */
export const documentReplacement = {
  fileBytesMax: documentBytesMax,
  texts: DocumentReplaceRequest,
} as const

export const DocumentsApi = HttpApiGroup.make("documents")
  .add(
    HttpApiEndpoint.post("uploadDocument", "/documents", {
      headers: idempotencyKey,
      payload: formOf(documentUpload, file, "DocumentUploadRequest"),
      success: created(DocumentResource),
      error: failures(404, 409),
    })
      .annotate(Access, { tokenPermission: "MANAGE", isIdempotent: true })
      .annotate(Upload, documentUpload)
      .annotateMerge(
        documented(
          "uploadDocument",
          "Upload a document",
          "Stores evidence for the verification of a customer or of one of its beneficial owners. Uploading starts no verification.",
        ),
      ),
    HttpApiEndpoint.get("listDocuments", "/documents", {
      query: { documentHolder: Schema.optionalKey(DocumentHolder), ...paging },
      success: DocumentListResponse,
      error: failures(),
    })
      .annotate(Access, { tokenPermission: "VIEW" })
      .annotateMerge(
        documented(
          "listDocuments",
          "List documents",
          "The documents, newest first. A customer's id does not include the documents of its owners.",
        ),
      ),
    HttpApiEndpoint.get("getDocument", "/documents/:documentId", {
      params: documentId,
      success: DocumentResource,
      error: failures(404),
    })
      .annotate(Access, { tokenPermission: "VIEW", isForConsole: true })
      .annotateMerge(documented("getDocument", "Get a document", "One document. Its file is never given back.")),
    HttpApiEndpoint.put("replaceDocument", "/documents/:documentId", {
      params: documentId,
      payload: formOf(documentReplacement, file, "DocumentReplaceRequest"),
      success: DocumentResource,
      error: failures(404),
    })
      .annotate(Access, { tokenPermission: "MANAGE" })
      .annotate(Upload, documentReplacement)
      .annotateMerge(
        documented(
          "replaceDocument",
          "Replace a document",
          "Replaces the file and all fields; omitted optional fields are cleared. 400 while the holder is verified.",
        ),
      ),
    HttpApiEndpoint.delete("deleteDocument", "/documents/:documentId", {
      params: documentId,
      success: HttpApiSchema.NoContent,
      error: failures(404, 409),
    })
      .annotate(Access, { tokenPermission: "MANAGE" })
      .annotateMerge(
        documented(
          "deleteDocument",
          "Delete a document",
          "Deletes the document and its file. 409 if it was submitted to a verification.",
        ),
      ),
  )
  .middleware(RequestReading)
  .middleware(PlatformCredentials)
  .annotateMerge(OpenApi.annotations({ title: "Documents", description: "Evidence for verifications." }))
