/**
 * Card transactions, decided: an authorization by the first funding source that covers it, what the network says of it later,
 * what becomes of its pulls, and its end.
 * Spec: Card (fundingSources); wire contract 3.5 and 7.5; D-172 to D-176.
 */
import type { Refusal } from "../../foundation/errors/ServiceError.ts"
import type { CurrencyCode } from "../../foundation/money/Currencies.ts"
import {
  type AuthorizationFacts,
  CardAuthorizationRules,
  covers,
  type DeclineReason,
  type Source,
} from "../../model/card/CardAuthorizationRules.ts"
import { type CardMessage, CardMessageRules } from "../../model/card/CardMessageRules.ts"
import type { CardMerchant } from "../../model/card/CardTransaction.ts"
import { type CardTransactionResource, toCardTransaction } from "../../model/card/CardTransactionResource.ts"
import type { CollectOutcome } from "../../ports/Issuer.ts"
import type { Stored } from "../../store/ChangeSet.ts"
import * as Changes from "../../store/Changes.ts"
import { answer, type Decision, type DecisionContext, exceededExactRange, refuse } from "../Decision.ts"
import * as Card from "./CardTransactionChanges.ts"

/** What the network asks of a card. */
export interface CardAuthorization {
  readonly cardId: string
  /** The issuer's name of the transaction: the same one again brings back the first answer. */
  readonly issuerTransactionToken: string
  readonly direction: "CREDIT" | "DEBIT"
  /** Smallest unit of the card's currency; 0: only a question. */
  readonly amount: number
  readonly currency: CurrencyCode
  readonly merchant: CardMerchant
  /** Authorized and cleared in one step. */
  readonly isFinancial: boolean
}

/** An approved authorization has a transaction; a declined one leaves nothing behind. */
export type Authorized =
  | { readonly _tag: "Approved"; readonly transaction: CardTransactionResource }
  | { readonly _tag: "Declined"; readonly reason: DeclineReason }

type Available = { readonly balance: number; readonly sequence: number }

/** A funding source as it was read. */
export interface SourceLoaded extends Pick<Source, "isDrawable"> {
  readonly account: Stored<"InternalAccount">
  readonly available: Available
  /** What its owner owes. */
  readonly owed: Available
  /** The delegated key by which it is drawn on, where it needs one. */
  readonly key?: Stored<"DelegatedKey">
}

export interface AuthorizationLoaded {
  readonly card: Stored<"Card">
  readonly cardholder: Stored<"Customer">
  readonly sources: ReadonlyArray<SourceLoaded>
  readonly screened: DeclineReason | undefined
  /** The transaction of this token, where there is one. */
  readonly known: Stored<"CardTransaction"> | undefined
}

const otherCurrency = (currency: CurrencyCode): Refusal => ({
  code: "INVALID_CURRENCY",
  message: `This card is authorized in ${currency}.`,
  details: { errors: [{ field: "currency", message: `must be ${currency}`, constraint: { enum: [currency] } }] },
})

const tooLarge: Refusal = {
  code: "AMOUNT_OUT_OF_RANGE",
  message: "The amount would take a balance beyond what can be kept exactly.",
}

const sourceOf = ({ account, available, isDrawable }: SourceLoaded): Source => ({
  account: account.data,
  available: available.balance,
  isDrawable,
})

export const decideAuthorization =
  (asked: CardAuthorization) =>
  (loaded: AuthorizationLoaded, context: DecisionContext): Decision<Authorized> => {
    const { card, cardholder, known, screened, sources } = loaded
    const { amount, cardId, currency, direction, isFinancial, issuerTransactionToken, merchant } = asked
    if (known !== undefined) return answer(200, { _tag: "Approved", transaction: toCardTransaction(known) })
    if (currency !== card.data.currency) return refuse(otherCurrency(card.data.currency))
    const facts: AuthorizationFacts = {
      card: card.data,
      cardholder: cardholder.data,
      now: context.now,
      direction,
      amount,
      sources: sources.map(sourceOf),
      screened,
    }
    const declined = CardAuthorizationRules.first(facts)
    if (declined !== undefined) return answer(200, { _tag: "Declined", reason: declined.refusal })
    const source = sources.find((each) => covers(sourceOf(each), facts))
    if (source === undefined) throw new Error("an approved authorization has a source")
    const { account, available, key, owed } = source
    const { ids, now } = context
    const place: Card.DecisionScope = {
      ids,
      now,
      account,
      // What is authorized here is no longer available to what follows in the same commit.
      available: direction === "DEBIT" ? { ...available, balance: available.balance - amount } : available,
      owed,
      isFull: exceededExactRange(context.rejections),
    }
    const moved = Card.authorize(
      place,
      card,
      {
        cardId,
        platformCustomerId: cardholder.data.platformCustomerId,
        issuerTransactionToken,
        direction,
        merchant,
        currency,
        accountId: account.id,
        authorized: amount,
        messageIds: [],
      },
      ...(isFinancial ? [Card.clear(amount)] : []),
    )
    return answer(
      200,
      { _tag: "Approved", transaction: toCardTransaction(moved.transaction) },
      Changes.combine(moved.changes, Changes.guard(card, cardholder, account, ...(key === undefined ? [] : [key]))),
    )
  }

/** A transaction with the account that it draws on. */
export interface CardTransactionLoaded {
  readonly transaction: Stored<"CardTransaction">
  readonly account: Stored<"InternalAccount">
  readonly available: Available
  /** What its owner owes. */
  readonly owed: Available
}

const placeOf = (
  { account, available, owed }: CardTransactionLoaded,
  { ids, now, rejections }: DecisionContext,
): Card.DecisionScope => ({
  ids,
  now,
  account,
  available,
  owed,
  isFull: exceededExactRange(rejections),
})

const stepOf = (message: CardMessage): Card.Transition => {
  switch (message._tag) {
    case "Advice":
      return Card.advise(message.amount)
    case "Clearing":
      return message.amount === 0 ? Card.expire : Card.clear(message.amount)
    case "Return":
      return Card.refund(message.amount)
    case "ReturnReversal":
      return Card.reverseRefund
  }
}

/** `messageId`: the network's name of the message; one that came before changes nothing. */
export const decideMessage =
  (message: CardMessage, messageId: string) =>
  (loaded: CardTransactionLoaded, context: DecisionContext): Decision<CardTransactionResource> => {
    const { transaction } = loaded
    const { data } = transaction
    if (data.messageIds.includes(messageId)) return answer(200, toCardTransaction(transaction))
    const refused = CardMessageRules.first({ transaction: data, message })
    if (refused !== undefined) return refuse(refused.refusal)
    const isOutgoing = message._tag === "Clearing" && data.direction === "DEBIT"
    if (exceededExactRange(context.rejections) && (isOutgoing || message._tag === "Advice")) return refuse(tooLarge)
    const noted: Card.Transition = (_place, stored) => ({
      data: { ...stored.data, messageIds: [...stored.data.messageIds, messageId] },
    })
    const moved = Card.apply(placeOf(loaded, context), transaction, noted, stepOf(message))
    return answer(200, toCardTransaction(moved.transaction), moved.changes)
  }

/** An issuer that says "later" is not asked again within this time. */
const laterMillisMin = 1000

/** What the issuer says of a pull; `{}`: it comes too late or twice. */
export const decidePull = (
  loaded: CardTransactionLoaded,
  at: number,
  outcome: Exclude<CollectOutcome, { readonly _tag: "Unknown" }>,
  context: DecisionContext,
): Changes.Changes => {
  const { transaction } = loaded
  const status = transaction.data.pulls[at]?.status
  const place = placeOf(loaded, context)
  // Who acts on an exception says Done of a pull that had failed.
  const isAwaited = status === "PENDING" || (status === "FAILED" && outcome._tag === "Done")
  if (!isAwaited) return {}
  if (outcome._tag === "Later") {
    const dueAt = Math.max(outcome.at, context.now + laterMillisMin)
    return { jobs: [Card.collectJob(context, transaction, at, dueAt)] }
  }
  return Card.apply(place, transaction, Card.pulled(at, outcome._tag === "Done" ? "DONE" : "FAILED")).changes
}

/** The time of an authorization is over. */
export const decideExpiry = (loaded: CardTransactionLoaded, context: DecisionContext): Changes.Changes => {
  const { isExpired, status } = loaded.transaction.data
  const isWaiting = !isExpired && (status === "AUTHORIZED" || status === "PARTIALLY_SETTLED")
  return isWaiting ? Card.apply(placeOf(loaded, context), loaded.transaction, Card.expire).changes : {}
}
