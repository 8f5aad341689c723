/**
 * A provider's immediate check of a document, and what a submission must have before the provider sees it. The default accepts every
 * document, and requires the documents of the wire contract.
 * Source: wire contract areas 1.2.4, 1.2.6; D-379.
 */
import { Context, Effect, type Stream } from "effect"
import type { VerificationError } from "../model/customer/Verification.ts"
import { documentErrors } from "../model/document/Completeness.ts"
import type { Document } from "../model/document/Document.ts"
import type { DocumentRefusal } from "../model/document/DocumentRefusals.ts"
import type { FileType } from "../model/document/FileContent.ts"
import type { BytesMissing, VaultUnavailable } from "./DocumentVault.ts"
import type { VerificationCheck } from "./Verifier.ts"

/** A document that was uploaded and is not yet stored as one. */
export interface DocumentCheck {
  readonly customerId: string
  readonly document: Pick<
    Document,
    "documentHolder" | "documentType" | "country" | "side" | "documentNumber" | "issuingAuthority" | "size" | "sha256"
  >
  readonly fileType: FileType
  /** The bytes of the file. */
  readonly read: () => Stream.Stream<Uint8Array, VaultUnavailable | BytesMissing>
}

export const DocumentChecks = Context.Reference<{
  /** Returns why the document is refused; `undefined` if it is accepted. */
  readonly check: (document: DocumentCheck) => Effect.Effect<DocumentRefusal | undefined>
  /** Returns what a submission lacks. With an error it does not reach the provider. */
  readonly missing: (submission: VerificationCheck) => ReadonlyArray<VerificationError>
}>("@countersign/core/DocumentChecks", {
  defaultValue: () => ({ check: () => Effect.undefined, missing: documentErrors }),
})
