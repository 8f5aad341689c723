/**
 * The filters of the transaction list, and the stored lists that they select.
 * Source: wire contract 5.7 (list filters).
 */
import type { AnyTransactionStatus, TransactionType } from "../../model/transaction/Transaction.ts"
import { between, type ListQuery, where } from "../../operation/Listing.ts"
import type { Where } from "../../store/Store.ts"

export interface TransactionsQuery extends ListQuery {
  /** The platform's own id selects the transactions of the platform itself. */
  readonly customerId?: string
  readonly platformCustomerId?: string
  /** An account on either side. */
  readonly accountIdentifier?: string
  readonly senderAccountIdentifier?: string
  readonly receiverAccountIdentifier?: string
  readonly status?: AnyTransactionStatus
  readonly type?: TransactionType
  readonly reference?: string
  /** Inclusive bounds on `createdAt`, Unix milliseconds. */
  readonly from?: number
  readonly to?: number
}

/** Transfers by either side of an account. An account is never on both sides, so no record is in both lists. */
const transferLists = (query: TransactionsQuery, common: Parameters<typeof where>[0]): ReadonlyArray<Where> => {
  const { accountIdentifier, receiverAccountIdentifier, senderAccountIdentifier } = query
  const filters = where({
    ...common,
    sourceAccountId: senderAccountIdentifier,
    destinationAccountId: receiverAccountIdentifier,
    type: query.type,
    reference: query.reference,
  })
  if (accountIdentifier === undefined) return [filters]
  const bySide = (field: string, requested: string | undefined): ReadonlyArray<Where> =>
    requested === undefined || requested === accountIdentifier
      ? [{ ...filters, [field]: { eq: accountIdentifier } }]
      : []
  return [
    ...bySide("sourceAccountId", senderAccountIdentifier),
    ...bySide("destinationAccountId", receiverAccountIdentifier),
  ]
}

/** Card transactions have a source account only: filters by receiver or reference select none of them. */
const cardTransactionLists = (query: TransactionsQuery, common: Parameters<typeof where>[0]): ReadonlyArray<Where> => {
  const { accountIdentifier, receiverAccountIdentifier, reference, senderAccountIdentifier } = query
  const accounts = [...new Set([accountIdentifier, senderAccountIdentifier].filter((id) => id !== undefined))]
  const isSelected = receiverAccountIdentifier === undefined && reference === undefined && accounts.length < 2
  return isSelected ? [where({ ...common, accountId: accounts[0] })] : []
}

/** The stored lists that the filters select. */
export const listsFor = (
  query: TransactionsQuery,
  platformId: string,
): ReadonlyArray<readonly ["Transaction" | "CardTransaction", Where]> => {
  const { customerId, from, platformCustomerId, status, to, type } = query
  const common = {
    customerId: customerId === platformId ? { eq: null } : customerId,
    platformCustomerId,
    status,
    createdAt: between(from, to),
  }
  const transfers = type === "CARD" ? [] : transferLists(query, common)
  const cardTransactions = type === undefined || type === "CARD" ? cardTransactionLists(query, common) : []
  return [
    ...transfers.map((filters) => ["Transaction", filters] as const),
    ...cardTransactions.map((filters) => ["CardTransaction", filters] as const),
  ]
}
