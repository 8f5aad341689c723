/**
 * The requests that jobs send to the rail of a transaction, made from the stored transaction.
 * Source: architecture, "Jobs, external calls and time"; wire contract 5.7.
 */
import { originatorAccountInfo } from "../../model/account/Deposit.ts"
import { PaymentRails } from "../../model/transaction/PaymentRails.ts"
import { type OutgoingTransaction, payoutOf } from "../../model/transaction/Transaction.ts"
import {
  isIncoming,
  isOutgoing,
  type StoredIncoming,
  type StoredOutgoing,
} from "../../model/transaction/TransactionResource.ts"
import type { CancelRequest, PushRequest, RailAccount, RailInstruction, RefundRequest } from "../../ports/Rails.ts"
import type { Stored } from "../../store/ChangeSet.ts"
import { canTake } from "./IncomingChanges.ts"
import { canTake as canTakeOutgoing, isUnderWay } from "./OutgoingTransitions.ts"

/** Whether the rail's final outcome is still awaited. */
export const isOpen = (stored: Stored<"Transaction">): boolean =>
  isIncoming(stored) ? canTake(stored.data, "Settle") : isOutgoing(stored) && isUnderWay(stored.data)

/** The external account, as the transaction stores it. */
export const railAccountOf = ({ data }: Stored<"Transaction">): RailAccount | undefined => {
  const accountId = data.type === "INCOMING" ? data.sourceAccountId : data.destinationAccountId
  const currency = data.type === "OUTGOING" ? payoutOf(data).currency : data.currency
  return data.externalAccount === undefined || accountId === undefined
    ? undefined
    : { accountId, currency, accountInfo: data.externalAccount.accountInfo }
}

/** The originator of a deposit as an account of the rail. */
export const originatorAccountOf = ({ data }: StoredIncoming): RailAccount => {
  const source = data.deposit?.source ?? {}
  const accountId = source.accountIdentifier ?? ""
  return { accountId, currency: data.currency, accountInfo: originatorAccountInfo(source) }
}

const quoteOf = (stored: Stored<"Transaction">) =>
  isOutgoing(stored) && stored.data.exchange !== undefined ? { quoteId: stored.data.exchange.quoteId } : {}

const remittanceOf = ({ externalAccount, remittanceInformation: text }: OutgoingTransaction) => {
  const rail = externalAccount?.rail
  return rail === undefined || text === undefined || text === ""
    ? {}
    : { remittance: { field: PaymentRails.get(rail).remittanceField, text } }
}

const pushRequest = (stored: StoredOutgoing, destination: RailAccount, submittedAt: number): PushRequest => {
  const { externalAccount, payerInformation, purposeOfPayment } = stored.data
  const rail = externalAccount?.rail
  return {
    reference: stored.id,
    submittedAt,
    destination,
    amount: payoutOf(stored.data).amount,
    ...quoteOf(stored),
    ...(rail === undefined ? {} : { rail }),
    ...remittanceOf(stored.data),
    ...(purposeOfPayment === undefined ? {} : { purposeOfPayment }),
    ...(payerInformation === undefined ? {} : { payerInformation }),
  }
}

/** The pull or push of a submitted transaction; `undefined` when the rail has nothing to do. */
export const submitRequestOf = (stored: Stored<"Transaction">): RailInstruction | undefined => {
  const account = railAccountOf(stored)
  const { amount, submittedAt } = stored.data
  if (!isOpen(stored) || account === undefined || submittedAt === undefined) return undefined
  return isOutgoing(stored)
    ? { _tag: "Push", request: pushRequest(stored, account, submittedAt) }
    : { _tag: "Pull", request: { reference: stored.id, amount, submittedAt, source: account } }
}

/** The question whether a delivered payment was returned; `undefined` when it is not delivered. */
export const confirmRequestOf = (stored: Stored<"Transaction">): RailInstruction | undefined => {
  if (!isOutgoing(stored) || !canTakeOutgoing(stored.data, "Return")) return undefined
  const account = railAccountOf(stored)
  const { settledAt: deliveredAt, submittedAt } = stored.data
  return account === undefined || submittedAt === undefined || deliveredAt === undefined
    ? undefined
    : { _tag: "Push", request: { ...pushRequest(stored, account, submittedAt), deliveredAt } }
}

/** The question whether a refund has arrived; `undefined` when none was begun. */
export const refundRequestOf = (stored: Stored<"Transaction">): RefundRequest | undefined => {
  if (!isOutgoing(stored)) return undefined
  const destination = railAccountOf(stored)
  const initiatedAt = stored.data.refund?.initiatedAt
  return destination === undefined || initiatedAt === undefined
    ? undefined
    : {
        reference: stored.id,
        destination,
        initiatedAt,
        amount: payoutOf(stored.data).amount,
        ...quoteOf(stored),
      }
}

/** The cancellation of a submitted transaction; `undefined` when its outcome is known or no rail was asked. */
export const cancelRequestOf = (stored: Stored<"Transaction">): CancelRequest | undefined => {
  const account = railAccountOf(stored)
  const { submittedAt, type } = stored.data
  return account === undefined || submittedAt === undefined || !isOpen(stored)
    ? undefined
    : {
        reference: stored.id,
        direction: type === "INCOMING" ? "pull" : "push",
        account,
        submittedAt,
        ...quoteOf(stored),
      }
}
