/**
 * Decides one row of an import: the customer, or the error, and the progress, all in one commit. A row is never decided twice, because
 * its number must follow that of the last one.
 * Source: wire contract areas 1.5.4, 1.5.5 (crash safety); D-411.
 */
import type { Refusal } from "../../foundation/errors/ServiceError.ts"
import { type BulkImport, type BulkImportError, importErrorsMax } from "../../model/bulk/BulkImport.ts"
import type { ImportRow } from "../../model/bulk/ImportRow.ts"
import type { CustomerResource } from "../../model/customer/CustomerResource.ts"
import type { Stored } from "../../store/ChangeSet.ts"
import * as Changes from "../../store/Changes.ts"
import { answer, type Decision, type DecisionContext } from "../Decision.ts"

type Creation<L> = (loaded: L, context: DecisionContext) => Decision<CustomerResource>

interface Loaded {
  readonly bulkImport: Stored<"BulkImport">
}

/** Returns the progress after a row. Only the last version is kept: a large file would leave as many as it has rows. */
const advanced = (bulkImport: Stored<"BulkImport">, { end }: ImportRow, created: 0 | 1): Changes.Changes => {
  const { processed, successful } = bulkImport.data
  const data: BulkImport = {
    ...bulkImport.data,
    position: end,
    processed: processed + 1,
    successful: successful + created,
  }
  return Changes.erase(bulkImport, data)
}

/** Codes of values that another customer has. */
const takenCodes: ReadonlyArray<string> = ["CONFLICT", "UMA_ADDRESS_EXISTS"]

/** Lists the column of a taken value as those of other problems. */
const detailsOf = ({ code, details }: Refusal): Refusal["details"] =>
  takenCodes.includes(code) && typeof details?.["field"] === "string"
    ? { ...details, errors: [{ field: details["field"], message: "is taken" }] }
    : details

const failedRow = (
  bulkImport: Stored<"BulkImport">,
  { correlationId, number }: ImportRow,
  refusal: Refusal,
  { ids }: DecisionContext,
): Changes.Changes => {
  const { processed, successful } = bulkImport.data
  if (processed - successful >= importErrorsMax) return {}
  const { code, message } = refusal
  const details = detailsOf(refusal)
  const data: BulkImportError = {
    importId: bulkImport.id,
    row: number,
    correlationId,
    code,
    message,
    ...(details === undefined ? {} : { details }),
  }
  return Changes.insert("BulkImportError", ids("ImportError", bulkImport.customerId), bulkImport, data)
}

/** Returns `false` for a row that another worker has decided: this one then stops. */
export const importRow =
  <L>(row: ImportRow, create: Creation<L>) =>
  (loaded: L & Loaded, context: DecisionContext): Decision<boolean> => {
    const { bulkImport } = loaded
    const { processed, status } = bulkImport.data
    if (status !== "PROCESSING" || processed !== row.number - 1) return answer(200, false)
    const creation = create(loaded, context)
    return creation._tag === "Answer"
      ? answer(200, true, Changes.combine(creation.changes, advanced(bulkImport, row, 1)))
      : answer(
          200,
          true,
          Changes.combine(failedRow(bulkImport, row, creation.refusal, context), advanced(bulkImport, row, 0)),
        )
  }
