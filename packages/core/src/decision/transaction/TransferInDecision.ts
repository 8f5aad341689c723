/**
 * Decides a transfer-in: which records it needs, whether it is possible, and its start. The platform's endpoint and an agent's
 * action use the same functions.
 * Spec: 4.1, 4.5; wire contract 5.6.
 */

import { notFound, type Refusal } from "../../foundation/errors/ServiceError.ts"
import type { IdSource } from "../../foundation/ids/IdPool.ts"
import type { CurrencyCode } from "../../foundation/money/Currencies.ts"
import { paymentRailsOfAccount } from "../../model/account/AccountRoute.ts"
import type { TransactionResource } from "../../model/transaction/TransactionResource.ts"
import {
  amountOf,
  type PullInspection,
  type TransferInFacts,
  TransferInRules,
} from "../../model/transaction/TransferInRules.ts"
import { shortOfFunds } from "../../model/transaction/TransferRules.ts"
import type { Stored } from "../../store/ChangeSet.ts"
import * as Ledger from "../../store/LedgerAccounts.ts"
import type { ReadResult } from "../../store/Store.ts"
import { type Decision, type DecisionContext, refuse } from "../Decision.ts"
import { startPull, type TransitionResult } from "./IncomingChanges.ts"
import {
  answerStarted,
  type Initiator,
  isOwnersAccount,
  isRefusal,
  type TransferCustomers,
  type TransferQuery,
  undeleted,
} from "./TransferDecision.ts"

/** The transfer-in that a platform or an agent requests. */
export interface TransferInOrder {
  /** An external account. */
  readonly sourceAccountId: string
  /** An internal account. */
  readonly destinationAccountId: string
  /** Absent: the amount that the rail reports. */
  readonly amount: number | undefined
}

/** The accounts of a transfer-in; one that does not exist for the caller is absent. */
export interface TransferInAccounts {
  readonly source: Stored<"ExternalAccount"> | undefined
  readonly destination: Stored<"InternalAccount"> | undefined
  /** The sum of the destination's available and held balance. */
  readonly destinationBalance: number
}

export interface TransferInLoaded extends TransferInAccounts, TransferCustomers {}

export interface TransferInAsked {
  /** What the rail reports about the source; absent when the source does not exist. */
  readonly inspection: PullInspection | undefined
}

/** A transfer-in that the rules accept. */
export interface ValidTransferIn {
  readonly source: Stored<"ExternalAccount">
  readonly destination: Stored<"InternalAccount">
  readonly amount: number
  readonly currency: CurrencyCode
  /** The rail reports that the source does not hold the amount. */
  readonly isShortOfFunds: boolean
}

export const readQueryFor = ({ destinationAccountId, sourceAccountId }: TransferInOrder): TransferQuery => ({
  records: [
    { kind: "ExternalAccount", id: sourceAccountId },
    { kind: "InternalAccount", id: destinationAccountId },
  ],
  balances: [Ledger.available(destinationAccountId), Ledger.held(destinationAccountId)],
})

export const accountsOf = (read: ReadResult, order: TransferInOrder): TransferInAccounts => ({
  source: undeleted(read.record("ExternalAccount", order.sourceAccountId)),
  destination: read.record("InternalAccount", order.destinationAccountId),
  destinationBalance:
    read.balance(Ledger.available(order.destinationAccountId)).balance +
    read.balance(Ledger.held(order.destinationAccountId)).balance,
})

const factsOf = (loaded: TransferInLoaded & TransferInAsked, requested: number | undefined): TransferInFacts => ({
  requested,
  source: loaded.source?.data,
  destination: loaded.destination?.data,
  isOwnersAccount: isOwnersAccount(loaded.source, loaded.destination),
  customer: loaded.customer?.data,
  party: (loaded.customer ?? loaded.externalOwner)?.data,
  inspection: loaded.inspection,
  destinationBalance: loaded.destinationBalance,
})

/** The transfer, or the first rule that it breaks. */
export const validate = (
  loaded: TransferInLoaded & TransferInAsked,
  requested: number | undefined,
): ValidTransferIn | Refusal => {
  const { destination, inspection, source } = loaded
  const facts = factsOf(loaded, requested)
  const refused = TransferInRules.first(facts)
  if (refused !== undefined) return refused.refusal
  const amount = amountOf(facts)
  if (source === undefined || destination === undefined || amount === undefined) return notFound("account")
  return {
    source,
    destination,
    amount,
    currency: destination.data.currency,
    isShortOfFunds: inspection?.funds === "insufficient",
  }
}

/** Starts the transfer: its record, its event, and the job that asks the rail. */
export const begin = (
  ids: IdSource,
  now: number,
  { amount, currency, destination, source }: ValidTransferIn,
  customer: Stored<"Customer"> | undefined,
  initiator: Initiator = {},
): TransitionResult => {
  const { accountInfo } = source.data
  const [rail] = paymentRailsOfAccount(accountInfo)
  return startPull(ids, now, destination, {
    platformCustomerId: customer?.data.platformCustomerId ?? "",
    amount,
    currency,
    sourceAccountId: source.id,
    destinationAccountId: destination.id,
    externalAccount: { accountInfo, ...(rail === undefined ? {} : { rail }) },
    ...initiator,
  })
}

/** Decides the platform's request. */
export const decideTransferIn =
  (order: TransferInOrder) =>
  (loaded: TransferInLoaded & TransferInAsked, { ids, now }: DecisionContext): Decision<TransactionResource> => {
    const { customer } = loaded
    const transfer = validate(loaded, order.amount)
    if (isRefusal(transfer)) return refuse(transfer)
    if (transfer.isShortOfFunds) return refuse(shortOfFunds)
    return answerStarted(begin(ids, now, transfer, customer), transfer.source, transfer.destination, customer)
  }
