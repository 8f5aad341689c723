/**
 * Documents on the wire: the texts of an upload, and the record.
 * Source: wire contract areas 1.2.2, 1.2.3.
 */
import { Schema } from "effect"
import { Id } from "../../foundation/ids/IdTypes.ts"
import { iso, Timestamp } from "../../foundation/kit/Instant.ts"
import { PageOf } from "../../foundation/kit/PageResource.ts"
import { CountryCode, Text } from "../../foundation/kit/Text.ts"
import type { RecordOf } from "../record/Record.ts"
import { type Document, DocumentSide, DocumentType } from "./Document.ts"

/** The largest file, in bytes. */
export const documentBytesMax = 10_485_760

/** The id of the customer or beneficial owner whom a document concerns. */
export const DocumentHolder = Id("Customer", "BeneficialOwner")

/** The text parts of a replacement. */
export const DocumentReplaceRequest = Schema.Struct({
  documentType: DocumentType,
  country: CountryCode,
  side: Schema.optionalKey(DocumentSide),
  documentNumber: Schema.optionalKey(Text(255, "Identity documents need it when they are submitted.")),
  issuingAuthority: Schema.optionalKey(Text(255, "Identity documents need it when they are submitted.")),
})
export type DocumentReplaceRequest = typeof DocumentReplaceRequest.Type

/** The text parts of an upload. */
export const DocumentUploadRequest = Schema.Struct({
  documentHolder: DocumentHolder,
  ...DocumentReplaceRequest.fields,
})
export type DocumentUploadRequest = typeof DocumentUploadRequest.Type

export const DocumentResource = Schema.Struct({
  id: Id("Document"),
  documentHolder: Schema.String,
  documentType: DocumentType,
  side: Schema.optionalKey(DocumentSide),
  country: Schema.String,
  documentNumber: Schema.optionalKey(Schema.String),
  issuingAuthority: Schema.optionalKey(Schema.String),
  fileName: Schema.String,
  createdAt: Timestamp,
  updatedAt: Timestamp,
}).annotate({ identifier: "Document" })
export type DocumentResource = typeof DocumentResource.Type

/** A page of documents, newest first. No answer contains their files. */
export const DocumentListResponse = PageOf(DocumentResource, "DocumentListResponse")

export const toDocument = ({ createdAt, data, id, updatedAt }: RecordOf<"Document", Document>): DocumentResource => ({
  id,
  documentHolder: data.documentHolder,
  documentType: data.documentType,
  ...(data.side === undefined ? {} : { side: data.side }),
  country: data.country,
  ...(data.documentNumber === undefined ? {} : { documentNumber: data.documentNumber }),
  ...(data.issuingAuthority === undefined ? {} : { issuingAuthority: data.issuingAuthority }),
  fileName: data.fileName,
  createdAt: iso(createdAt),
  updatedAt: iso(updatedAt),
})
