/**
 * A transfer-out, decided: what must be read for it, whether it can be made, and its beginning. The platform's endpoint and an
 * agent's action go through here alike.
 * Spec: 4.5; wire contract 5.6.
 */

import { notFound, type Refusal } from "../../foundation/errors/ServiceError.ts"
import type { CurrencyCode } from "../../foundation/money/Currencies.ts"
import { paymentRailsOfAccount } from "../../model/account/AccountRoute.ts"
import type { PurposeOfPayment } from "../../model/transaction/Transaction.ts"
import { type TransferOutFacts, TransferOutRules } from "../../model/transaction/TransferOutRules.ts"
import type { Stored } from "../../store/ChangeSet.ts"
import * as Changes from "../../store/Changes.ts"
import * as Ledger from "../../store/LedgerAccounts.ts"
import type { ReadQuery, ReadResult } from "../../store/Store.ts"
import type { DecisionContext } from "../Decision.ts"
import { startPush } from "./OutgoingChanges.ts"
import type { TransitionResult } from "./OutgoingUpdates.ts"
import { type Initiator, isOwners, undeleted } from "./TransferInDecision.ts"

/** A transfer-out as the core takes it. */
export interface TransferOutOrder {
  readonly sourceAccountId: string
  readonly destinationAccountId: string
  /** Absent: the whole available balance. */
  readonly amount?: number
  readonly paymentRail?: string
  readonly remittanceInformation?: string
  readonly purposeOfPayment?: PurposeOfPayment
}

/** The accounts of a transfer-out, as they were read. */
export interface TransferOutAccounts {
  readonly source: Stored<"InternalAccount"> | undefined
  readonly destination: Stored<"ExternalAccount"> | undefined
  readonly available: { readonly balance: number; readonly sequence: number }
}

/** What a transfer-out rests on. */
export interface TransferOutLoaded extends TransferOutAccounts {
  /** The customer that sends; absent: the platform itself. */
  readonly customer: Stored<"Customer"> | undefined
  /** Whose external account it is, where the internal one is the platform's own. */
  readonly externalOwner?: Stored<"Customer"> | undefined
}

/** A transfer-out that can be made, as far as its accounts go. */
export interface ValidTransferOut {
  readonly source: Stored<"InternalAccount">
  readonly destination: Stored<"ExternalAccount">
  readonly amount: number
  readonly currency: CurrencyCode
  readonly isShortOfFunds: boolean
  /** Of the whole balance: it must still be the one that was read. */
  readonly sequence: number | undefined
}

export const readQueryFor = ({
  destinationAccountId,
  sourceAccountId,
}: TransferOutOrder): Required<Pick<ReadQuery, "records" | "balances">> => ({
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

const factsOf = (parts: TransferOutLoaded, order: TransferOutOrder): TransferOutFacts => ({
  requested: order.amount,
  source: parts.source?.data,
  destination: parts.destination?.data,
  isOwnersAccount: isOwners(parts.destination, parts.source),
  customer: parts.customer?.data,
  party: (parts.customer ?? parts.externalOwner)?.data,
  rail: order.paymentRail,
})

/** The transfer, or what makes it impossible. */
export const validate = (parts: TransferOutLoaded, order: TransferOutOrder): ValidTransferOut | Refusal => {
  const { available, destination, source } = parts
  const refused = TransferOutRules.first(factsOf(parts, order))
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

/** The transfer begins: its money is held, and the job that asks the rail is there. */
export const begin = (
  { ids, now }: Pick<DecisionContext, "ids" | "now">,
  transfer: ValidTransferOut,
  order: TransferOutOrder,
  customer: Stored<"Customer"> | undefined,
  by: Initiator = {},
): TransitionResult => {
  const { amount, currency, destination, sequence, source } = transfer
  const { accountInfo } = destination.data
  const { paymentRail, purposeOfPayment, remittanceInformation } = order
  const rails = paymentRailsOfAccount(accountInfo)
  const rail = rails.find((known) => known === paymentRail) ?? rails[0]
  const begun = startPush(
    { ids, now, source },
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
      ...by,
    },
  )
  return {
    ...begun,
    changes: Changes.combine(begun.changes, {
      assertions: sequence === undefined ? [] : [{ account: Ledger.available(source.id), sequence }],
    }),
  }
}
