/**
 * What is loaded to decide how a transaction goes on: its internal account with the balance, and the action that began it.
 * Source: architecture, "Load, ask, decide, commit".
 */
import { Effect } from "effect"
import { notFound, ServiceError } from "../errors/ServiceError.ts"
import * as Ledger from "../ledger/LedgerAccounts.ts"
import type { Read } from "../operation/Operation.ts"
import type { RecordRef, Stored } from "../ports/ChangeSet.ts"
import type { OutcomeLoaded } from "./OutcomeDecision.ts"
import { isOutgoing } from "./TransactionResource.ts"

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

/** Of a transaction without an internal account. */
const nothing = { balance: 0, sequence: 0 }

/** Loads one transaction with all that its next step may rest on. Errors: `TRANSACTION_NOT_FOUND`. */
export const loadOpen = Effect.fnUntraced(function* (read: Read, transactionId: string) {
  const first = yield* read({ records: [{ kind: "Transaction", id: transactionId }] })
  const transaction = first.record("Transaction", transactionId)
  if (transaction === undefined) return yield* new ServiceError(notFound("transaction", "TRANSACTION_NOT_FOUND"))
  const { actionId, agentId } = transaction.data
  const { accountId, quoteId, receiverId } = touchedBy(transaction)
  const records: ReadonlyArray<RecordRef> = [
    ...[accountId, receiverId].flatMap((id) => (id === undefined ? [] : [{ kind: "InternalAccount" as const, id }])),
    ...(quoteId === undefined ? [] : [{ kind: "Quote" as const, id: quoteId }]),
    ...(actionId === undefined ? [] : [{ kind: "AgentAction" as const, id: actionId }]),
    ...(agentId === undefined ? [] : [{ kind: "Agent" as const, id: agentId }]),
  ]
  const receivable = Ledger.receivable(transaction, transaction.data.currency).id
  const balances = accountId === undefined ? [] : [Ledger.available(accountId), receivable]
  const second = yield* read({ records, balances })
  const accountOf = (id: string | undefined) => (id === undefined ? undefined : second.record("InternalAccount", id))
  const account = accountOf(accountId)
  if (accountId !== undefined && account === undefined) return yield* Effect.die(new Error(`no account ${accountId}`))
  const loaded: OutcomeLoaded = {
    transaction,
    account,
    receiver: accountOf(receiverId),
    quote: quoteId === undefined ? undefined : second.record("Quote", quoteId),
    available: accountId === undefined ? nothing : second.balance(Ledger.available(accountId)),
    owed: accountId === undefined ? nothing : second.balance(receivable),
    action: actionId === undefined ? undefined : second.record("AgentAction", actionId),
    agent: agentId === undefined ? undefined : second.record("Agent", agentId),
  }
  return loaded
})
