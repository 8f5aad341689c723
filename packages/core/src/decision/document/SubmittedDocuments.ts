/**
 * How the documents of a customer follow its verification.
 * Source: wire contract areas 1.2.5.
 */
import type { ReachedStatus } from "../../model/customer/VerificationMachine.ts"
import { DocumentMachine } from "../../model/document/DocumentMachine.ts"
import type { Stored } from "../../store/ChangeSet.ts"
import * as Changes from "../../store/Changes.ts"

type Triggers = ReadonlyArray<"Submit" | "Reopen" | "Retain">

/** What a document's verification does to it: only a submission takes stored documents along. */
const triggersOf = (from: string, status: ReachedStatus, isSubmission: boolean): Triggers => {
  const isSubmitted = from === "SUBMITTED"
  if (status === "RESOLVE_ERRORS") return isSubmitted ? ["Reopen"] : []
  const submits: Triggers = from === "STORED" && isSubmission ? ["Submit"] : []
  const isDecided = status === "APPROVED" || status === "REJECTED"
  return isDecided && (isSubmitted || submits.length > 0) ? [...submits, "Retain"] : submits
}

/** Returns the changes of documents whose verification has reached a status. Documents that stay as they are were decided on too. */
export const followVerification = (
  documents: ReadonlyArray<Stored<"Document">>,
  status: ReachedStatus,
  isSubmission: boolean,
): Changes.Changes =>
  Changes.combine(
    ...documents.map((document) => {
      const triggers = triggersOf(document.data.status, status, isSubmission)
      if (triggers.length === 0) return isSubmission ? Changes.guard(document) : {}
      const { state } = DocumentMachine.follow(document.data.status, ...triggers)
      return Changes.update(document, { ...document.data, status: state })
    }),
  )
