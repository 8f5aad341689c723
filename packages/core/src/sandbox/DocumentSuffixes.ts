/**
 * The tables of magic suffixes of document numbers.
 * Source: wire contract areas 1.2.7.
 */
import * as Table from "../foundation/kit/Table.ts"
import type { VerificationError } from "../model/customer/Verification.ts"
import type { DocumentRefusal } from "../model/document/DocumentRefusals.ts"

/** The last three characters of `documentNumber`, at upload or replacement. */
export const DocumentUploadSuffixes = Table.make("DocumentUploadSuffixes", {
  "201": "LOW_QUALITY",
  "202": "DATA_MISMATCH",
  "203": "EXPIRED",
  "204": "SUSPECTED_FRAUD",
  "205": "UNSUITABLE_DOCUMENT",
  "206": "INCOMPLETE",
} satisfies { readonly [suffix: string]: DocumentRefusal })

/** The last three characters of `documentNumber`, in a submission that looks at documents. */
export const DocumentSubmissionSuffixes = Table.make("DocumentSubmissionSuffixes", {
  "301": "POOR_QUALITY_DOCUMENT",
  "302": "EXPIRED_DOCUMENT",
  "303": "SUSPECTED_FRAUD_DOCUMENT",
  "304": "WRONG_DOCUMENT_TYPE",
  "305": "INCOMPLETE_DOCUMENT",
  "306": "UNREADABLE_DOCUMENT",
  "307": "DOCUMENT_VERIFICATION_FAILED",
} satisfies { readonly [suffix: string]: VerificationError["type"] })
