/**
 * Decides whether a transaction can be cancelled: at once while no rail was asked, otherwise by a job that asks the rail.
 * Source: wire contract 5.7 and 11 (51); D-096.
 */
import type { Refusal } from "../../foundation/errors/ServiceError.ts"
import { PaymentRails } from "../../model/transaction/PaymentRails.ts"
import { type TransferResource, toTransaction } from "../../model/transaction/TransactionResource.ts"
import type { Stored } from "../../store/ChangeSet.ts"
import * as Changes from "../../store/Changes.ts"
import { answer, type Decision, type DecisionContext, exceededExactRange, refuse } from "../Decision.ts"
import { cancelJob, decideOutcome, type OutcomeLoaded } from "./OutcomeDecision.ts"
import { isOpen } from "./RailRequests.ts"

/** What `POST /transactions/{transactionId}/cancel` names: a transfer, or a card transaction. */
export type CancellationLoaded =
  | { readonly _tag: "Transfer"; readonly scope: OutcomeLoaded }
  | { readonly _tag: "CardTransaction"; readonly transaction: Stored<"CardTransaction"> }

const notCancellable = (status: string): Refusal => ({
  code: "TRANSACTION_NOT_CANCELLABLE",
  message: "The transaction can no longer be cancelled, or its rail cannot stop it.",
  details: { status },
})

/** Whether the rail supports cancellation and its final outcome is still awaited. */
const isCancellable = (stored: Stored<"Transaction">): boolean => {
  const rail = stored.data.externalAccount?.rail
  return rail !== undefined && PaymentRails.get(rail).isCancellable && isOpen(stored)
}

const cancelTransfer = (
  scope: OutcomeLoaded,
  reason: string | undefined,
  context: DecisionContext,
): Decision<TransferResource> => {
  const { transaction } = scope
  if (!isCancellable(transaction)) return refuse(notCancellable(transaction.data.status))
  const { now } = context
  // A repeated request changes nothing while the rail's answer is awaited.
  if (transaction.data.cancellation !== undefined) return answer(200, toTransaction(transaction))
  const cancellation = { requestedAt: now, ...(reason === undefined ? {} : { reason }) }
  const data = { ...transaction.data, cancellation }
  if (transaction.data.submittedAt !== undefined) {
    const changes = Changes.combine(Changes.update(transaction, data), { jobs: [cancelJob(context, transaction)] })
    return answer(200, toTransaction(Changes.after(transaction, data, now)), changes)
  }
  const requested = { ...scope, transaction: { ...transaction, data } }
  const isFull = exceededExactRange(context.rejections)
  const cancelled = decideOutcome(requested, { _tag: "Cancelled" }, isFull, context)
  return cancelled === undefined
    ? refuse(notCancellable(transaction.data.status))
    : answer(200, toTransaction(cancelled.transaction), cancelled.changes)
}

/** A card transaction cannot be cancelled: only its merchant can refund it. */
export const decideCancel =
  (reason: string | undefined) =>
  (loaded: CancellationLoaded, context: DecisionContext): Decision<TransferResource> =>
    loaded._tag === "CardTransaction"
      ? refuse(notCancellable(loaded.transaction.data.status))
      : cancelTransfer(loaded.scope, reason, context)
