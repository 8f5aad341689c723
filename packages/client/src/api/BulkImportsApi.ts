/**
 * Bulk imports: a file of customers, and the job that creates them.
 * Source: wire contract areas 1.5.
 */
import { BulkCustomerImportJob, BulkCustomerImportJobAccepted, importBytesMax } from "@countersign/core/models"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { Access } from "./Access.ts"
import { PlatformCredentials, RequestReading } from "./Credentials.ts"
import { documented } from "./Documented.ts"
import { failures } from "./Failures.ts"
import { idempotencyKey, pathId } from "./Parameters.ts"
import { accepted } from "./Statuses.ts"
import { formOf, Upload } from "./Upload.ts"

/** The limit of a bulk import's file. It has no text parts. Source: wire contract areas 1.5.1. */
export const bulkUpload = { fileBytesMax: importBytesMax, texts: Schema.Struct({}) } as const

export const BulkImportsApi = HttpApiGroup.make("bulkImports")
  .add(
    HttpApiEndpoint.post("uploadCustomersCsv", "/customers/bulk/csv", {
      headers: idempotencyKey,
      payload: formOf(
        bulkUpload,
        "A CSV file in UTF-8 with a header row, at most 100 MB and 100,000 rows.",
        "BulkCustomerImportRequest",
      ),
      success: accepted(BulkCustomerImportJobAccepted),
      error: failures(409),
    })
      .annotate(Access, { tokenPermission: "MANAGE", isIdempotent: true })
      .annotate(Upload, bulkUpload)
      .annotateMerge(
        documented(
          "uploadCustomersCsv",
          "Upload a file of customers",
          "Accepts a file whose rows a job creates customers of, one after another. What is wrong with the content, the job says. While 20 imports of the platform wait or run, another one is refused with 429 and `details.reason` `WAITING_IMPORTS`.",
        ),
      ),
    HttpApiEndpoint.get("getBulkCustomerImportJob", "/customers/bulk/jobs/:jobId", {
      params: { jobId: pathId("import job") },
      success: BulkCustomerImportJob,
      error: failures(404),
    })
      .annotate(Access, { tokenPermission: "VIEW" })
      .annotateMerge(
        documented(
          "getBulkCustomerImportJob",
          "Get an import job",
          "The progress of an import and the rows that created no customer. Readable for 30 days after its end.",
        ),
      ),
  )
  .middleware(RequestReading)
  .middleware(PlatformCredentials)
  .annotateMerge(OpenApi.annotations({ title: "Bulk import", description: "Customers from a file." }))
