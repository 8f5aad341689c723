/**
 * Decides a transfer-out: which records it needs, whether it is possible, and its start. The platform's endpoint and an agent's
 * action use the same functions.
 * Spec: 4.5; wire contract 5.6.
 */

import { notFound, type Refusal } from "../../foundation/errors/ServiceError.ts"
import type { CurrencyCode } from "../../foundation/money/Currencies.ts"
import { paymentRailsOfAccount } from "../../model/account/AccountRoute.ts"
import type { PurposeOfPayment } from "../../model/transaction/Transaction.ts"
import type { TransactionResource } from "../../model/transaction/TransactionResource.ts"
import { type TransferOutFacts, TransferOutRules } from "../../model/transaction/TransferOutRules.ts"
import { shortOfFunds } from "../../model/transaction/TransferRules.ts"
import type { Stored } from "../../store/ChangeSet.ts"
import * as Changes from "../../store/Changes.ts"
import * as Ledger from "../../store/LedgerAccounts.ts"
import type { ReadResult } from "../../store/Store.ts"
import { type Decision, type DecisionContext, refuse } from "../Decision.ts"
import { startPush } from "./OutgoingChanges.ts"
import type { TransitionResult } from "./OutgoingUpdates.ts"
import {
  answerStarted,
  type Initiator,
  isOwnersAccount,
  isRefusal,
  type TransferCustomers,
  type TransferQuery,
  undeleted,
} from "./TransferDecision.ts"

/** The transfer-out that a platform or an agent requests. */
export interface TransferOutOrder {
  /** An internal account. */
  readonly sourceAccountId: string
  /** An external account. */
  readonly destinationAccountId: string
  /** Absent: the whole available balance. */
  readonly amount?: number
  readonly paymentRail?: string
  /** At most 80 characters, for the recipient. */
  readonly remittanceInformation?: string
  readonly purposeOfPayment?: PurposeOfPayment
}

/** The accounts of a transfer-out; one that does not exist for the caller is absent. */
export interface TransferOutAccounts {
  readonly source: Stored<"InternalAccount"> | undefined
  readonly destination: Stored<"ExternalAccount"> | undefined
  readonly available: { readonly balance: number; readonly sequence: number }
}

export interface TransferOutLoaded extends TransferOutAccounts, TransferCustomers {}

/** A transfer-out that the rules accept. */
export interface ValidTransferOut {
  readonly source: Stored<"InternalAccount">
  readonly destination: Stored<"ExternalAccount">
  readonly amount: number
  readonly currency: CurrencyCode
  readonly isShortOfFunds: boolean
  /** Sequence of the available balance when all of it is transferred: the balance must be unchanged at the commit. */
  readonly sequence: number | undefined
}

export const readQueryFor = ({ destinationAccountId, sourceAccountId }: TransferOutOrder): TransferQuery => ({
  records: [
    { kind: "InternalAccount", id: sourceAccountId },
    { kind: "ExternalAccount", id: destinationAccountId },
  ],
  balances: [Ledger.available(sourceAccountId)],
})

export const accountsOf = (read: ReadResult, order: TransferOutOrder): TransferOutAccounts => ({
  source: read.record("InternalAccount", order.sourceAccountId),
  destination: undeleted(read.record("ExternalAccount", order.destinationAccountId)),
  available: read.balance(Ledger.available(order.sourceAccountId)),
})

const factsOf = (loaded: TransferOutLoaded, order: TransferOutOrder): TransferOutFacts => ({
  requested: order.amount,
  source: loaded.source?.data,
  destination: loaded.destination?.data,
  isOwnersAccount: isOwnersAccount(loaded.destination, loaded.source),
  customer: loaded.customer?.data,
  party: (loaded.customer ?? loaded.externalOwner)?.data,
  rail: order.paymentRail,
})

/** The transfer, or the first rule that it breaks. */
export const validate = (loaded: TransferOutLoaded, order: TransferOutOrder): ValidTransferOut | Refusal => {
  const { available, destination, source } = loaded
  const refused = TransferOutRules.first(factsOf(loaded, order))
  if (refused !== undefined) return refused.refusal
  if (source === undefined || destination === undefined) return notFound("account")
  const amount = order.amount ?? available.balance
  return {
    source,
    destination,
    amount,
    currency: source.data.currency,
    isShortOfFunds: amount < 1 || available.balance < amount,
    sequence: order.amount === undefined ? available.sequence : undefined,
  }
}

/** Starts the transfer: its money is held, and a job will ask the rail. */
export const begin = (
  { ids, now, volumeLimits }: Pick<DecisionContext, "ids" | "now" | "volumeLimits">,
  transfer: ValidTransferOut,
  order: TransferOutOrder,
  customer: Stored<"Customer"> | undefined,
  initiator: Initiator = {},
): TransitionResult => {
  const { amount, currency, destination, sequence, source } = transfer
  const { accountInfo } = destination.data
  const { paymentRail, purposeOfPayment, remittanceInformation } = order
  const rails = paymentRailsOfAccount(accountInfo)
  const rail = rails.find((supported) => supported === paymentRail) ?? rails[0]
  const started = startPush(
    { ids, now, source, volumeLimits },
    {
      platformCustomerId: customer?.data.platformCustomerId ?? "",
      amount,
      currency,
      sourceAccountId: source.id,
      destinationAccountId: destination.id,
      externalAccount: { accountInfo, ...(rail === undefined ? {} : { rail }) },
      railSelectionMode: paymentRail === undefined ? "AUTO" : "MANUAL",
      ...(remittanceInformation === undefined ? {} : { remittanceInformation }),
      ...(purposeOfPayment === undefined ? {} : { purposeOfPayment }),
      ...initiator,
    },
  )
  return {
    ...started,
    changes: Changes.combine(started.changes, {
      assertions: sequence === undefined ? [] : [{ account: Ledger.available(source.id), sequence }],
    }),
  }
}

/** Decides the platform's request. */
export const decideTransferOut =
  (order: TransferOutOrder) =>
  (loaded: TransferOutLoaded, context: DecisionContext): Decision<TransactionResource> => {
    const { customer } = loaded
    const transfer = validate(loaded, order)
    if (isRefusal(transfer)) return refuse(transfer)
    if (transfer.isShortOfFunds) return refuse(shortOfFunds)
    return answerStarted(begin(context, transfer, order, customer), transfer.source, transfer.destination, customer)
  }
