/**
 * What is loaded to decide how a transaction goes on: its internal account with the balance, and the action that began it.
 * Source: architecture, "Load, ask, decide, commit".
 */
import { Effect } from "effect"
import { zeroReceivable } from "../../decision/ledger/PostingChanges.ts"
import type { OutcomeLoaded } from "../../decision/transaction/OutcomeDecision.ts"
import { notFound, ServiceError } from "../../foundation/errors/ServiceError.ts"
import { isOutgoing } from "../../model/transaction/TransactionResource.ts"
import type { Read } from "../../operation/Operation.ts"
import type { RecordRef, Stored } from "../../store/ChangeSet.ts"
import * as Ledger from "../../store/LedgerAccounts.ts"

/** The records of other kinds that move with a transaction. */
const touchedBy = (transaction: Stored<"Transaction">) => {
  if (!isOutgoing(transaction)) return { accountId: transaction.data.destinationAccountId }
  const { destinationAccountId, exchange, sourceAccountId } = transaction.data
  if (exchange === undefined) return { accountId: sourceAccountId }
  return {
    accountId: exchange.funding === "ACCOUNT" ? sourceAccountId : exchange.refundAccountId,
    receiverId: exchange.isInternal ? destinationAccountId : undefined,
    quoteId: exchange.quoteId,
  }
}

/** What the owners of accounts owe in the currencies of these, in one trip; nothing where there is no account. */
export const readReceivables = Effect.fnUntraced(function* <E>(
  read: Read<E>,
  ...accounts: ReadonlyArray<Stored<"InternalAccount"> | undefined>
) {
  const receivables = accounts.map((account) => account && Ledger.receivable(account, account.data.currency).id)
  const ids = receivables.filter((id) => id !== undefined)
  const found = ids.length === 0 ? undefined : yield* read({ balances: ids })
  return receivables.map((id) => (id === undefined ? zeroReceivable : (found?.balance(id) ?? zeroReceivable)))
})

/** Loads one transaction with all that its next step may rest on. Errors: `TRANSACTION_NOT_FOUND`. */
export const loadTransactionScope = Effect.fnUntraced(function* (read: Read, transactionId: string) {
  const ref: RecordRef = { kind: "Transaction", id: transactionId }
  const named = (yield* read({ records: [ref] })).record("Transaction", transactionId)
  if (named === undefined) return yield* new ServiceError(notFound("transaction", "TRANSACTION_NOT_FOUND"))
  const { actionId, agentId } = named.data
  const { accountId, quoteId, receiverId } = touchedBy(named)
  const records: ReadonlyArray<RecordRef> = [
    // Again: with a quote or an action of another moment it would be in another state than they are.
    ref,
    ...[accountId, receiverId].flatMap((id) => (id === undefined ? [] : [{ kind: "InternalAccount" as const, id }])),
    ...(quoteId === undefined ? [] : [{ kind: "Quote" as const, id: quoteId }]),
    ...(actionId === undefined ? [] : [{ kind: "AgentAction" as const, id: actionId }]),
    ...(agentId === undefined ? [] : [{ kind: "Agent" as const, id: agentId }]),
  ]
  const balances = accountId === undefined ? [] : [Ledger.available(accountId)]
  const second = yield* read({ records, balances })
  const accountOf = (id: string | undefined) => (id === undefined ? undefined : second.record("InternalAccount", id))
  const account = accountOf(accountId)
  if (accountId !== undefined && account === undefined) return yield* Effect.die(new Error(`no account ${accountId}`))
  const receiver = accountOf(receiverId)
  const [owed = zeroReceivable, receiverOwed = zeroReceivable] = yield* readReceivables(read, account, receiver)
  const loaded: OutcomeLoaded = {
    transaction: second.record("Transaction", transactionId) ?? named,
    account,
    destination: receiver,
    destinationReceivable: receiverOwed,
    quote: quoteId === undefined ? undefined : second.record("Quote", quoteId),
    available: accountId === undefined ? zeroReceivable : second.balance(Ledger.available(accountId)),
    accountReceivable: owed,
    action: actionId === undefined ? undefined : second.record("AgentAction", actionId),
    agent: agentId === undefined ? undefined : second.record("Agent", agentId),
  }
  return loaded
})
