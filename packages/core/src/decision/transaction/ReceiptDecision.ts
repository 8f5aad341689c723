/**
 * Records when the receipt of a transaction reached the customer.
 * Source: wire contract 5.7.
 */
import { type TransferResource, toTransaction } from "../../model/transaction/TransactionResource.ts"
import type { Stored } from "../../store/ChangeSet.ts"
import * as Changes from "../../store/Changes.ts"
import { answer, type Decision, type DecisionContext } from "../Decision.ts"

/** `at`: the time that the request names; absent: the recorded time, or now when none is recorded. */
export const decideReceipt =
  (at: number | undefined) =>
  (stored: Stored<"Transaction">, { now }: DecisionContext): Decision<TransferResource> => {
    const receiptDeliveryConfirmedAt = at ?? stored.data.receiptDeliveryConfirmedAt ?? now
    if (receiptDeliveryConfirmedAt === stored.data.receiptDeliveryConfirmedAt) {
      return answer(200, toTransaction(stored))
    }
    const data = { ...stored.data, receiptDeliveryConfirmedAt }
    return answer(200, toTransaction(Changes.after(stored, data, now)), Changes.update(stored, data))
  }
