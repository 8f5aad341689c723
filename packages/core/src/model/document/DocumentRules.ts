/**
 * Rules that permit the upload, the replacement and the deletion of a document, in order of precedence.
 * Source: wire contract areas 1.2.4, 1.2.5; D-378.
 */
import { invalidInput, type Refusal } from "../../foundation/errors/ServiceError.ts"
import * as Rules from "../../foundation/kit/Rules.ts"
import type { Document } from "./Document.ts"
import { type DocumentRefusal, DocumentRefusals } from "./DocumentRefusals.ts"
import type { FileType } from "./FileContent.ts"

/** How many documents a customer may have, with those of its owners: a submission and a deletion change all of them in one commit. */
export const documentsMax = 500

export interface ContentFacts {
  /** The type of the file by its first bytes. */
  readonly type: FileType | undefined
  /** Why the provider refuses the document; absent if it does not, or was not asked. */
  readonly refusal?: DocumentRefusal | undefined
}

const content = [
  [
    "CONTENT",
    ({ type }: ContentFacts): Refusal | undefined =>
      type === undefined ? { code: "UNSUITABLE_DOCUMENT", message: "`file` must be a PDF, JPEG or PNG." } : undefined,
  ],
  [
    "PROVIDER",
    ({ refusal }: ContentFacts): Refusal | undefined =>
      refusal === undefined ? undefined : { code: refusal, message: DocumentRefusals.get(refusal) },
  ],
] as const

export interface UploadFacts extends ContentFacts {
  /** Whether the customer has as many documents as it may have. */
  readonly isFull: boolean
}

export const UploadRules = Rules.make<UploadFacts, Refusal>("DocumentUpload", [
  ...content,
  [
    "COUNT",
    ({ isFull }) =>
      isFull
        ? invalidInput([
            { field: "documentHolder", message: `must be of a customer with fewer than ${documentsMax} documents` },
          ])
        : undefined,
  ],
])

export interface ReplaceFacts extends ContentFacts {
  readonly status: Document["status"]
  /** Whether a verification of the customer is with the provider. */
  readonly isInReview: boolean
}

const notReplaceable = (reason: string, message: string): Refusal => ({
  code: "INVALID_INPUT",
  message,
  details: { reason },
})

export const ReplaceRules = Rules.make<ReplaceFacts, Refusal>("DocumentReplace", [
  [
    "REVIEW",
    ({ isInReview }) =>
      isInReview
        ? notReplaceable("DOCUMENT_IN_REVIEW", "The document cannot be replaced while its holder is verified.")
        : undefined,
  ],
  [
    "STORED",
    ({ status }) =>
      status === "STORED"
        ? undefined
        : notReplaceable("DOCUMENT_SUBMITTED", "The document belongs to a verification that has ended."),
  ],
  ...content,
])

export const DeleteRules = Rules.make<Pick<Document, "status">, Refusal>("DocumentDelete", [
  [
    "STORED",
    ({ status }) =>
      status === "STORED"
        ? undefined
        : {
            code: "CONFLICT",
            message: "The document was submitted to a verification.",
            details: { reason: "DOCUMENT_SUBMITTED" },
          },
  ],
])
