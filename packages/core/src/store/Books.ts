/**
 * The books: of the whole deployment for its operator, and of one platform for its callers. Reading those of the deployment requires
 * `Operator`, which only the command line provides, so that a request handler that reads them does not compile.
 * Source: architecture, "The Store port" (Ledger, Caller); D-110, D-454.
 */
import { Context } from "effect"
import type { CurrencyCode } from "../foundation/money/Currencies.ts"

/**
 * The operator of the deployment, who has access to its database.
 * @effect-leakable-service
 */
export class Operator extends Context.Service<Operator, { readonly _tag: "Operator" }>()(
  "@countersign/core/Operator",
) {}

/** All ledger accounts of one role in one currency. Sums are exact and may exceed the range of one balance. */
export interface TrialBalanceLine {
  /** The part of their ids before the colon. */
  readonly role: string
  readonly currency: CurrencyCode
  readonly accounts: number
  /** The sum of all entries that left them. */
  readonly debit: bigint
  /** The sum of all entries that entered them. */
  readonly credit: bigint
  readonly balance: bigint
  /** Accounts whose balance is not the sum of their entries. */
  readonly differing: number
}

/** What depends on one root of wallet keys, across all tenants. */
export interface RootUse {
  /** The root that the records name; `undefined`: they name none. */
  readonly rootId: string | undefined
  /** Wallets whose account is not closed. */
  readonly wallets: number
  /** Delegated keys that are not revoked. */
  readonly delegatedKeys: number
}

/** One side of a posting: the entry of its account. */
export interface PostingSide {
  readonly account: string
  /** 1 for the account's first entry. */
  readonly sequence: number
  readonly balanceAfter: number
}

/** One balanced movement in the books. */
export interface Posting {
  readonly operationId: string
  /** Business time (ms) of the decision. */
  readonly at: number
  readonly amount: number
  readonly currency: CurrencyCode
  readonly from: PostingSide
  readonly to: PostingSide
}

/** All ledger accounts of one role in one currency, of one platform. Sums are exact and may exceed the range of one balance. */
export interface BalanceTotal {
  /** The part of their ids before the colon. */
  readonly role: string
  readonly currency: CurrencyCode
  readonly accounts: number
  /** The number of their entries. */
  readonly entries: number
  /** The sum of the balances below zero, without the sign. */
  readonly debitBalance: bigint
  /** The sum of the balances above zero. */
  readonly creditBalance: bigint
}

/** A page of the entries of a ledger account, newest first: those before the entry with the sequence `before`. */
export interface EntriesPage {
  readonly account: string
  readonly limit: number
  readonly before?: number
}

/** A page of the ledger accounts that have entries, by id: those that follow `after`. */
export interface LedgerAccountsPage {
  readonly limit: number
  readonly after?: string
  readonly role?: string
  readonly currency?: CurrencyCode
}

/** A ledger account with its balance. */
export interface AccountBalance {
  readonly account: string
  readonly customerId: string | null
  readonly currency: CurrencyCode
  readonly balance: number
  /** The number of its entries. */
  readonly sequence: number
}

/** A page of the ledger accounts. */
export interface AccountBalances {
  readonly accounts: ReadonlyArray<AccountBalance>
  readonly hasMore: boolean
}

/** One entry of a ledger account. */
export interface AccountEntry {
  /** 1 for the account's first entry. */
  readonly sequence: number
  /** Positive for a credit, negative for a debit. */
  readonly amount: number
  readonly balanceAfter: number
  /** The id of the transaction that it belongs to. */
  readonly reference: string
  readonly operationId: string
  /** The ledger account that the money came from or went to. */
  readonly counterAccount: string
  /** Business time (ms) of the decision. */
  readonly at: number
}

/** A ledger account with a page of its entries. */
export interface AccountEntries extends AccountBalance {
  readonly entries: ReadonlyArray<AccountEntry>
  readonly hasMore: boolean
}

/** The role of a ledger account. */
export const roleOf = (account: string): string => account.split(":", 1)[0] ?? account
