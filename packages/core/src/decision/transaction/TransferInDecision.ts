/**
 * A transfer-in, decided: what must be read for it, whether it can be made, and its beginning. The platform's endpoint and an
 * agent's action go through here alike.
 * Spec: 4.1, 4.5; wire contract 5.6.
 */

import { notFound, type Refusal } from "../../foundation/errors/ServiceError.ts"
import type { IdSource } from "../../foundation/ids/IdPool.ts"
import type { CurrencyCode } from "../../foundation/money/Currencies.ts"
import { paymentRailsOfAccount } from "../../model/account/AccountRoute.ts"
import type { PullInspection } from "../../model/transaction/TransferInRules.ts"
import { amountOf, type TransferInFacts, TransferInRules } from "../../model/transaction/TransferInRules.ts"
import type { Stored } from "../../store/ChangeSet.ts"
import * as Ledger from "../../store/LedgerAccounts.ts"
import type { ReadQuery, ReadResult } from "../../store/Store.ts"
import { startPull, type TransitionResult } from "./IncomingChanges.ts"

/** A transfer-in as the core takes it. */
export interface TransferInOrder {
  readonly sourceAccountId: string
  readonly destinationAccountId: string
  /** Absent: what the rail reports. */
  readonly amount: number | undefined
}

/** The accounts of a transfer-in, as they were read. */
export interface TransferInAccounts {
  readonly source: Stored<"ExternalAccount"> | undefined
  readonly destination: Stored<"InternalAccount"> | undefined
  /** Available and held of the destination together. */
  readonly destinationBalance: number
}

/** What a transfer-in rests on. */
export interface TransferInLoaded extends TransferInAccounts {
  /** The customer that receives; absent: the platform itself. */
  readonly customer: Stored<"Customer"> | undefined
  /** Whose external account it is, where the internal one is the platform's own. */
  readonly externalOwner?: Stored<"Customer"> | undefined
  /** What the rail says of the source; absent while the source is unknown. */
  readonly inspection: PullInspection | undefined
}

/** A transfer-in that can be made, as far as its accounts go. */
export interface ValidTransferIn {
  readonly source: Stored<"ExternalAccount">
  readonly destination: Stored<"InternalAccount">
  readonly amount: number
  readonly currency: CurrencyCode
  /** The rail says beforehand that the money is not there. */
  readonly isShortOfFunds: boolean
}

export const readQueryFor = ({
  destinationAccountId,
  sourceAccountId,
}: TransferInOrder): Required<Pick<ReadQuery, "records" | "balances">> => ({
  records: [
    { kind: "ExternalAccount", id: sourceAccountId },
    { kind: "InternalAccount", id: destinationAccountId },
  ],
  balances: [Ledger.available(destinationAccountId), Ledger.held(destinationAccountId)],
})

/** A deleted account is none: no rule and no rail is asked about it. */
export const undeleted = (account: Stored<"ExternalAccount"> | undefined) =>
  account?.data.isDeleted === true ? undefined : account

export const accountsOf = (read: ReadResult, order: TransferInOrder): TransferInAccounts => ({
  source: undeleted(read.record("ExternalAccount", order.sourceAccountId)),
  destination: read.record("InternalAccount", order.destinationAccountId),
  destinationBalance:
    read.balance(Ledger.available(order.destinationAccountId)).balance +
    read.balance(Ledger.held(order.destinationAccountId)).balance,
})

/** Whose account may be used: one's own; the platform may use those of its customers too (D-093). */
export const isOwners = (
  external: Stored<"ExternalAccount"> | undefined,
  internal: Stored<"InternalAccount"> | undefined,
): boolean =>
  external === undefined ||
  internal === undefined ||
  internal.customerId === null ||
  internal.customerId === external.customerId

const factsOf = (parts: TransferInLoaded, requested: number | undefined): TransferInFacts => ({
  requested,
  source: parts.source?.data,
  destination: parts.destination?.data,
  isOwnersAccount: isOwners(parts.source, parts.destination),
  customer: parts.customer?.data,
  party: (parts.customer ?? parts.externalOwner)?.data,
  inspection: parts.inspection,
  destinationBalance: parts.destinationBalance,
})

/** The transfer, or what makes it impossible. */
export const validate = (parts: TransferInLoaded, requested: number | undefined): ValidTransferIn | Refusal => {
  const { destination, inspection, source } = parts
  const facts = factsOf(parts, requested)
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

/** Who began a transfer, where it was not the platform. */
export interface Initiator {
  readonly agentId?: string
  readonly actionId?: string
}

/** The transfer begins: its record, its event, and the job that asks the rail. */
export const begin = (
  ids: IdSource,
  now: number,
  { amount, currency, destination, source }: ValidTransferIn,
  customer: Stored<"Customer"> | undefined,
  by: Initiator = {},
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
    ...by,
  })
}
