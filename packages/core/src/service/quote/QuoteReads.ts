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
import { CurrentCaller } from "../../store/Caller.ts"
import type { RecordRef } from "../../store/ChangeSet.ts"
import type { Kind } from "../../store/Kinds.ts"
import * as Ledger from "../../store/LedgerAccounts.ts"
import { readReceivables } from "../transaction/TransactionLoads.ts"

const quoteNotFound = new ServiceError(notFound("quote", "QUOTE_NOT_FOUND"))

/** Loads a quote, or `undefined` if it does not exist for the caller. */
const findQuote = Effect.fnUntraced(function* <E>(read: Read<E>, quoteId: string) {
  const caller = yield* CurrentCaller
  const quote = (yield* read({ records: [{ kind: "Quote", id: quoteId }] })).record("Quote", quoteId)
  const isVisible = caller._tag === "Platform" || quote?.data.agentId === caller.agentId
  return isVisible ? quote : undefined
})

/** Loads a quote. Errors: `QUOTE_NOT_FOUND`. */
export const loadQuote = Effect.fnUntraced(function* <E>(read: Read<E>, quoteId: string) {
  return (yield* findQuote(read, quoteId)) ?? (yield* quoteNotFound)
})

const ref = (kind: Kind, id: string | undefined | null): ReadonlyArray<RecordRef> =>
  id === undefined || id === null ? [] : [{ kind, id }]

/** Loads a quote with all its records, or `undefined` if it does not exist for the caller. */
export const findQuoteRecords = Effect.fnUntraced(function* <E>(read: Read<E>, quoteId: string) {
  const named = yield* findQuote(read, quoteId)
  if (named === undefined) return undefined
  const { accountId, destination, funding, source, transactionId } = named.data
  const paidId = destination.destinationType === "ACCOUNT" ? destination.accountId : named.data.receiverAccountId
  const pulledId = funding !== "ACCOUNT" && source.sourceType === "ACCOUNT" ? source.accountId : undefined
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
    balances: accountId === undefined ? [] : [Ledger.available(accountId)],
  })
  const quote = found.record("Quote", quoteId) ?? named
  const transaction = found.record("Transaction", transactionId)
  if (transaction === undefined || !isOutgoing(transaction)) {
    return yield* Effect.die(new Error(`${quoteId} has no transaction`))
  }
  const { customerId } = quote
  const account = accountId === undefined ? undefined : found.record("InternalAccount", accountId)
  const [owed = zeroReceivable] = yield* readReceivables(read, account)
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
