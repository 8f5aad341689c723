/**
 * Records a payment that its rail announces: the platform must approve it.
 * Source: wire contract 5.7 and 6.3; wire contract areas 2.8; D-095.
 */
import { invalidInput } from "../../foundation/errors/ServiceError.ts"
import { arrivedProblems } from "../../model/transaction/ArrivedDetails.ts"
import type { IncomingTransaction, RequestedField } from "../../model/transaction/Transaction.ts"
import { type IncomingTransactionResource, toIncomingTransaction } from "../../model/transaction/TransactionResource.ts"
import { amountPositive, destinationActive } from "../../model/transaction/TransferRules.ts"
import type { Stored } from "../../store/ChangeSet.ts"
import * as Changes from "../../store/Changes.ts"
import { auditRecord } from "../audit/Audit.ts"
import { answer, type Decision, type DecisionContext, refuse } from "../Decision.ts"
import { receive } from "./IncomingChanges.ts"

/** A payment as its rail announces it. */
export interface PaymentAnnouncement
  extends Pick<
    IncomingTransaction,
    "receiverUmaAddress" | "counterpartyInformation" | "sent" | "exchangeRate" | "description"
  > {
  readonly destinationAccountId: string
  /** Smallest unit of the destination's currency. */
  readonly amount: number
  readonly senderUmaAddress: string
  /** The fields that the sender's side requests about the receiver. */
  readonly requestedFields: ReadonlyArray<RequestedField>
  /** Whether the sandbox simulates the payment; then it is audited. */
  readonly isSimulated?: boolean
}

export interface ArrivalLoaded {
  readonly account: Stored<"InternalAccount">
  /** The account's customer; absent: the account is the platform's own. */
  readonly customer: Stored<"Customer"> | undefined
}

export const decideArrival =
  (announcement: PaymentAnnouncement) =>
  ({ account, customer }: ArrivalLoaded, context: DecisionContext): Decision<IncomingTransactionResource> => {
    const { amount, destinationAccountId, isSimulated = false, requestedFields, ...details } = announcement
    const { ids, now } = context
    const { currency } = account.data
    const refused = destinationActive({ destination: account.data }) ?? amountPositive({ requested: amount })
    if (refused !== undefined) return refuse(refused)
    const problems = arrivedProblems({ amount, ...details })
    if (problems.length > 0) return refuse(invalidInput(problems))
    const { changes, transaction } = receive(ids, now, account, {
      platformCustomerId: customer?.data.platformCustomerId ?? "",
      amount,
      currency,
      destinationAccountId,
      ...details,
      approval: { requestedFields },
    })
    const audited = { transactionId: transaction.id, amount, currency }
    const auditEntry = isSimulated
      ? auditRecord(context, "SANDBOX_UMA_RECEIVE", account, { details: audited })
      : undefined
    return answer(201, toIncomingTransaction(transaction), Changes.combine(changes, Changes.guard(account), auditEntry))
  }
