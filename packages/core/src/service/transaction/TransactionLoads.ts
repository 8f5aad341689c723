/**
 * Loads a transaction with the records that a decision about it needs.
 * Source: architecture, "Load, ask, decide, commit".
 */
import { Effect } from "effect"
import { zeroReceivable } from "../../decision/ledger/PostingChanges.ts"
import type { OutcomeLoaded } from "../../decision/transaction/OutcomeDecision.ts"
import { notFound } from "../../foundation/errors/ServiceError.ts"
import { isOutgoing } from "../../model/transaction/TransactionResource.ts"
import type { Read } from "../../operation/Operation.ts"
import { readExisting } from "../../operation/ReadExisting.ts"
import type { RecordRef, Stored } from "../../store/ChangeSet.ts"
import * as Ledger from "../../store/LedgerAccounts.ts"

export const transactionNotFound = notFound("transaction", "TRANSACTION_NOT_FOUND")

/** The ids of the records of other kinds that a transaction's transitions change. */
const relatedIdsOf = (transaction: Stored<"Transaction">) => {
  if (!isOutgoing(transaction)) return { accountId: transaction.data.destinationAccountId }
  const { destinationAccountId, exchange, sourceAccountId } = transaction.data
  if (exchange === undefined) return { accountId: sourceAccountId }
  return {
    accountId: exchange.funding === "ACCOUNT" ? sourceAccountId : exchange.refundAccountId,
    destinationId: exchange.isInternal ? destinationAccountId : undefined,
    quoteId: exchange.quoteId,
  }
}

/** Reads the debts of the accounts' owners in the accounts' currencies, in one trip; an absent account has no debt. */
export const readReceivables = Effect.fnUntraced(function* <E>(
  read: Read<E>,
  ...accounts: ReadonlyArray<Stored<"InternalAccount"> | undefined>
) {
  const receivables = accounts.map((account) => account && Ledger.receivable(account, account.data.currency).id)
  const ids = receivables.filter((id) => id !== undefined)
  const found = ids.length === 0 ? undefined : yield* read({ balances: ids })
  return receivables.map((id) => (id === undefined ? zeroReceivable : (found?.balance(id) ?? zeroReceivable)))
})

/** Loads a transaction and everything that its next transition depends on. Errors: `TRANSACTION_NOT_FOUND`. */
export const loadTransactionScope = Effect.fnUntraced(function* (read: Read, transactionId: string) {
  const named = yield* readExisting(read, "Transaction", transactionId, transactionNotFound)
  const { actionId, agentId } = named.data
  const { accountId, destinationId, quoteId } = relatedIdsOf(named)
  const ref = <K extends RecordRef["kind"]>(kind: K, id: string | undefined) => (id === undefined ? [] : [{ kind, id }])
  const records: ReadonlyArray<RecordRef> = [
    // The transaction is read again, because its state must be consistent with the quote and the action.
    { kind: "Transaction", id: transactionId },
    ...ref("InternalAccount", accountId),
    ...ref("InternalAccount", destinationId),
    ...ref("Quote", quoteId),
    ...ref("AgentAction", actionId),
    ...ref("Agent", agentId),
  ]
  const balances = accountId === undefined ? [] : [Ledger.available(accountId)]
  const found = yield* read({ records, balances })
  const accountOf = (id: string | undefined) => (id === undefined ? undefined : found.record("InternalAccount", id))
  const account = accountOf(accountId)
  if (accountId !== undefined && account === undefined) {
    return yield* Effect.die(new Error(`internal account ${accountId} does not exist`))
  }
  const destination = accountOf(destinationId)
  const [accountReceivable = zeroReceivable, destinationReceivable = zeroReceivable] = yield* readReceivables(
    read,
    account,
    destination,
  )
  const loaded: OutcomeLoaded = {
    transaction: found.record("Transaction", transactionId) ?? named,
    account,
    destination,
    destinationReceivable,
    quote: quoteId === undefined ? undefined : found.record("Quote", quoteId),
    available: accountId === undefined ? zeroReceivable : found.balance(Ledger.available(accountId)),
    accountReceivable,
    action: actionId === undefined ? undefined : found.record("AgentAction", actionId),
    agent: agentId === undefined ? undefined : found.record("Agent", agentId),
  }
  return loaded
})
