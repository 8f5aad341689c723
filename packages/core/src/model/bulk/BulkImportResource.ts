/**
 * Bulk imports on the wire.
 * Source: wire contract areas 1.5.3.
 */
import { Schema } from "effect"
import { Id } from "../../foundation/ids/IdTypes.ts"
import { iso, Timestamp } from "../../foundation/kit/Instant.ts"
import type { RecordOf } from "../record/Record.ts"
import { type BulkImport, type BulkImportError, importErrorsMax } from "./BulkImport.ts"
import { BulkImportMachine } from "./BulkImportMachine.ts"

/** Answer (202) of `POST /customers/bulk/csv`: the job that imports the file. */
export const BulkCustomerImportJobAccepted = Schema.Struct({
  jobId: Id("Job"),
  status: Schema.Literals(["PENDING", "PROCESSING"]),
}).annotate({ identifier: "BulkCustomerImportJobAccepted" })
export type BulkCustomerImportJobAccepted = typeof BulkCustomerImportJobAccepted.Type

const BulkCustomerImportErrorEntry = Schema.Struct({
  correlationId: Schema.String.annotate({
    description: "The `platformCustomerId` of the row, else `row_` and its number; `row_0` is the file as a whole.",
  }),
  code: Schema.String,
  message: Schema.String,
  details: Schema.optionalKey(Schema.Record(Schema.String, Schema.Json)),
}).annotate({ identifier: "BulkCustomerImportErrorEntry" })

const BulkCustomerImportProgress = Schema.Struct({
  total: Schema.Int,
  processed: Schema.Int,
  successful: Schema.Int,
  failed: Schema.Int,
}).annotate({ identifier: "BulkCustomerImportProgress" })

/** Answer of `GET /customers/bulk/jobs/{jobId}`: the progress of an import. It is readable for 30 days after its end. */
export const BulkCustomerImportJob = Schema.Struct({
  id: Id("Job"),
  status: Schema.Literals(BulkImportMachine.states),
  progress: BulkCustomerImportProgress,
  errors: Schema.optionalKey(
    Schema.Array(BulkCustomerImportErrorEntry).annotate({
      description: `In the order of the rows; the first ${importErrorsMax} are kept.`,
    }),
  ),
  completedAt: Schema.optionalKey(Timestamp),
}).annotate({ identifier: "BulkCustomerImportJob" })
export type BulkCustomerImportJob = typeof BulkCustomerImportJob.Type

const entryOf = ({ code, correlationId, details, message }: Omit<BulkImportError, "importId" | "row">) => ({
  correlationId,
  code,
  message,
  ...(details === undefined ? {} : { details }),
})

/** `errors` are those of its rows, in any order. */
export const toBulkImport = (
  { data, id }: Pick<RecordOf<"BulkImport", BulkImport>, "data" | "id">,
  errors: ReadonlyArray<BulkImportError>,
): BulkCustomerImportJob => {
  const { endedAt, problem, processed, status, successful, total } = data
  const isEnded = endedAt !== undefined
  const entries = [
    ...(isEnded && problem !== undefined ? [entryOf({ correlationId: "row_0", ...problem })] : []),
    ...errors.toSorted((a, b) => a.row - b.row).map(entryOf),
  ]
  return {
    id,
    status,
    progress: { total, processed, successful, failed: processed - successful },
    ...(isEnded || entries.length > 0 ? { errors: entries } : {}),
    ...(isEnded ? { completedAt: iso(endedAt) } : {}),
  }
}
