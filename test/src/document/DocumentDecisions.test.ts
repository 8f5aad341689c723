/**
 * What the upload, the replacement and the deletion of a document write, and when they are refused.
 * Source: wire contract areas 1.2; D-378.
 */
import { describe, expect, it } from "vitest"
import type { CommitRejection } from "../../../packages/core/src/decision/Decision.ts"
import {
  type DocumentFile,
  deleteDocument,
  isInReview,
  replaceDocument,
  type UploadedFile,
  type UploadLoaded,
  uploadDocument,
} from "../../../packages/core/src/decision/document/DocumentDecision.ts"
import type { Verification } from "../../../packages/core/src/model/customer/Verification.ts"
import type { Document } from "../../../packages/core/src/model/document/Document.ts"
import type { DocumentUploadRequest } from "../../../packages/core/src/model/document/DocumentResource.ts"
import type { Stored } from "../../../packages/core/src/store/ChangeSet.ts"
import { contextOf, now, owner } from "../card/StoredCards.ts"
import { partsWritten } from "../operation/WrittenParts.ts"
import { customerOf } from "../quote/CreationFacts.ts"

const dated = { ...owner, createdAt: now - 9000, updatedAt: now - 9000 }
const file: Stored<"StoredFile"> = {
  ...dated,
  customerId: null,
  kind: "StoredFile",
  id: "File:2",
  version: 4,
  data: { status: "RECEIVING" },
}
const uploaded: UploadedFile = { file, size: 12, sha256: "abc", type: "pdf" }
const request: DocumentUploadRequest = { documentHolder: "Customer:1", documentType: "PASSPORT", country: "DE" }
const full = { ...request, side: "FRONT", documentNumber: "D-1", issuingAuthority: "City" } as const
const stored: Document = {
  status: "STORED",
  documentHolder: "Customer:1",
  documentType: "PASSPORT",
  country: "DE",
  fileName: "scan.pdf",
  fileId: "File:2",
  size: 12,
  sha256: "abc",
}
const documentOf = (data: Partial<Document> = {}): Stored<"Document"> => ({
  ...dated,
  kind: "Document",
  id: "Document:1",
  version: 6,
  data: { ...stored, fileId: "File:1", documentNumber: "D-0", issuingAuthority: "Old", ...data },
})
const verificationOf = (verificationStatus: Verification["verificationStatus"]) =>
  ({
    ...dated,
    kind: "Verification",
    id: "Verification:1",
    version: 2,
    data: { verificationStatus },
  }) as Stored<"Verification">
const customerGuard = { kind: "Customer", id: "Customer:1", version: 1 }
const kept = { kind: "StoredFile", id: "File:2", version: 4, data: { status: "KEPT" } }
const erased = (fileId: string, id: string) => [
  { id, queue: "work", kind: "file.erase", customerId: null, dueAt: now, payload: { fileIds: [fileId] } },
]
const auditOf = (operation: string, id: string, target = "Document:1") => ({
  ...owner,
  kind: "AuditRecord",
  id,
  data: {
    actor: { type: "SERVICE" },
    operation,
    target,
    outcome: "DONE",
    requestId: "Request:1",
    details: { documentHolder: "Customer:1", documentType: "PASSPORT", size: 12, sha256: "abc" },
  },
})
const refused = (refusal: object) => ({ _tag: "Refuse", refusal, changes: {} })

describe("the upload of a document", () => {
  const upload = (
    sent: DocumentUploadRequest = request,
    ofFile: DocumentFile = uploaded,
    more: Partial<UploadLoaded> = {},
    rejections: ReadonlyArray<CommitRejection> = [],
  ) =>
    uploadDocument(
      sent,
      "C:\\tmp\\scan.pdf",
      ofFile,
    )({ customer: customerOf(), owner: undefined, refusal: undefined, ...more }, contextOf({ rejections }))
  const counter = { key: "documents:Customer:1", customerId: "Customer:1", delta: 1, max: 500 }
  const reached = (key: string): CommitRejection => ({ _tag: "Bound", bound: { _tag: "Counter", key } })

  it("keeps its file, counts it and is audited without what its holder said", () => {
    const decision = upload()
    expect(decision).toMatchObject({
      status: 201,
      body: { id: "Document:new1", documentHolder: "Customer:1", fileName: "scan.pdf" },
    })
    const { counters = [], transitions: _transitions, ...parts } = partsWritten(decision)
    expect(parts).toEqual({
      inserts: [
        { ...owner, kind: "Document", id: "Document:new1", data: stored },
        auditOf("DOCUMENT_UPLOAD", "AuditRecord:new2", "Document:new1"),
      ],
      updates: [kept],
      guards: [customerGuard],
    })
    expect(counters).toContainEqual(counter)
  })

  it("stores what the request names, and guards the owner who holds it", () => {
    const holder = {
      ...dated,
      kind: "BeneficialOwner",
      id: "BeneficialOwner:1",
      version: 3,
      data: {},
    } as Stored<"BeneficialOwner">
    const decision = upload(full, uploaded, { owner: holder })
    expect(decision.changes?.inserts?.[0]?.data).toEqual({
      ...stored,
      side: "FRONT",
      documentNumber: "D-1",
      issuingAuthority: "City",
    })
    expect(decision.changes?.guards).toEqual([
      customerGuard,
      { kind: "BeneficialOwner", id: "BeneficialOwner:1", version: 3 },
    ])
  })

  it("is refused for a file of no type, by the provider, and beyond the count, in this order", () => {
    const isFull = [reached("documents:Customer:1")]
    const blurred = { refusal: "LOW_QUALITY" } as const
    const noType = uploadDocument(
      request,
      undefined,
      undefined,
    )({ customer: customerOf(), owner: undefined, ...blurred }, contextOf({ rejections: isFull }))
    expect(noType).toMatchObject(refused({ code: "UNSUITABLE_DOCUMENT" }))
    expect(upload(request, uploaded, blurred, isFull)).toMatchObject(refused({ code: "LOW_QUALITY" }))
    expect(upload(request, uploaded, {}, isFull)).toMatchObject(
      refused({ details: { errors: [{ field: "documentHolder" }] } }),
    )
    expect(upload(request, uploaded, {}, [reached("documents:Customer:2")])).toMatchObject({ status: 201 })
  })
})

describe("the replacement of a document", () => {
  const replace = (
    data: Partial<Document> = {},
    open: Stored<"Verification"> | undefined = undefined,
    ofFile: UploadedFile = uploaded,
  ) =>
    replaceDocument(
      request,
      "scan.pdf",
      ofFile,
    )({ customer: customerOf(), document: documentOf(data), open, refusal: undefined }, contextOf())

  it("erases the earlier versions and the earlier file, and keeps the holder and the new file", () => {
    const decision = replace({ documentHolder: "Customer:1" })
    expect(decision).toMatchObject({ status: 200, body: { id: "Document:1", updatedAt: "2026-03-02T08:00:00Z" } })
    const { transitions: _transitions, ...parts } = partsWritten(decision)
    expect(parts).toEqual({
      updates: [{ kind: "Document", id: "Document:1", version: 6, data: stored, erasesHistory: true }, kept],
      guards: [customerGuard],
      jobs: erased("File:1", "Job:new1"),
      inserts: [auditOf("DOCUMENT_REPLACE", "AuditRecord:new2")],
    })
    const ofOwner = replace({ documentHolder: "BeneficialOwner:1" })
    expect(ofOwner.changes?.updates?.[0]?.data).toMatchObject({ documentHolder: "BeneficialOwner:1" })
  })

  it.each<[Verification["verificationStatus"], boolean]>([
    ["IN_PROGRESS", true],
    ["PENDING_MANUAL_REVIEW", true],
    ["RESOLVE_ERRORS", false],
  ])("during a verification that is %s is refused: %s", (status, isRefused) => {
    const open = verificationOf(status)
    expect(isInReview({ open })).toBe(isRefused)
    expect(isInReview({ open: undefined })).toBe(false)
    const decision = replace({}, open)
    if (isRefused) {
      expect(decision).toMatchObject(refused({ code: "INVALID_INPUT", details: { reason: "DOCUMENT_IN_REVIEW" } }))
      return expect(replace({ status: "SUBMITTED" }, open)).toMatchObject({
        refusal: { details: { reason: "DOCUMENT_IN_REVIEW" } },
      })
    }
    expect(decision.changes?.guards).toEqual([
      customerGuard,
      { kind: "Verification", id: "Verification:1", version: 2 },
    ])
  })

  it("is refused once it was submitted, for a file of no type, and by the provider", () => {
    const replaced = (ofFile: DocumentFile, refusal: UploadLoaded["refusal"], data: Partial<Document> = {}) =>
      replaceDocument(
        request,
        "scan.pdf",
        ofFile,
      )({ customer: customerOf(), document: documentOf(data), open: undefined, refusal }, contextOf())
    expect(replaced(undefined, "EXPIRED", { status: "SUBMITTED" })).toMatchObject(
      refused({ details: { reason: "DOCUMENT_SUBMITTED" } }),
    )
    expect(replaced(undefined, "EXPIRED")).toMatchObject(refused({ code: "UNSUITABLE_DOCUMENT" }))
    expect(replaced(uploaded, "EXPIRED")).toMatchObject(refused({ code: "EXPIRED" }))
  })
})

describe("the deletion of a document", () => {
  const removed = (data: Partial<Document> = {}) =>
    deleteDocument({ customer: customerOf(), document: documentOf(data) }, contextOf())

  it("erases what its holder said and the file, and counts it no more", () => {
    const decision = removed()
    expect(decision).toMatchObject({ status: 204, body: null })
    const { counters, transitions: _transitions, ...parts } = partsWritten(decision)
    const data = { ...stored, status: "DELETED", fileName: "", fileId: "File:1" }
    expect(parts).toEqual({
      updates: [{ kind: "Document", id: "Document:1", version: 6, data, erasesHistory: true }],
      guards: [customerGuard],
      jobs: erased("File:1", "Job:new1"),
      inserts: [auditOf("DOCUMENT_DELETE", "AuditRecord:new2")],
    })
    expect(counters).toContainEqual({ key: "documents:Customer:1", customerId: "Customer:1", delta: -1 })
  })

  it.each(["SUBMITTED", "RETAINED"] as const)("is refused once it is %s", (status) => {
    expect(removed({ status })).toMatchObject(refused({ code: "CONFLICT", details: { reason: "DOCUMENT_SUBMITTED" } }))
  })
})
