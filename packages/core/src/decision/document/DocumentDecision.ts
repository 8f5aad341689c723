/**
 * Decides the upload, the replacement and the deletion of a document.
 * Source: wire contract areas 1.2; D-378.
 */
import type { Verification } from "../../model/customer/Verification.ts"
import type { Document } from "../../model/document/Document.ts"
import { endedDocument } from "../../model/document/Document.ts"
import { DocumentMachine } from "../../model/document/DocumentMachine.ts"
import type { DocumentRefusal } from "../../model/document/DocumentRefusals.ts"
import {
  type DocumentReplaceRequest,
  type DocumentResource,
  type DocumentUploadRequest,
  toDocument,
} from "../../model/document/DocumentResource.ts"
import { DeleteRules, documentsMax, ReplaceRules, UploadRules } from "../../model/document/DocumentRules.ts"
import { type FileType, fileNameOf } from "../../model/document/FileContent.ts"
import type { Stored } from "../../store/ChangeSet.ts"
import * as Changes from "../../store/Changes.ts"
import { auditRecord } from "../audit/Audit.ts"
import { answer, type Decision, type DecisionContext, hasReached, refuse } from "../Decision.ts"
import { eraseFiles, keepFile } from "../file/FileDecision.ts"

/** A file whose bytes are in the vault. */
export interface UploadedFile {
  readonly file: Stored<"StoredFile">
  readonly size: number
  readonly sha256: string
  readonly type: FileType
}

/** The file of a request: stored, or one that is no document. */
export type DocumentFile = UploadedFile | undefined

/** The counter of a customer's documents. */
const documentsCounter = (customerId: string): string => `documents:${customerId}`

const countChange = (customerId: string, delta: 1 | -1) => ({
  counters: [{ key: documentsCounter(customerId), customerId, delta, ...(delta > 0 ? { max: documentsMax } : {}) }],
})

/** What the audit shows of a document: nothing that its holder said. */
const auditDetails = ({ documentHolder, documentType, sha256, size }: Document) => ({
  documentHolder,
  documentType,
  size,
  sha256,
})

export interface UploadLoaded {
  readonly customer: Stored<"Customer">
  /** The holder, if it is an owner. */
  readonly owner: Stored<"BeneficialOwner"> | undefined
  readonly refusal: DocumentRefusal | undefined
}

const dataOf = (
  request: DocumentReplaceRequest,
  sentName: string | undefined,
  { file, sha256, size, type }: UploadedFile,
) => ({
  documentType: request.documentType,
  country: request.country,
  ...(request.side === undefined ? {} : { side: request.side }),
  ...(request.documentNumber === undefined ? {} : { documentNumber: request.documentNumber }),
  ...(request.issuingAuthority === undefined ? {} : { issuingAuthority: request.issuingAuthority }),
  fileName: fileNameOf(sentName, type),
  fileId: file.id,
  size,
  sha256,
})

export const uploadDocument =
  (request: DocumentUploadRequest, sentName: string | undefined, uploaded: DocumentFile) =>
  ({ customer, owner, refusal }: UploadLoaded, context: DecisionContext): Decision<DocumentResource> => {
    const { ids, now, rejections } = context
    const facts = { type: uploaded?.type, refusal, isFull: hasReached(rejections, documentsCounter(customer.id)) }
    const refused = UploadRules.first(facts)
    if (refused !== undefined) return refuse(refused.refusal)
    if (uploaded === undefined) throw new Error("a file without a type was not refused")
    const data: Document = {
      status: DocumentMachine.follow(null, "Upload").state,
      documentHolder: request.documentHolder,
      ...dataOf(request, sentName, uploaded),
    }
    const document = Changes.insertedRecord("Document", ids("Document"), customer, data, now)
    return answer(
      201,
      toDocument(document),
      Changes.combine(
        Changes.insert("Document", document.id, customer, data),
        keepFile(uploaded.file),
        Changes.guard(customer, ...(owner === undefined ? [] : [owner])),
        countChange(customer.id, 1),
        auditRecord(context, "DOCUMENT_UPLOAD", document, { details: auditDetails(data) }),
      ),
    )
  }

const inReview: ReadonlyArray<Verification["verificationStatus"]> = ["IN_PROGRESS", "PENDING_MANUAL_REVIEW"]

export interface DocumentLoaded {
  readonly customer: Stored<"Customer">
  readonly document: Stored<"Document">
  /** The customer's open verification, if any. */
  readonly open: Stored<"Verification"> | undefined
}

export const isInReview = ({ open }: Pick<DocumentLoaded, "open">): boolean =>
  open !== undefined && inReview.includes(open.data.verificationStatus)

export const replaceDocument =
  (request: DocumentReplaceRequest, sentName: string | undefined, uploaded: DocumentFile) =>
  (loaded: DocumentLoaded & Pick<UploadLoaded, "refusal">, context: DecisionContext): Decision<DocumentResource> => {
    const { ids, now } = context
    const { customer, document, open, refusal } = loaded
    const { status } = document.data
    const refused = ReplaceRules.first({ status, isInReview: isInReview(loaded), type: uploaded?.type, refusal })
    if (refused !== undefined) return refuse(refused.refusal)
    if (uploaded === undefined) throw new Error("a file without a type was not refused")
    const data: Document = {
      status: DocumentMachine.follow(status, "Replace").state,
      documentHolder: document.data.documentHolder,
      ...dataOf(request, sentName, uploaded),
    }
    return answer(
      200,
      toDocument(Changes.after(document, data, now)),
      Changes.combine(
        // The earlier versions name what was replaced.
        Changes.erase(document, data),
        keepFile(uploaded.file),
        eraseFiles(ids, now, [document.data.fileId]),
        Changes.guard(customer, ...(open === undefined ? [] : [open])),
        auditRecord(context, "DOCUMENT_REPLACE", document, { details: auditDetails(data) }),
      ),
    )
  }

export const deleteDocument = (
  { customer, document }: Pick<DocumentLoaded, "customer" | "document">,
  context: DecisionContext,
): Decision<null> => {
  const { ids, now } = context
  const refused = DeleteRules.first(document.data)
  if (refused !== undefined) return refuse(refused.refusal)
  return answer(
    204,
    null,
    Changes.combine(
      Changes.erase(document, endedDocument(document.data, "Delete")),
      eraseFiles(ids, now, [document.data.fileId]),
      Changes.guard(customer),
      countChange(customer.id, -1),
      auditRecord(context, "DOCUMENT_DELETE", document, { details: auditDetails(document.data) }),
    ),
  )
}
