/**
 * Loads quotes: one alone, or with its transaction, its accounts and its customer.
 * Source: architecture, "Load, ask, decide, commit"; wire contract 1.1 (an agent's quotes are those that it created).
 */
import { Effect } from "effect"
import { zeroReceivable } from "../../decision/ledger/PostingChanges.ts"
import type { QuoteRecords } from "../../decision/quote/QuoteExecutionDecision.ts"
import { notFound, ServiceError } from "../../foundation/errors/ServiceError.ts"
import { isOutgoing } from "../../model/transaction/TransactionResource.ts"
import type { Read } from "../../operation/Operation.ts"
import { type Caller, CurrentCaller } from "../../store/Caller.ts"
import type { RecordRef, Stored } from "../../store/ChangeSet.ts"
import type { Kind } from "../../store/Kinds.ts"
import * as Ledger from "../../store/LedgerAccounts.ts"
import { readReceivables } from "../transaction/TransactionLoads.ts"

const quoteNotFound = new ServiceError(notFound("quote", "QUOTE_NOT_FOUND"))

/** Returns a quote that exists for the caller. */
const visible = (caller: Caller, quote: Stored<"Quote"> | undefined) =>
  caller._tag === "Platform" || quote?.data.agentId === caller.agentId ? quote : undefined

/** Loads a quote, or `undefined` if it does not exist for the caller. */
const findQuote = Effect.fnUntraced(function* <E>(read: Read<E>, quoteId: string) {
  const quote = (yield* read({ records: [{ kind: "Quote", id: quoteId }] })).record("Quote", quoteId)
  return visible(yield* CurrentCaller, quote)
})

/** Loads a quote. Errors: `QUOTE_NOT_FOUND`. */
export const loadQuote = Effect.fnUntraced(function* <E>(read: Read<E>, quoteId: string) {
  return (yield* findQuote(read, quoteId)) ?? (yield* quoteNotFound)
})

const ref = (kind: Kind, id: string | undefined | null): ReadonlyArray<RecordRef> =>
  id === undefined || id === null ? [] : [{ kind, id }]

/** Loads a quote with all its records, or `undefined` if it does not exist for the caller. `known`: the quote, if it was read already. */
export const findQuoteRecords = Effect.fnUntraced(function* <E>(
  read: Read<E>,
  quoteId: string,
  known?: Stored<"Quote">,
) {
  const named = known === undefined ? yield* findQuote(read, quoteId) : visible(yield* CurrentCaller, known)
  if (named === undefined) return undefined
  const { accountId, destination, funding, source, transactionId } = named.data
  const paidId = destination.destinationType === "ACCOUNT" ? destination.accountId : named.data.receiverAccountId
  const pulledId = funding !== "ACCOUNT" && source.sourceType === "ACCOUNT" ? source.accountId : undefined
  // The debt of the account's owner is nearly always that of the quote's customer, in the currency that it sends.
  const expectedDebt = Ledger.receivable(named, named.data.sendingCurrency).id
  const found = yield* read({
    records: [
      // The quote is read again: read at another time than its transaction, it could be in another state.
      ...ref("Quote", quoteId),
      ...ref("Transaction", transactionId),
      ...ref("InternalAccount", accountId),
      ...ref("InternalAccount", paidId),
      ...ref("ExternalAccount", paidId),
      ...ref("ExternalAccount", pulledId),
      ...ref("Customer", named.customerId),
    ],
    balances: accountId === undefined ? [] : [Ledger.available(accountId), expectedDebt],
  })
  const quote = found.record("Quote", quoteId) ?? named
  const transaction = found.record("Transaction", transactionId)
  if (transaction === undefined || !isOutgoing(transaction)) {
    return yield* Effect.die(new Error(`${quoteId} has no transaction`))
  }
  const { customerId } = quote
  const account = accountId === undefined ? undefined : found.record("InternalAccount", accountId)
  const isExpected = account !== undefined && Ledger.receivable(account, account.data.currency).id === expectedDebt
  const [owed = zeroReceivable] = isExpected ? [found.balance(expectedDebt)] : yield* readReceivables(read, account)
  const records: QuoteRecords = {
    quote,
    transaction,
    account,
    owed,
    available: accountId === undefined ? 0 : found.balance(Ledger.available(accountId)).balance,
    pulled: pulledId === undefined ? undefined : found.record("ExternalAccount", pulledId),
    receiver: paidId === undefined ? undefined : found.record("InternalAccount", paidId),
    destination: paidId === undefined ? undefined : found.record("ExternalAccount", paidId),
    customer: customerId === null ? undefined : found.record("Customer", customerId),
  }
  return records
})

/** Loads a quote with all its records. Errors: `QUOTE_NOT_FOUND`. */
export const loadQuoteRecords = Effect.fnUntraced(function* <E>(read: Read<E>, quoteId: string) {
  return (yield* findQuoteRecords(read, quoteId)) ?? (yield* quoteNotFound)
})
