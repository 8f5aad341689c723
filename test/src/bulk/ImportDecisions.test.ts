/** What the decisions about an import write: its upload, its rows, its end, and the erasure of its errors. Source: wire contract areas 1.5.4, 1.5.5. */
import { tenant } from "@countersign/core"
import type { Stored } from "@countersign/core/store"
import { Result } from "effect"
import { describe, expect, it } from "vitest"
import {
  acceptImport,
  beginImport,
  endImport,
  eraseErrors,
  importsFull,
} from "../../../packages/core/src/decision/bulk/ImportDecision.ts"
import { importRow } from "../../../packages/core/src/decision/bulk/ImportRowDecision.ts"
import { answer, type DecisionContext, refuse } from "../../../packages/core/src/decision/Decision.ts"
import type { Refusal } from "../../../packages/core/src/foundation/errors/ServiceError.ts"
import type { BulkImport, BulkImportError } from "../../../packages/core/src/model/bulk/BulkImport.ts"
import { toBulkImport } from "../../../packages/core/src/model/bulk/BulkImportResource.ts"
import type { Changes } from "../../../packages/core/src/store/Changes.ts"

const now = Date.parse("2026-03-02T08:00:00Z")
const platformId = "Platform:1"
const ids = (type: string) => `${type}:new`
const context: DecisionContext = { now, ids, caller: tenant(platformId), requestId: undefined, rejections: [] }
const dated = { platformId, customerId: null, version: 1, createdAt: 1, updatedAt: 1 }

const imported = (data: Partial<BulkImport> = {}): Stored<"BulkImport"> => ({
  ...dated,
  kind: "BulkImport",
  id: "Job:1",
  data: {
    status: "PROCESSING",
    fileId: "StoredFile:1",
    columns: {},
    width: 0,
    position: 10,
    total: 3,
    processed: 2,
    successful: 1,
    ...data,
  },
})
const problem = {
  code: "INVALID_REQUEST_FORMAT",
  message: "The file is not UTF-8.",
  details: { reason: "NOT_UTF8" },
} as const
const error = (row: number, more: Partial<BulkImportError> = {}): Stored<"BulkImportError"> => ({
  ...dated,
  kind: "BulkImportError",
  id: `ImportError:${row}`,
  data: { importId: "Job:1", row, correlationId: `row_${row}`, code: "CONFLICT", message: "Taken.", ...more },
})
const dataOf = ({ updates = [] }: Changes) => updates.map(({ data }) => data)
const jobsOf = ({ jobs = [] }: Changes) => jobs.filter(({ kind }) => kind.startsWith("import."))
const auditOf = ({ inserts = [] }: Changes) =>
  inserts.flatMap(({ data, kind }) => (kind === "AuditRecord" ? [data] : []))

describe("an upload", () => {
  const file: Stored<"StoredFile"> = {
    ...dated,
    kind: "StoredFile",
    id: "StoredFile:1",
    data: { status: "RECEIVING" },
  }
  const scanned = { file, size: 3, sha256: "ab", header: { columns: { city: 0 }, width: 1 }, position: 5, rows: 2 }
  const counter = `imports:${platformId}`

  it("waits behind the platform's other imports, with the counts of its file", () => {
    const decided = acceptImport(scanned, { _tag: "Start", delayMillis: 0 })(undefined, context)
    expect(decided).toMatchObject({ status: 202, body: { jobId: "Job:new", status: "PENDING" } })
    const { changes = {} } = decided
    expect(changes.inserts?.find(({ kind }) => kind === "BulkImport")?.data).toEqual({
      status: "PENDING",
      fileId: "StoredFile:1",
      columns: { city: 0 },
      width: 1,
      position: 5,
      total: 2,
      processed: 0,
      successful: 0,
    })
    expect(changes.counters).toEqual([{ key: counter, delta: 1, max: 20 }])
    expect(jobsOf(changes)).toMatchObject([
      { kind: "import.run", customerId: null, dueAt: now, lane: "customers:bulk", payload: { importId: "Job:new" } },
    ])
    expect(auditOf(changes)).toMatchObject([
      { operation: "BULK_IMPORT_UPLOAD", details: { size: 3, sha256: "ab", rows: 2 } },
    ])
  })

  it("starts late, or fails, as its name says", () => {
    const late = acceptImport(scanned, { _tag: "Start", delayMillis: 30_000 })(undefined, context).changes ?? {}
    expect(jobsOf(late)).toMatchObject([{ dueAt: now + 30_000 }])
    const stored = (start: Parameters<typeof acceptImport>[1]) =>
      (acceptImport({ ...scanned, problem }, start)(undefined, context).changes?.inserts ?? []).find(
        ({ kind }) => kind === "BulkImport",
      )?.data
    expect(stored({ _tag: "Start", delayMillis: 0 })).toMatchObject({ problem })
    expect(stored({ _tag: "Fail" })).toMatchObject({
      problem: { code: "INTERNAL_ERROR", message: "The import failed." },
    })
  })

  it("is refused while 20 imports wait", () => {
    const rejections = [{ _tag: "Bound", bound: { _tag: "Counter", key: counter } }] as const
    const decided = acceptImport(scanned, { _tag: "Start", delayMillis: 0 })(undefined, { ...context, rejections })
    expect(decided).toMatchObject({ refusal: importsFull })
    expect(importsFull).toEqual({
      code: "RATE_LIMITED",
      message: "At most 20 imports wait or run. Send the file again when one of them has ended.",
      details: { reason: "WAITING_IMPORTS", limit: 20, retryAfterSeconds: 60 },
    })
  })

  it("begins once", () => {
    const begun = beginImport({ bulkImport: imported({ status: "PENDING" }) })
    expect(dataOf(begun.changes ?? {})).toMatchObject([{ status: "PROCESSING" }])
    expect(beginImport({ bulkImport: imported() })).toMatchObject({ status: 200, body: null, changes: {} })
  })
})

describe("a row", () => {
  const conflict: Refusal = { code: "CONFLICT", message: "Taken." }
  const row = { number: 3, end: 20, correlationId: "ada", customer: Result.fail(conflict) } as const
  const decided = (refusal: Refusal | undefined, data: Partial<BulkImport> = {}, number = 3) =>
    importRow({ ...row, number }, () =>
      refusal === undefined ? answer(201, {} as never, { counters: [{ key: "created", delta: 1 }] }) : refuse(refusal),
    )({ bulkImport: imported(data) }, context)
  const errorOf = (refusal: Refusal, data: Partial<BulkImport> = {}) =>
    (decided(refusal, data).changes?.inserts ?? []).map(({ data: inserted }) => inserted)

  it("that makes a customer counts as successful, in the customer's commit", () => {
    const { body, changes = {} } = decided(undefined) as Extract<ReturnType<typeof decided>, { _tag: "Answer" }>
    expect(body).toBe(true)
    expect(changes.counters).toEqual([{ key: "created", delta: 1 }])
    expect(dataOf(changes)).toMatchObject([{ position: 20, processed: 3, successful: 2 }])
  })

  it("that makes none leaves an error, and counts as processed", () => {
    const invalid: Refusal = { code: "INVALID_INPUT", message: "Wrong.", details: { field: "x" } }
    const stored = { importId: "Job:1", row: 3, correlationId: "ada", code: "INVALID_INPUT", message: "Wrong." }
    expect(decided(invalid)).toMatchObject({ status: 200, body: true })
    expect(dataOf(decided(invalid).changes ?? {})).toMatchObject([{ position: 20, processed: 3, successful: 1 }])
    expect(errorOf(invalid)).toEqual([{ ...stored, details: { field: "x" } }])
    expect(errorOf({ code: "INVALID_INPUT", message: "Wrong." })).toEqual([stored])
  })

  it.each(["CONFLICT", "UMA_ADDRESS_EXISTS"] as const)(
    "with a value that another customer has names its column: %s",
    (code) => {
      const details = { reason: "TAKEN", field: "umaAddress" }
      expect(errorOf({ code, message: "Taken.", details })).toMatchObject([
        { details: { ...details, errors: [{ field: "umaAddress", message: "is taken" }] } },
      ])
      expect(errorOf({ code, message: "Taken.", details: { field: 7 } })).toMatchObject([{ details: { field: 7 } }])
      expect(errorOf({ code, message: "Taken." })[0]).not.toHaveProperty("details")
    },
  )

  it("leaves no error behind the first 1,000", () => {
    expect(errorOf(conflict, { total: 2000, processed: 2, successful: 2 })).toHaveLength(1)
    const many = (processed: number) =>
      importRow({ ...row, number: processed + 1 }, () => refuse(conflict))(
        { bulkImport: imported({ processed, successful: 0 }) },
        context,
      ).changes?.inserts?.length
    expect([many(999), many(1000)]).toEqual([1, 0])
  })

  it("stops a worker whose row another one has decided, or whose import has ended", () => {
    for (const stopped of [
      decided(undefined, {}, 2),
      decided(undefined, {}, 4),
      decided(undefined, { status: "FAILED" }),
    ])
      expect(stopped).toMatchObject({ status: 200, body: false, changes: {} })
  })
})

describe("the end of an import", () => {
  const finishes = [{ id: "Job:9", attempt: 1 }]
  const ended = (data: Partial<BulkImport>, errors: ReadonlyArray<Stored<"BulkImportError">> = []) =>
    endImport({ finishes })({ bulkImport: imported({ processed: 3, ...data }), errors }, context).changes ?? {}

  it.each<[string, Partial<BulkImport>, string, string]>([
    ["a customer", { successful: 1 }, "COMPLETED", "DONE"],
    ["no rows", { total: 0, processed: 0, successful: 0 }, "COMPLETED", "DONE"],
    ["no customer of its rows", { successful: 0 }, "FAILED", "FAILED"],
    ["a problem of the file", { problem, total: 0, processed: 0, successful: 0 }, "FAILED", "FAILED"],
  ])("with %s", (_what, data, status, outcome) => {
    const changes = ended(data)
    expect(dataOf(changes)).toContainEqual(expect.objectContaining({ status, endedAt: now }))
    expect(changes.events).toMatchObject([{ type: `BULK_UPLOAD.${status}`, subject: "Job:1", customerId: null }])
    const { processed = 3, successful = 0, total = 3 } = data
    expect(auditOf(changes)).toMatchObject([
      { operation: "BULK_IMPORT_END", outcome, details: { total, successful, failed: processed - successful } },
    ])
    expect(changes.counters).toEqual([{ key: `imports:${platformId}`, delta: -1 }])
    expect(changes.finishes).toEqual(finishes)
    expect(jobsOf(changes)).toMatchObject([
      { kind: "import.expire", customerId: null, dueAt: now + 30 * 86_400_000, payload: { importId: "Job:1" } },
    ])
  })

  it("happens once", () => {
    expect(ended({ status: "COMPLETED" })).toEqual({ finishes })
  })

  it("erases each error but its row", () => {
    const changes = eraseErrors({ finishes })([error(1, { details: { a: 1 } }), error(2)]).changes ?? {}
    const empty = { importId: "Job:1", correlationId: "", code: "", message: "" }
    expect(dataOf(changes)).toEqual([
      { ...empty, row: 1 },
      { ...empty, row: 2 },
    ])
    expect(changes.finishes).toEqual(finishes)
  })
})

describe("an import on the wire", () => {
  const shown = (data: Partial<BulkImport>, errors: ReadonlyArray<Stored<"BulkImportError">> = []) =>
    toBulkImport(
      imported(data),
      errors.map((each) => each.data),
    )
  const running = { id: "Job:1", status: "PROCESSING", progress: { total: 3, processed: 2, successful: 1, failed: 1 } }
  const entry = (row: number) => ({ correlationId: `row_${row}`, code: "CONFLICT", message: "Taken." })

  it("shows its errors in the order of the rows as soon as it has one, and at its end", () => {
    expect(shown({})).toEqual(running)
    const details = { field: "umaAddress" }
    expect(shown({}, [error(3), error(1, { details })])).toEqual({
      ...running,
      errors: [{ ...entry(1), details }, entry(3)],
    })
    const completedAt = "2026-03-02T08:00:00Z"
    expect(shown({ endedAt: now })).toEqual({ ...running, errors: [], completedAt })
  })

  it("shows the problem of its file first, and only at its end", () => {
    expect(shown({ problem })).toEqual(running)
    expect(shown({ problem, endedAt: now }, [error(1)])).toMatchObject({
      errors: [{ correlationId: "row_0", ...problem }, entry(1)],
    })
  })
})
