/**
 * What is loaded to decide how a transaction goes on: its internal account with the balance, and the action that began it.
 * Source: architecture, "Load, ask, decide, commit".
 */
import { Effect } from "effect"
import { notFound, ServiceError } from "../errors/ServiceError.ts"
import * as Ledger from "../ledger/LedgerAccounts.ts"
import type { Read } from "../operation/Operation.ts"
import type { RecordRef } from "../ports/ChangeSet.ts"
import type { OutcomeLoaded } from "./OutcomeDecision.ts"
import { isOutgoing } from "./TransactionResource.ts"

/** Loads one transaction with all that its next step may rest on. Errors: `TRANSACTION_NOT_FOUND`. */
export const loadOpen = Effect.fnUntraced(function* (read: Read, transactionId: string) {
  const first = yield* read({ records: [{ kind: "Transaction", id: transactionId }] })
  const transaction = first.record("Transaction", transactionId)
  if (transaction === undefined) return yield* new ServiceError(notFound("transaction", "TRANSACTION_NOT_FOUND"))
  const { actionId, agentId } = transaction.data
  const accountId = isOutgoing(transaction) ? transaction.data.sourceAccountId : transaction.data.destinationAccountId
  const records: ReadonlyArray<RecordRef> = [
    { kind: "InternalAccount", id: accountId },
    ...(actionId === undefined ? [] : [{ kind: "AgentAction" as const, id: actionId }]),
    ...(agentId === undefined ? [] : [{ kind: "Agent" as const, id: agentId }]),
  ]
  const receivable = Ledger.receivable(transaction, transaction.data.currency).id
  const second = yield* read({ records, balances: [Ledger.available(accountId), receivable] })
  const account = second.record("InternalAccount", accountId)
  if (account === undefined) return yield* Effect.die(new Error(`no account ${accountId}`))
  const loaded: OutcomeLoaded = {
    transaction,
    account,
    available: second.balance(Ledger.available(accountId)),
    owed: second.balance(receivable),
    action: actionId === undefined ? undefined : second.record("AgentAction", actionId),
    agent: agentId === undefined ? undefined : second.record("Agent", agentId),
  }
  return loaded
})
