/**
 * Decides that the rail is asked again about a refund that failed. Its money stays unapplied until the rail has returned it.
 * Source: D-355, D-399.
 */
import { isOutgoing, type TransferResource, toTransaction } from "../../model/transaction/TransactionResource.ts"
import * as Changes from "../../store/Changes.ts"
import { auditRecord } from "../audit/Audit.ts"
import { answer, type Decision, type DecisionContext, refuse } from "../Decision.ts"
import * as Deposits from "./DepositChanges.ts"
import type { OutcomeLoaded } from "./OutcomeDecision.ts"
import { retryFailedRefund } from "./OutgoingChanges.ts"
import { hasHeldMoney } from "./UnappliedDecision.ts"

export const decideRefundRetry = (
  { account, accountReceivable, transaction }: OutcomeLoaded,
  context: DecisionContext,
): Decision<TransferResource> => {
  const { ids, now } = context
  if (hasHeldMoney(transaction)) {
    const { changes, transaction: retried } = Deposits.retryRefund(ids, now, transaction)
    return answer(
      200,
      toTransaction(retried),
      Changes.combine(changes, auditRecord(context, "REFUND_RETRY", transaction)),
    )
  }
  const isFailed =
    isOutgoing(transaction) && transaction.data.refund?.status === "FAILED" && transaction.data.isUnapplied === true
  if (!isFailed) {
    return refuse({
      code: "CONFLICT",
      message: "The transaction has no failed refund whose money is unapplied.",
      details: { reason: "REFUND_NOT_FAILED" },
    })
  }
  const scope = { ids, now, source: account, sourceReceivable: accountReceivable }
  const retried = retryFailedRefund(scope, transaction)
  return answer(
    200,
    toTransaction(retried.transaction),
    Changes.combine(retried.changes, auditRecord(context, "REFUND_RETRY", transaction)),
  )
}
