/**
 * The checks of documents in the sandbox: refusals by magic suffix, and complete documents only where a submission looks at them.
 * Source: wire contract areas 1.2.6 (sandbox), 1.2.7.
 */
import { Effect, Layer } from "effect"
import * as Suffix from "../foundation/kit/Suffix.ts"
import type { VerificationError } from "../model/customer/Verification.ts"
import { documentErrors, identityTypes } from "../model/document/Completeness.ts"
import { DocumentChecks } from "../ports/DocumentChecks.ts"
import { sandboxOnly } from "../ports/SandboxOnly.ts"
import type { SubmittedDocument, VerificationCheck } from "../ports/Verifier.ts"
import { DocumentSubmissionSuffixes, DocumentUploadSuffixes } from "./DocumentSuffixes.ts"
import { personVerification } from "./VerificationSuffixes.ts"

/** The last three characters of a document's number. */
const suffixOf = ({ documentNumber }: { readonly documentNumber?: string }): string => (documentNumber ?? "").slice(-3)

/** The required fields of a person's verification. */
const requiredFields = ["fullName", "birthDate", "nationality", "address", "idType", "identifier"] as const

const missingFields = ({ customer, customerId }: VerificationCheck): ReadonlyArray<VerificationError> =>
  requiredFields
    .filter((field) => customer[field] === undefined)
    .map((field) => ({ resourceId: customerId, type: "MISSING_FIELD", field, reason: `${field} is required.` }))

/** Whether the submission of a customer looks at its data and documents. A business is decided by its registration number alone. */
const isLookedAt = ({ customer }: VerificationCheck): boolean => {
  if (customer.customerType === "BUSINESS") return false
  const status = personVerification(Suffix.of(customer.fullName ?? ""))
  return status === "PENDING_MANUAL_REVIEW" || status === "RESOLVE_ERRORS"
}

/** Types of errors that name the documents that are accepted instead. */
const namesAccepted: ReadonlyArray<VerificationError["type"]> = ["EXPIRED_DOCUMENT"]

const errorOf = ({ document, documentId }: SubmittedDocument): ReadonlyArray<VerificationError> => {
  const type = DocumentSubmissionSuffixes.find(suffixOf(document))
  if (type === undefined) return []
  const accepted = identityTypes.includes(document.documentType) ? identityTypes : [document.documentType]
  return [
    {
      resourceId: documentId,
      type,
      ...(namesAccepted.includes(type) ? { acceptedDocumentTypes: accepted } : {}),
      reason: "The provider does not accept the document.",
    },
  ]
}

/** Returns the errors of documents with magic numbers, in a submission that looks at documents. */
export const magicErrors = (check: VerificationCheck): ReadonlyArray<VerificationError> =>
  isLookedAt(check) ? check.documents.flatMap(errorOf) : []

/** Provides `DocumentChecks` by magic suffix. */
export const layer = Layer.succeed(DocumentChecks, {
  check: ({ document }) => Effect.succeed(DocumentUploadSuffixes.find(suffixOf(document))),
  missing: (submission) =>
    isLookedAt(submission) ? [...missingFields(submission), ...documentErrors(submission)] : [],
}).pipe(sandboxOnly("SandboxDocuments"))
