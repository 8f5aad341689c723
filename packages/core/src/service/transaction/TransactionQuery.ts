/**
 * The filters of the transaction list, and the stored lists that they select.
 * Source: wire contract 5.7 (list filters).
 */

import { Effect } from "effect"
import { limitMax } from "../../foundation/kit/Page.ts"
import type { AnyTransactionStatus, TransactionType } from "../../model/transaction/Transaction.ts"
import { between, type ListQuery, where } from "../../operation/Listing.ts"
import { type Condition, Store, type Where } from "../../store/Store.ts"

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

/**
 * Reads the customers whom a platform's own id has named: it never changes, and a transaction has that of its customer. `undefined`: the id
 * is not asked for, or named more customers than a page has. Source: D-502.
 */
export const readCustomers = Effect.fnUntraced(function* ({ platformCustomerId }: TransactionsQuery) {
  if (platformCustomerId === undefined) return undefined
  const filters = { platformCustomerId: { eq: platformCustomerId } }
  const { data, hasMore } = yield* Store.use((store) =>
    store.list("Customer", filters, { limit: limitMax, order: "desc" }),
  )
  return hasMore ? undefined : data.map(({ id }) => id)
})

/** The customers of the list; the platform's own id selects the transactions without one. */
const ownerCondition = (
  customerId: string | undefined,
  platformId: string,
  customers: ReadonlyArray<string> | undefined,
): Condition | undefined => {
  if (customerId === platformId) return customers === undefined ? { eq: null } : { in: [] }
  if (customers === undefined) return customerId === undefined ? undefined : { eq: customerId }
  const selected = customers.filter((id) => customerId === undefined || id === customerId)
  const [only] = selected
  return selected.length === 1 && only !== undefined ? { eq: only } : { in: selected }
}

/** The stored lists that the filters select, given the customers whom `platformCustomerId` has named. */
export const listsFor = (
  query: TransactionsQuery,
  platformId: string,
  customers: ReadonlyArray<string> | undefined,
): ReadonlyArray<readonly ["Transaction" | "CardTransaction", Where]> => {
  const { customerId, from, platformCustomerId, status, to, type } = query
  const common = {
    customerId: ownerCondition(customerId, platformId, customers),
    platformCustomerId: customers === undefined ? platformCustomerId : undefined,
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
