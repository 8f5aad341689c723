/**
 * Marks a transaction as submitted before its rail is called: from then on only the rail's outcome can end it, and the rail is asked before
 * it is instructed again.
 * Source: architecture, "Jobs, external calls and time"; D-055, D-321.
 */
import type { Stored } from "../../store/ChangeSet.ts"
import * as Changes from "../../store/Changes.ts"
import { answer, type Decision, type DecisionContext } from "../Decision.ts"
import { isOpen } from "./RailRequests.ts"

export interface SubmissionLoaded {
  readonly transaction: Stored<"Transaction">
  readonly account: Stored<"ExternalAccount"> | undefined
}

/**
 * `isBlocked`: the external account became inactive before the submission, so the rail must not be called. `isFirst`: no earlier attempt
 * can have instructed the rail.
 */
export interface Submission {
  readonly transaction: Stored<"Transaction">
  readonly isBlocked: boolean
  readonly isFirst: boolean
}

/** An inactive account neither pays nor is paid. A deleted account still does, by the transaction's copy (D-055). */
export const decideSubmission = (
  { account, transaction }: SubmissionLoaded,
  { now }: DecisionContext,
): Decision<Submission> => {
  const isSubmitted = !isOpen(transaction) || transaction.data.submittedAt !== undefined
  const isBlocked = !isSubmitted && account !== undefined && account.data.status !== "ACTIVE"
  if (isSubmitted || isBlocked) return answer(200, { transaction, isBlocked, isFirst: false })
  const data = { ...transaction.data, submittedAt: now }
  return answer(
    200,
    { transaction: Changes.after(transaction, data, now), isBlocked, isFirst: true },
    Changes.combine(Changes.update(transaction, data), account && Changes.guard(account)),
  )
}
