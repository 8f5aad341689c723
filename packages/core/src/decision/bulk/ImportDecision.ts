/**
 * Decides the life of a bulk import: its upload, its beginning, its end, and the erasure of its errors.
 * Source: wire contract areas 1.5.4, 1.5.5; D-411, D-412.
 */
import type { Refusal } from "../../foundation/errors/ServiceError.ts"
import {
  type BulkImport,
  type BulkImportError,
  type ImportProblem,
  importRetentionMillis,
  importsMax,
} from "../../model/bulk/BulkImport.ts"
import { BulkImportMachine } from "../../model/bulk/BulkImportMachine.ts"
import { type BulkCustomerImportJobAccepted, toBulkImport } from "../../model/bulk/BulkImportResource.ts"
import type { ImportHeader } from "../../model/bulk/ImportHeader.ts"
import type { ImportStartAnswer } from "../../settings/ImportStart.ts"
import type { Stored } from "../../store/ChangeSet.ts"
import * as Changes from "../../store/Changes.ts"
import { job } from "../../store/JobKinds.ts"
import { withoutPlaceholders } from "../../store/Placeholders.ts"
import { auditRecord } from "../audit/Audit.ts"
import { answer, type Decision, type DecisionContext, hasReached, refuse } from "../Decision.ts"
import { newEvent } from "../event/NewEvent.ts"
import { eraseFiles, keepFile } from "../file/FileDecision.ts"

/** What the first reading of an uploaded file has found. */
export interface ScannedFile {
  readonly file: Stored<"StoredFile">
  readonly size: number
  readonly sha256: string
  readonly header: ImportHeader
  /** The position (bytes) of the first row. */
  readonly position: number
  readonly rows: number
  readonly problem?: ImportProblem
}

const magicFailure: ImportProblem = { code: "INTERNAL_ERROR", message: "The import failed." }

/** The counter of the imports that have not ended. */
export const importsCounter = (platformId: string): string => `imports:${platformId}`

/** The refusal of an upload while as many imports wait as may. */
export const importsFull: Refusal = {
  code: "RATE_LIMITED",
  message: `At most ${importsMax} imports wait or run. Send the file again when one of them has ended.`,
  details: { reason: "WAITING_IMPORTS", limit: importsMax, retryAfterSeconds: 60 },
}

/** The imports of a platform run one after another. */
const lane = "customers:bulk"

export const acceptImport =
  (scanned: ScannedFile, start: ImportStartAnswer) =>
  (_: unknown, context: DecisionContext): Decision<BulkCustomerImportJobAccepted> => {
    const { caller, ids, now, rejections } = context
    const counter = importsCounter(caller.platformId)
    if (hasReached(rejections, counter)) return refuse(importsFull)
    const { file, header, position, rows, sha256, size } = scanned
    const problem = start._tag === "Fail" ? magicFailure : scanned.problem
    const owner = { platformId: caller.platformId, customerId: null }
    const id = ids("Job")
    const data: BulkImport = {
      status: BulkImportMachine.follow(null, "Accept").state,
      fileId: file.id,
      ...header,
      position,
      total: rows,
      processed: 0,
      successful: 0,
      ...(problem === undefined ? {} : { problem }),
    }
    const dueAt = start._tag === "Start" ? now + start.delayMillis : now
    return answer(
      202,
      { jobId: id, status: "PENDING" },
      Changes.combine(
        Changes.insert("BulkImport", id, owner, data),
        keepFile(file),
        { counters: [{ key: counter, delta: 1, max: importsMax }] },
        { jobs: [job(ids, "import.run", { customerId: null, dueAt, lane, payload: { importId: id } })] },
        auditRecord(context, "BULK_IMPORT_UPLOAD", { id, ...owner }, { details: { size, sha256, rows } }),
      ),
    )
  }

interface Loaded {
  readonly bulkImport: Stored<"BulkImport">
}

export const beginImport = ({ bulkImport }: Loaded): Decision<null> =>
  BulkImportMachine.allows(bulkImport.data.status, "Begin")
    ? answer(
        200,
        null,
        Changes.erase(bulkImport, {
          ...bulkImport.data,
          status: BulkImportMachine.follow(bulkImport.data.status, "Begin").state,
        }),
      )
    : answer(200, null)

/** Ends an import whose rows are done, or that fails as a whole. The file's bytes are erased. */
export const endImport =
  (finishing: Changes.Changes) =>
  (
    { bulkImport, errors }: Loaded & { readonly errors: ReadonlyArray<Stored<"BulkImportError">> },
    context: DecisionContext,
  ): Decision<null> => {
    const { ids, now } = context
    const { fileId, problem, processed, status, successful, total } = bulkImport.data
    if (status !== "PROCESSING") return answer(200, null, finishing)
    const isFailed = problem !== undefined || (total > 0 && successful === 0)
    const { emits, state } = BulkImportMachine.follow(status, isFailed ? "Fail" : "Complete")
    const ended = Changes.after(bulkImport, { ...bulkImport.data, status: state, endedAt: now }, now)
    const resource = toBulkImport(
      ended,
      errors.map(({ data }) => data),
    )
    return answer(
      200,
      null,
      Changes.combine(
        finishing,
        Changes.erase(bulkImport, ended.data),
        eraseFiles(ids, now, [fileId]),
        { counters: [{ key: importsCounter(bulkImport.platformId), delta: -1 }] },
        ...emits.map((type) =>
          newEvent(ids, now, {
            type,
            customerId: null,
            subject: bulkImport.id,
            data: withoutPlaceholders({ ...resource }),
          }),
        ),
        {
          jobs: [
            job(ids, "import.expire", {
              customerId: null,
              dueAt: now + importRetentionMillis,
              payload: { importId: bulkImport.id },
            }),
          ],
        },
        auditRecord(context, "BULK_IMPORT_END", bulkImport, {
          outcome: isFailed ? "FAILED" : "DONE",
          details: { total, successful, failed: processed - successful },
        }),
      ),
    )
  }

/** What remains of an error once its import can no longer be read. */
const erased = ({ importId, row }: BulkImportError): BulkImportError => ({
  importId,
  row,
  correlationId: "",
  code: "",
  message: "",
})

export const eraseErrors =
  (finishing: Changes.Changes) =>
  (errors: ReadonlyArray<Stored<"BulkImportError">>): Decision<null> =>
    answer(200, null, Changes.combine(finishing, ...errors.map((error) => Changes.erase(error, erased(error.data)))))
