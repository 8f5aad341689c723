/**
 * Decides what becomes of unapplied money: it is credited to an account, or it was returned to its sender.
 * Source: D-033, D-355, D-416.
 */
import { invalidInput, type Refusal } from "../../foundation/errors/ServiceError.ts"
import { iso } from "../../foundation/kit/Instant.ts"
import { currencyAmount } from "../../foundation/money/Amount.ts"
import type { UnappliedMoneyResource, UnappliedResolution } from "../../model/account/UnappliedMoney.ts"
import type { Owner } from "../../model/record/Record.ts"
import {
  isIncoming,
  isOutgoing,
  payingOwnerOf,
  type StoredIncoming,
} from "../../model/transaction/TransactionResource.ts"
import type { Stored } from "../../store/ChangeSet.ts"
import * as Changes from "../../store/Changes.ts"
import * as Ledger from "../../store/LedgerAccounts.ts"
import { auditRecord } from "../audit/Audit.ts"
import { answer, type Decision, type DecisionContext, exceededExactRange, refuse } from "../Decision.ts"
import * as Postings from "../ledger/PostingChanges.ts"

/** A transaction that may have unapplied money. */
export type Unapplied = Stored<"Transaction"> | Stored<"CardTransaction">

export interface UnappliedLoaded {
  readonly transaction: Unapplied
  /** The unapplied money of the transaction. */
  readonly money: { readonly balance: number; readonly sequence: number }
  /** The account for which the money was meant, if it exists. */
  readonly holder: Stored<"InternalAccount"> | undefined
  /** The account to credit, if it exists. */
  readonly account: Stored<"InternalAccount"> | undefined
  /** The account owner's debt in its currency. */
  readonly receivable: Postings.ReceivableBalance
}

/** The internal account for which the money was meant; `undefined`: its sender has none. */
export const intendedAccountOf = (transaction: Unapplied): string | undefined => {
  if (transaction.kind === "CardTransaction") return transaction.data.accountId
  if (!isOutgoing(transaction)) return transaction.data.destinationAccountId
  const { exchange, sourceAccountId } = transaction.data
  return exchange === undefined || exchange.funding === "ACCOUNT" ? sourceAccountId : exchange.refundAccountId
}

/** Whose money it is: that of the payer of an outgoing transaction, otherwise of the transaction's owner. */
const ownerOf = (transaction: Unapplied): Owner =>
  transaction.kind === "Transaction" ? payingOwnerOf(transaction) : transaction

/** The ledger account of a transaction's unapplied money. */
export const unappliedAccountOf = (transaction: Unapplied): string =>
  Ledger.unapplied(transaction.id, ownerOf(transaction), transaction.data.currency).to.id

/** Whether the money is a deposit's that could not be given back: it is in the held balance of its account. */
export const hasHeldMoney = (transaction: Unapplied): transaction is StoredIncoming =>
  transaction.kind === "Transaction" &&
  isIncoming(transaction) &&
  transaction.data.isUnapplied === true &&
  transaction.data.refund?.status === "FAILED"

/** The amount that waits for an operator; `money`: the unapplied money of the transaction. */
export const amountOf = (transaction: Unapplied, money: { readonly balance: number }): number =>
  hasHeldMoney(transaction) ? transaction.data.amount : money.balance

export const toUnappliedMoney = (transaction: Unapplied, amount: number): UnappliedMoneyResource => {
  const { createdAt, data, id } = transaction
  const { customerId } = ownerOf(transaction)
  const accountId = data.unappliedResolution?.accountId ?? intendedAccountOf(transaction)
  return {
    transactionId: id,
    ...(customerId === null ? {} : { customerId }),
    ...(accountId === undefined ? {} : { accountId }),
    amount: currencyAmount(amount, data.currency),
    status: data.unappliedResolution?.status ?? "OPEN",
    createdAt: iso(createdAt),
    ...(data.unappliedResolution === undefined ? {} : { resolvedAt: iso(data.unappliedResolution.at) }),
  }
}

const conflict = (reason: string, message: string): Refusal => ({ code: "CONFLICT", message, details: { reason } })

const refusalOf = (transaction: Unapplied): Refusal | undefined => {
  if (transaction.data.isUnapplied !== true) return conflict("NOT_UNAPPLIED", "The transaction has no unapplied money.")
  const isRefundPending =
    transaction.kind === "Transaction" && isOutgoing(transaction) && transaction.data.refund?.status === "PENDING"
  return isRefundPending ? conflict("REFUND_PENDING", "The rail is being asked for the refund again.") : undefined
}

const resolved = (transaction: Unapplied, unappliedResolution: UnappliedResolution): Changes.Changes => {
  if (transaction.kind === "CardTransaction") {
    const { isUnapplied: _isUnapplied, ...data } = transaction.data
    return Changes.update(transaction, { ...data, unappliedResolution })
  }
  const { isUnapplied: _isUnapplied, ...data } = transaction.data
  return Changes.update(transaction, { ...data, unappliedResolution })
}

const resolve = (
  { money, transaction }: UnappliedLoaded,
  resolution: UnappliedResolution,
  context: DecisionContext,
  posting: Changes.Changes,
): Decision<UnappliedMoneyResource> => {
  const operation = resolution.status === "APPLIED" ? "UNAPPLIED_APPLY" : "UNAPPLIED_RETURN"
  const { accountId, reference } = resolution
  const amount = amountOf(transaction, money)
  const isHeld = hasHeldMoney(transaction)
  const details = {
    amount,
    currency: transaction.data.currency,
    ...(accountId === undefined ? {} : { accountId }),
    ...(reference === undefined ? {} : { reference }),
  }
  const changes = resolved(transaction, resolution)
  const after = { ...transaction, data: { ...transaction.data, unappliedResolution: resolution } } as Unapplied
  return answer(
    200,
    toUnappliedMoney(after, amount),
    Changes.combine(changes, posting, auditRecord(context, operation, transaction, { details }), {
      // The whole amount is moved: money that arrives meanwhile is decided on anew. Held money is one deposit's and never grows.
      assertions: isHeld ? [] : [{ account: unappliedAccountOf(transaction), sequence: money.sequence }],
    }),
  )
}

/** Credits the money to an account of the same owner in the same currency. */
export const applyUnapplied = (loaded: UnappliedLoaded, context: DecisionContext): Decision<UnappliedMoneyResource> => {
  const { account, holder, money, receivable, transaction } = loaded
  const refusal = refusalOf(transaction)
  if (refusal !== undefined) return refuse(refusal)
  const fits =
    account?.customerId === ownerOf(transaction).customerId &&
    account.data.currency === transaction.data.currency &&
    account.data.status === "ACTIVE"
  if (account === undefined || !fits) {
    const message = "must be an active account of the same owner in the currency of the money"
    return refuse(invalidInput([{ field: "accountId", message }]))
  }
  if (exceededExactRange(context.rejections)) {
    const message = "The account cannot hold the money: its balance would exceed the range of exact integers."
    return refuse({ code: "AMOUNT_OUT_OF_RANGE", message })
  }
  const movement = { account, amount: amountOf(transaction, money), reference: transaction.id }
  const { ids, now } = context
  return resolve(
    loaded,
    { status: "APPLIED", at: context.now, accountId: account.id },
    context,
    Changes.combine(
      hasHeldMoney(transaction)
        ? Postings.creditFromHeld(movement, receivable, holder)
        : Postings.applyUnapplied(movement, receivable),
      Postings.balanceEvent(ids, now, account),
      holder !== undefined && holder.id !== account.id && hasHeldMoney(transaction)
        ? Postings.balanceEvent(ids, now, holder)
        : undefined,
      Changes.guard(account),
    ),
  )
}

/** Records that the money was returned to its sender by a payment outside the service. */
export const returnUnapplied =
  (reference: string) =>
  (loaded: UnappliedLoaded, context: DecisionContext): Decision<UnappliedMoneyResource> => {
    const { holder, money, transaction } = loaded
    const refusal = refusalOf(transaction)
    if (refusal !== undefined) return refuse(refusal)
    const { currency } = transaction.data
    const amount = amountOf(transaction, money)
    const posting =
      hasHeldMoney(transaction) && holder !== undefined
        ? Changes.combine(
            Postings.capture({ account: holder, amount, reference: transaction.id }),
            Postings.balanceEvent(context.ids, context.now, holder),
          )
        : Postings.returnUnapplied({ amount, owner: ownerOf(transaction), currency, reference: transaction.id })
    return resolve(loaded, { status: "RETURNED", at: context.now, reference }, context, posting)
  }
