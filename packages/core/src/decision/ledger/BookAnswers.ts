/**
 * The books of a platform as its callers see them.
 * Source: D-454.
 */
import { iso } from "../../foundation/kit/Instant.ts"
import { type CurrencyCode, currencyOf } from "../../foundation/money/Currencies.ts"
import type {
  LedgerAccountListResponse,
  LedgerEntryListResponse,
  LedgerTransfersResponse,
  TrialBalanceResponse,
} from "../../model/ledger/BooksResource.ts"
import {
  type AccountBalances,
  type AccountEntries,
  type BalanceTotal,
  type Posting,
  type PostingSide,
  roleOf,
} from "../../store/Books.ts"
import { LedgerRoles } from "../../store/LedgerAccounts.ts"
import { inCommitOrder } from "./PostingOrder.ts"

const meaningOf = (role: string): string =>
  LedgerRoles.entries.find(([name]) => name === role)?.[1].meaning ?? "Another ledger account."

const currencyTrialBalance = (currency: CurrencyCode, totals: ReadonlyArray<BalanceTotal>) => {
  const sum = (side: "debitBalance" | "creditBalance") => totals.reduce((total, each) => total + each[side], 0n)
  const [debit, credit] = [sum("debitBalance"), sum("creditBalance")]
  return {
    currency: currencyOf(currency),
    debitBalance: String(debit),
    creditBalance: String(credit),
    isBalanced: debit === credit,
    lines: totals.map(({ accounts, creditBalance, debitBalance, entries, role }) => ({
      role,
      meaning: meaningOf(role),
      accounts,
      entries,
      debitBalance: String(debitBalance),
      creditBalance: String(creditBalance),
    })),
  }
}

export const toTrialBalance = (totals: ReadonlyArray<BalanceTotal>, now: number): TrialBalanceResponse => ({
  asOf: iso(now),
  data: [...Map.groupBy(totals, ({ currency }) => currency)].map(([currency, own]) =>
    currencyTrialBalance(currency, own),
  ),
})

export const toAccountList = (
  { accounts, hasMore }: AccountBalances,
  nextCursor: string | undefined,
): LedgerAccountListResponse => ({
  data: accounts.map(({ account, balance, currency, customerId, sequence }) => ({
    ledgerAccount: account,
    role: roleOf(account),
    ...(customerId === null ? {} : { customerId }),
    currency: currencyOf(currency),
    balance,
    entries: sequence,
  })),
  hasMore,
  ...(nextCursor === undefined ? {} : { nextCursor }),
})

export const toEntryList = (
  { account, balance, currency, customerId, entries, hasMore, sequence }: AccountEntries,
  nextCursor: string | undefined,
): LedgerEntryListResponse => ({
  ledgerAccount: account,
  role: roleOf(account),
  ...(customerId === null ? {} : { customerId }),
  currency: currencyOf(currency),
  balance,
  data: entries.map(({ at, operationId: _operation, ...entry }) => ({ ...entry, at: iso(at) })),
  hasMore,
  ...(nextCursor === undefined ? {} : { nextCursor }),
  totalCount: sequence,
})

const toSide = ({ account, balanceAfter, sequence }: PostingSide) => ({
  ledgerAccount: account,
  role: roleOf(account),
  sequence,
  balanceAfter,
})

export const toTransfers = (reference: string, postings: ReadonlyArray<Posting>): LedgerTransfersResponse => ({
  reference,
  data: inCommitOrder(postings).map(({ amount, at, currency, from, operationId, to }) => ({
    amount,
    currency: currencyOf(currency),
    from: toSide(from),
    to: toSide(to),
    at: iso(at),
    operationId,
  })),
})
