/**
 * Decides what becomes of a deposit: when it arrives, when a rail or a person decides about a held one, and when it has gone back.
 * Source: wire contract areas 2.7, 2.8 and 2.13; D-398, D-399, D-415.
 */
import { endsByDeclaration } from "../../model/account/WalletDeclaration.ts"
import type { IncomingTransaction } from "../../model/transaction/Transaction.ts"
import {
  type IncomingTransactionResource,
  isIncoming,
  type StoredIncoming,
  toIncomingTransaction,
} from "../../model/transaction/TransactionResource.ts"
import type { DepositVerdict } from "../../ports/DepositScreening.ts"
import type { RailInstruction } from "../../ports/Rails.ts"
import type { Stored } from "../../store/ChangeSet.ts"
import * as Changes from "../../store/Changes.ts"
import { answer, type Decision, type DecisionContext, exceededExactRange, takenClaim } from "../Decision.ts"
import type { ReceivableBalance } from "../ledger/PostingChanges.ts"
import * as Deposits from "./DepositChanges.ts"
import { failUnappliedDeposit } from "./IncomingChanges.ts"
import type { DefiniteOutcome, OutcomeLoaded } from "./OutcomeLoaded.ts"
import { originatorAccountOf } from "./RailRequests.ts"

/** A deposit that is held. */
export const isHeldDeposit = (stored: Stored<"Transaction">): stored is StoredIncoming =>
  isIncoming(stored) && stored.data.deposit !== undefined && stored.data.status === "PENDING"

export interface ArrivalFacts {
  readonly account: Stored<"InternalAccount">
  /** Absent: the platform owns the account. */
  readonly customer: Stored<"Customer"> | undefined
  readonly owed: ReceivableBalance
  /** The account's available and held balance. */
  readonly total: number
  readonly verdict: DepositVerdict
}

/** Whether the account cannot count the amount exactly: in one of its balances, or in the total that it shows. */
export const isBeyondRange = (
  { total }: Pick<ArrivalFacts, "total">,
  amount: number,
  { rejections }: Pick<DecisionContext, "rejections">,
): boolean => exceededExactRange(rejections) || !Number.isSafeInteger(total + amount)

/** What a report tells about a deposit beside its money. */
export type DepositDetails = Pick<
  IncomingTransaction,
  "deposit" | "counterpartyInformation" | "sent" | "exchangeRate" | "fees" | "quoteId" | "description"
>

/** An account that is not active takes no money: it goes back. */
const verdictOf = ({ account, verdict }: ArrivalFacts): DepositVerdict =>
  account.data.status === "ACTIVE" ? verdict : { _tag: "Refuse", reason: "COLLECTION_FAILED" }

/** The transaction of a deposit, as far as its fate does not matter. */
const transactionOf = ({ account, customer }: ArrivalFacts, amount: number, details: DepositDetails) => {
  const name = details.deposit?.source.accountHolderName
  return {
    platformCustomerId: customer?.data.platformCustomerId ?? "",
    amount,
    currency: account.data.currency,
    ...(name === undefined ? {} : { counterpartyInformation: { FULL_NAME: name } }),
    ...details,
  }
}

/** Records a deposit. */
export const depositOf = (
  facts: ArrivalFacts,
  { ids, now }: Pick<DecisionContext, "ids" | "now">,
  id: string,
  amount: number,
  details: DepositDetails,
) =>
  Deposits.arrive(
    ids,
    now,
    { account: facts.account, receivable: facts.owed },
    { id, verdict: verdictOf(facts), details: transactionOf(facts, amount, details) },
  )

/** Records a reported deposit. A second report of it, by its own identifier, changes nothing. */
export const decideDeposit =
  (id: string, amount: number, details: DepositDetails) =>
  (facts: ArrivalFacts, context: DecisionContext): Decision<IncomingTransactionResource | null> => {
    const { account } = facts
    if (takenClaim(context.rejections) !== undefined) return answer(200, null)
    const { changes, transaction } = isBeyondRange(facts, amount, context)
      ? failUnappliedDeposit(context.ids, context.now, account, id, {
          ...transactionOf(facts, amount, details),
          destinationAccountId: account.id,
        })
      : depositOf(facts, context, id, amount, details)
    return answer(201, toIncomingTransaction(transaction), Changes.combine(changes, Changes.guard(account)))
  }

type Outcome = { readonly transaction: Stored<"Transaction">; readonly changes: Changes.Changes } | undefined
type Context = Pick<DecisionContext, "ids" | "now">

/** A deposit that waits for its sender's wallet to be declared or proven. */
export const waitsForDeclaration = (stored: Stored<"Transaction">): stored is StoredIncoming =>
  isHeldDeposit(stored) && endsByDeclaration(stored.data.pendingReason)

/** Decides the verdict of a second screening: the hold ends, or has another reason. `isFull`: the account cannot accept the amount. */
export const decideScreenedAgain = (
  { account, accountReceivable: receivable, transaction }: OutcomeLoaded,
  verdict: DepositVerdict,
  isFull: boolean,
  { ids, now }: Context,
): Changes.Changes | undefined => {
  if (!waitsForDeclaration(transaction) || account === undefined) return undefined
  if (verdict._tag === "Refuse") return Deposits.refuse(ids, now, transaction, verdict.reason).changes
  if (verdict._tag === "Hold") {
    return verdict.reason === transaction.data.pendingReason
      ? undefined
      : Deposits.holdFor(ids, now, transaction, verdict.reason, verdict.askAgainAt).changes
  }
  return isFull || account.data.status !== "ACTIVE"
    ? Deposits.refuse(ids, now, transaction, "COLLECTION_FAILED").changes
    : Deposits.release(ids, now, transaction, { account, receivable }).changes
}

/** Decides what a rail or a reviewer says about a held deposit. */
export const decideHeldDeposit = (
  { account, accountReceivable: receivable }: OutcomeLoaded,
  stored: StoredIncoming,
  outcome: DefiniteOutcome,
  isFull: boolean,
  { ids, now }: Context,
): Outcome => {
  if (account === undefined) throw new Error(`${stored.id} has no destination account`)
  switch (outcome._tag) {
    case "Done":
      return isFull || account.data.status !== "ACTIVE"
        ? Deposits.refuse(ids, now, stored, "COLLECTION_FAILED")
        : Deposits.release(ids, now, stored, { account, receivable })
    case "Refused":
    case "Cancelled":
      return Deposits.refuse(ids, now, stored, "COMPLIANCE_REJECTED")
    case "Returned":
      return Deposits.recall(ids, now, stored, account)
    case "Later":
      return {
        transaction: stored,
        changes: { jobs: [Deposits.askJob(ids, stored, Math.max(outcome.at, now + 1000))] },
      }
  }
}

/** Decides the rail's answer about giving a deposit back. */
export const decideDepositRefund = (
  { account, transaction }: OutcomeLoaded,
  outcome: DefiniteOutcome,
  _isFull: boolean,
  { ids, now }: Context,
): Outcome => {
  if (!isIncoming(transaction) || transaction.data.refund?.status !== "PENDING" || account === undefined)
    return undefined
  if (outcome._tag === "Later") {
    const jobs = [Deposits.depositRefundJob(ids, transaction, Math.max(outcome.at, now + 1000))]
    return { transaction, changes: { jobs } }
  }
  return outcome._tag === "Done"
    ? Deposits.completeRefund(ids, now, transaction, account)
    : Deposits.failRefund(ids, now, transaction)
}

/** The question about a held deposit; `undefined` when it is no longer held. */
export const depositInquiryOf = (stored: Stored<"Transaction">): RailInstruction | undefined => {
  if (!isHeldDeposit(stored)) return undefined
  const { amount } = stored.data
  const request = { reference: stored.id, amount, submittedAt: stored.createdAt, source: originatorAccountOf(stored) }
  return { _tag: "Pull", request }
}

/** The payment that gives a deposit back; `undefined` when nothing is to be given back, or it is not submitted. */
export const depositRefundOf = (stored: Stored<"Transaction">): RailInstruction | undefined => {
  if (!isIncoming(stored)) return undefined
  const { amount, deposit, refund } = stored.data
  if (refund?.status !== "PENDING" || refund.submittedAt === undefined) return undefined
  const rail = deposit?.source.paymentRail
  return {
    _tag: "Push",
    request: {
      reference: refund.reference,
      destination: originatorAccountOf(stored),
      amount,
      submittedAt: refund.submittedAt,
      ...(rail === undefined ? {} : { rail }),
    },
  }
}

/** Marks a refund as submitted before the rail is instructed. `isFirst`: no earlier attempt can have instructed it. */
export const submitDepositRefund = (
  transaction: Stored<"Transaction">,
  { now }: DecisionContext,
): Decision<{ readonly transaction: Stored<"Transaction">; readonly isFirst: boolean }> => {
  if (!isIncoming(transaction)) return answer(200, { transaction, isFirst: false })
  const { refund } = transaction.data
  if (refund?.status !== "PENDING" || refund.submittedAt !== undefined) {
    return answer(200, { transaction, isFirst: false })
  }
  const data = { ...transaction.data, refund: { ...refund, submittedAt: now } }
  return answer(
    200,
    { transaction: Changes.after(transaction, data, now), isFirst: true },
    Changes.update(transaction, data),
  )
}
