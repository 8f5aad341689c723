/**
 * The states of a bulk import.
 * Source: wire contract areas 1.5.4.
 */
import * as Machine from "../../foundation/kit/Machine.ts"

export const BulkImportMachine = Machine.make({
  name: "BulkImport",
  arrows: [
    [null, "Accept", "PENDING"],
    ["PENDING", "Begin", "PROCESSING"],
    ["PROCESSING", "Complete", "COMPLETED", ["BULK_UPLOAD.COMPLETED"]],
    ["PROCESSING", "Fail", "FAILED", ["BULK_UPLOAD.FAILED"]],
  ],
})
