/**
 * The execution of a quote, decided: refused, begun at the quote's stored amounts, or challenged. The platform's endpoint and an
 * agent's action go through here alike.
 * Spec: 4.5 (quote execution); wire contract 5.5; D-122.
 */
import type { Refusal } from "../errors/ServiceError.ts"
import { asOf } from "../operation/AsOf.ts"
import * as Changes from "../operation/Changes.ts"
import { answer, type Decision, type DecisionContext, refuse } from "../operation/Operation.ts"
import type { Stored } from "../ports/ChangeSet.ts"
import type { Place } from "../transaction/OutgoingStepChanges.ts"
import type { Owed } from "../transaction/PostingChanges.ts"
import { challenged, executed, type QuoteMoved } from "../transaction/QuotedChanges.ts"
import type { StoredOutgoing } from "../transaction/TransactionResource.ts"
import type { StartedBy } from "../transaction/TransferInDecision.ts"
import { shortOfFunds } from "../transaction/TransferRules.ts"
import { type Challenging, challengeOf, unable } from "./QuoteChallengeDecision.ts"
import { QuoteExecutionRules } from "./QuoteExecutionRules.ts"
import { type QuoteResource, toQuote } from "./QuoteResource.ts"

/** A quote with all that its execution rests on. */
export interface QuoteParts {
  readonly quote: Stored<"Quote">
  readonly transaction: StoredOutgoing
  /** The internal account that pays, or takes what comes back. */
  readonly account: Stored<"InternalAccount"> | undefined
  /** What it has to spend. */
  readonly available: number
  /** What its owner owes in its currency. */
  readonly owed: Owed
  /** The external account that is pulled. */
  readonly pulled: Stored<"ExternalAccount"> | undefined
  readonly receiver: Stored<"InternalAccount"> | undefined
  readonly destination: Stored<"ExternalAccount"> | undefined
  readonly customer: Stored<"Customer"> | undefined
}

type Context = Pick<DecisionContext, "ids" | "now">

export const placeOf = ({ account, owed, quote, receiver }: QuoteParts, { ids, now }: Context): Place => ({
  ids,
  now,
  source: account,
  owed,
  receiver,
  quote,
})

/** Why the quote cannot be executed now, or `undefined`; whether the money is there is another question. */
export const unexecutable = (parts: QuoteParts, now: number): Refusal | undefined => {
  const { account, customer, destination, pulled, quote, receiver } = parts
  return QuoteExecutionRules.first({
    quote: asOf(quote, now).data,
    customer: customer?.data,
    source: quote.data.funding === "ACCOUNT" ? account?.data : pulled?.data,
    destination: (receiver ?? destination)?.data,
  })?.refusal
}

/** Whether the account that pays has less than the quote takes. */
export const isShortOfFunds = ({ available, quote: { data } }: QuoteParts): boolean =>
  data.funding === "ACCOUNT" && available < data.totalSendingAmount

/** Whoever decides on a quote rests on its accounts and its customer, and on its end not having come. */
export const rests = ({ account, customer, destination, pulled, quote, receiver }: QuoteParts): Changes.Changes => ({
  ...Changes.guard(...[account, pulled, receiver, destination, customer].filter((record) => record !== undefined)),
  validUntil: quote.data.expiresAt,
})

/** The execution begins. `by`: the agent and its action, where it is not the platform. */
export const begin = (parts: QuoteParts, context: Context, by: StartedBy = {}): QuoteMoved => {
  const { transaction } = parts
  const moved = executed(placeOf(parts, context), { ...transaction, data: { ...transaction.data, ...by } })
  return { ...moved, changes: Changes.combine(moved.changes, rests(parts)) }
}

/** The customer is asked to prove itself first. */
export const challenge = (parts: QuoteParts, challenging: Challenging, context: Context): QuoteMoved => {
  const { data } = parts.quote
  const quoteData = { ...data, challenge: challengeOf(challenging, context.now, data.expiresAt) }
  const moved = challenged({ ...placeOf(parts, context), quoteData }, parts.transaction)
  return { ...moved, changes: Changes.combine(moved.changes, rests(parts)) }
}

/** Decides the platform's call. */
export const executeQuote = (
  { challenging, parts }: { readonly parts: QuoteParts; readonly challenging: Challenging | undefined },
  context: DecisionContext,
): Decision<QuoteResource> => {
  const { now } = context
  const refusal = unexecutable(parts, now) ?? (challenging && unable(challenging, now))
  if (refusal !== undefined) return refuse(refusal)
  if (isShortOfFunds(parts)) return refuse(shortOfFunds)
  const moved = challenging === undefined ? begin(parts, context) : challenge(parts, challenging, context)
  return answer(200, toQuote(moved.quote), moved.changes)
}
