/**
 * Decides the network's messages about a card transaction, the outcomes of its pulls, and its expiry.
 * Spec: Card (fundingSources); wire contract 3.5 and 7.5; D-173 to D-176, D-262.
 */
import { notFound, type Refusal } from "../../foundation/errors/ServiceError.ts"
import type { AuditDetails } from "../../model/audit/AuditRecord.ts"
import { type CardMessage, CardMessageRules } from "../../model/card/CardMessageRules.ts"
import { type CardTransactionResource, toCardTransaction } from "../../model/card/CardTransactionResource.ts"
import type { CollectOutcome } from "../../ports/Issuer.ts"
import type { Stored } from "../../store/ChangeSet.ts"
import * as Changes from "../../store/Changes.ts"
import { auditRecord } from "../audit/Audit.ts"
import { answer, type Decision, type DecisionContext, exceededExactRange, refuse } from "../Decision.ts"
import { laterDueAt } from "./CardProvisioningDecision.ts"
import { apply, collectJob, type DecisionScope, type TransactionStep } from "./CardTransactionChanges.ts"
import { advise, clear, expire, refund, resolvePull, reverseRefund } from "./CardTransactionSteps.ts"

type Balance = { readonly balance: number; readonly sequence: number }

/** A transaction with its account. */
export interface CardTransactionLoaded {
  readonly transaction: Stored<"CardTransaction">
  readonly account: Stored<"InternalAccount">
  readonly available: Balance
  /** Debt of the owner. */
  readonly owed: Balance
}

export const transactionNotFound = notFound("transaction", "TRANSACTION_NOT_FOUND")

const outOfRange: Refusal = {
  code: "AMOUNT_OUT_OF_RANGE",
  message: "The amount would take a balance beyond what can be kept exactly.",
}

const scopeOf = (
  { account, available, owed }: CardTransactionLoaded,
  { ids, now, rejections }: DecisionContext,
): DecisionScope => ({ ids, now, account, available, owed, isFull: exceededExactRange(rejections) })

const stepOf = (message: CardMessage): TransactionStep => {
  switch (message._tag) {
    case "Advice":
      return advise(message.amount)
    case "Clearing":
      return message.amount === 0 ? expire : clear(message.amount)
    case "Return":
      return refund(message.amount)
    case "ReturnReversal":
      return reverseRefund
  }
}

const decide = (
  message: CardMessage,
  messageId: string,
  loaded: CardTransactionLoaded & { readonly card: Stored<"Card"> },
  context: DecisionContext,
): Decision<CardTransactionResource> => {
  const { card, transaction } = loaded
  const { data } = transaction
  if (data.cardId !== card.id) return refuse(transactionNotFound)
  if (data.messageIds.includes(messageId)) return answer(200, toCardTransaction(transaction))
  const refused = CardMessageRules.first({ transaction: data, message })
  if (refused !== undefined) return refuse(refused.refusal)
  const isOutgoing = message._tag === "Clearing" && data.direction === "DEBIT"
  if (exceededExactRange(context.rejections) && (isOutgoing || message._tag === "Advice")) return refuse(outOfRange)
  const recordMessage: TransactionStep = (_scope, stored) => ({
    data: { ...stored.data, messageIds: [...stored.data.messageIds, messageId] },
  })
  const changed = apply(scopeOf(loaded, context), transaction, recordMessage, stepOf(message))
  return answer(200, toCardTransaction(changed.transaction), changed.changes)
}

/**
 * `messageId` is the network's identifier of the message: a repeated message changes nothing. `audit` holds the details of the
 * sandbox's audit record, and is absent for the network's own messages.
 */
export const decideMessage =
  (message: CardMessage, messageId: string, audit: AuditDetails | undefined) =>
  (
    loaded: CardTransactionLoaded & { readonly card: Stored<"Card"> },
    context: DecisionContext,
  ): Decision<CardTransactionResource> => {
    const decision = decide(message, messageId, loaded, context)
    if (decision._tag === "Refuse" || audit === undefined) return decision
    const record = auditRecord(context, "SANDBOX_CARD_MESSAGE", loaded.card, { details: audit })
    return { ...decision, changes: Changes.combine(decision.changes, record) }
  }

/** Outcome of a pull that the issuer knows. */
export type KnownCollectOutcome = Exclude<CollectOutcome, { readonly _tag: "Unknown" }>

const pullChanges = (
  index: number,
  outcome: KnownCollectOutcome,
  loaded: CardTransactionLoaded,
  context: DecisionContext,
): Changes.Changes => {
  const { transaction } = loaded
  const status = transaction.data.pulls[index]?.status
  // The operator resolves an exception by reporting Done for the failed pull.
  const isAwaited = status === "PENDING" || (status === "FAILED" && outcome._tag === "Done")
  if (!isAwaited) return {}
  if (outcome._tag === "Later") {
    return { jobs: [collectJob(context, transaction, index, laterDueAt(outcome.at, context.now))] }
  }
  const resolved = resolvePull(index, outcome._tag === "Done" ? "DONE" : "FAILED")
  return apply(scopeOf(loaded, context), transaction, resolved).changes
}

/** Stores the outcome of a pull. A late or repeated outcome changes nothing. `fence` finishes the job that asked. */
export const decidePull =
  (index: number, outcome: KnownCollectOutcome, fence: Changes.Changes = {}) =>
  (loaded: CardTransactionLoaded, context: DecisionContext): Decision<null> =>
    answer(200, null, Changes.combine(pullChanges(index, outcome, loaded, context), fence))

/** Expires an authorization that still waits for clearings. `fence` finishes the job. */
export const decideExpiry =
  (fence: Changes.Changes) =>
  (loaded: CardTransactionLoaded, context: DecisionContext): Decision<null> => {
    const { isExpired, status } = loaded.transaction.data
    const isWaiting = !isExpired && (status === "AUTHORIZED" || status === "PARTIALLY_SETTLED")
    const changes = isWaiting ? apply(scopeOf(loaded, context), loaded.transaction, expire).changes : {}
    return answer(200, null, Changes.combine(changes, fence))
  }
