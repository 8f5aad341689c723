/**
 * Why a provider refuses a document at its upload.
 * Source: wire contract areas 1.2.4.
 */
import * as Table from "../../foundation/kit/Table.ts"

export const DocumentRefusals = Table.make("DocumentRefusals", {
  LOW_QUALITY: "The document is not readable.",
  DATA_MISMATCH: "The document's details differ from what was given.",
  EXPIRED: "The document has expired.",
  SUSPECTED_FRAUD: "The document looks forged.",
  UNSUITABLE_DOCUMENT: "A document of this type is not accepted.",
  INCOMPLETE: "Pages or sides of the document are missing.",
})
/** A code of the 400 with which an upload is refused. */
export type DocumentRefusal = (typeof DocumentRefusals.keys)[number]
