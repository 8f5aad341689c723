/**
 * A document: evidence for the verification of a customer or of one of its beneficial owners.
 * Source: wire contract areas 1.2; wire contract annex A.
 */
import { Schema } from "effect"
import { DocumentMachine } from "./DocumentMachine.ts"

/** What a document is. `PASSPORT`, `DRIVERS_LICENSE` and `NATIONAL_ID` prove an identity, the last two with both sides. */
export const DocumentType = Schema.Literals([
  "PASSPORT",
  "DRIVERS_LICENSE",
  "NATIONAL_ID",
  "PROOF_OF_ADDRESS",
  "BANK_STATEMENT",
  "TAX_RETURN",
  "CERTIFICATE_OF_INCORPORATION",
  "ARTICLES_OF_INCORPORATION",
  "ARTICLES_OF_ASSOCIATION",
  "STATE_REGISTRY_EXCERPT",
  "GOOD_STANDING_CERTIFICATE",
  "INFORMATION_STATEMENT",
  "INCUMBENCY_CERTIFICATE",
  "BUSINESS_LICENSE",
  "SHAREHOLDER_REGISTER",
  "POWER_OF_ATTORNEY",
  "UTILITY_BILL",
  "ELECTRICITY_BILL",
  "RENT_OR_LEASE_AGREEMENT",
  "DIRECTOR_REGISTRY",
  "TRUST_AGREEMENT",
  "STATE_COMPANY_REGISTRY",
  "PARTNERSHIP_CONTROL_AGREEMENT",
  "PARTNERSHIP_AGREEMENT",
  "SELFIE",
  "OTHER",
]).annotate({ identifier: "DocumentType" })
export type DocumentType = typeof DocumentType.Type

/** The side of a document that has two. Absent for all others. */
export const DocumentSide = Schema.Literals(["FRONT", "BACK"])

/** The stored data of a document. Its owner is the customer, also if a beneficial owner holds it. */
export const Document = Schema.Struct({
  status: Schema.Literals(DocumentMachine.states),
  /** The customer or the beneficial owner. */
  documentHolder: Schema.String,
  documentType: DocumentType,
  country: Schema.String,
  side: Schema.optionalKey(DocumentSide),
  documentNumber: Schema.optionalKey(Schema.String),
  issuingAuthority: Schema.optionalKey(Schema.String),
  fileName: Schema.String,
  /** The file whose bytes the vault has. */
  fileId: Schema.String,
  size: Schema.Int,
  sha256: Schema.String,
})
export type Document = typeof Document.Type

/** Returns the data of a document that ends, without what its holder said about itself. */
export const endedDocument = (
  { country, documentHolder, documentType, fileId, sha256, size, status }: Document,
  trigger: "Delete" | "End",
): Document => ({
  status: DocumentMachine.follow(status, trigger).state,
  documentHolder,
  documentType,
  country,
  fileName: "",
  fileId,
  size,
  sha256,
})
