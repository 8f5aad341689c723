/**
 * A verification: the check of a submitted customer, a person or a business with its owners.
 * Source: wire contract 5.12, 7.6 and A.
 */
import { Schema } from "effect"
import type { KycStatus } from "./Customer.ts"
import { VerificationMachine } from "./VerificationMachine.ts"

/** The wire contract lists `READY_FOR_VERIFICATION`, which no verification of this service reaches. */
export const VerificationStatus = Schema.Literals([...VerificationMachine.states, "READY_FOR_VERIFICATION"]).annotate({
  identifier: "VerificationStatus",
})
export type VerificationStatus = typeof VerificationStatus.Type

/** What is wrong, in an entry of `errors` of a verification: a field, a document, a missing person, or the applicant. */
export const VerificationErrorType = Schema.Literals([
  "MISSING_FIELD",
  "INVALID_FIELD",
  "MISSING_LEGAL_PRESENCE_DOCUMENT",
  "MISSING_CONTROL_STRUCTURE_DOCUMENT",
  "MISSING_OWNERSHIP_STRUCTURE_DOCUMENT",
  "MISSING_PROOF_OF_ADDRESS_DOCUMENT",
  "MISSING_IDENTITY_DOCUMENT",
  "INVALID_DOCUMENT",
  "EXPIRED_DOCUMENT",
  "POOR_QUALITY_DOCUMENT",
  "SUSPECTED_FRAUD_DOCUMENT",
  "WRONG_DOCUMENT_TYPE",
  "INCOMPLETE_DOCUMENT",
  "UNREADABLE_DOCUMENT",
  "DOCUMENT_VERIFICATION_FAILED",
  "APPLICANT_SANCTIONED",
  "APPLICANT_FRAUD",
  "APPLICANT_CRIMINAL_RECORD",
  "APPLICANT_REJECTED",
  "MISSING_BENEFICIAL_OWNER",
  "MISSING_CONTROL_PERSON",
  "MISSING_GOOD_STANDING_DOCUMENT",
]).annotate({ identifier: "VerificationErrorType" })

/** A problem to correct before the customer is submitted again. */
export const VerificationError = Schema.Struct({
  resourceId: Schema.String.annotate({ description: "The customer or the owner that it is about." }),
  type: VerificationErrorType,
  field: Schema.optionalKey(Schema.String),
  acceptedDocumentTypes: Schema.optionalKey(Schema.Array(Schema.String)),
  reason: Schema.String,
}).annotate({ identifier: "VerificationError" })
export type VerificationError = typeof VerificationError.Type

/** The stored data of a verification. Its owner is the customer. */
export const Verification = Schema.Struct({
  verificationStatus: Schema.Literals(VerificationMachine.states),
  errors: Schema.Array(VerificationError),
})
export type Verification = typeof Verification.Type

export const isOpen = ({ verificationStatus }: Verification): boolean =>
  verificationStatus !== "APPROVED" && verificationStatus !== "REJECTED"

/**
 * Returns the customer's check status that follows from a verification's status, or `undefined` if it stays.
 * Source: wire contract 7.6.
 */
export const checkStatusOf = (status: VerificationStatus): KycStatus | undefined => {
  switch (status) {
    case "APPROVED":
    case "REJECTED":
      return status
    case "IN_PROGRESS":
    case "PENDING_MANUAL_REVIEW":
      return "PENDING"
    case "RESOLVE_ERRORS":
    case "READY_FOR_VERIFICATION":
      return undefined
  }
}
