/**
 * The execution of a quote, decided: refused, begun at the quote's stored amounts, or challenged. The platform's endpoint and an
 * agent's action go through here alike.
 * Spec: 4.5 (quote execution); wire contract 5.5; D-122.
 */
import type { Refusal } from "../../foundation/errors/ServiceError.ts"
import { QuoteExecutionRules } from "../../model/quote/QuoteExecutionRules.ts"
import { type QuoteResource, toQuote } from "../../model/quote/QuoteResource.ts"
import type { StoredOutgoing } from "../../model/transaction/TransactionResource.ts"
import { shortOfFunds } from "../../model/transaction/TransferRules.ts"
import { asOf } from "../../store/AsOf.ts"
import type { Stored } from "../../store/ChangeSet.ts"
import * as Changes from "../../store/Changes.ts"
import { answer, type Decision, type DecisionContext, refuse } from "../Decision.ts"
import type { ReceivableBalance } from "../ledger/PostingChanges.ts"
import type { DecisionScope } from "../transaction/DecisionScope.ts"
import { type QuoteTransition, startChallenge, startExecution } from "../transaction/QuotePaymentChanges.ts"
import type { Initiator } from "../transaction/TransferDecision.ts"
import { decidePayload, type SignatureFacts, signingSession } from "../wallet/SignedDecision.ts"
import { type Challenging, challengeOf, unable } from "./QuoteChallengeDecision.ts"

/** A quote with all that its execution rests on. */
export interface QuoteParts {
  readonly quote: Stored<"Quote">
  readonly transaction: StoredOutgoing
  /** The internal account that pays, or takes what comes back. */
  readonly account: Stored<"InternalAccount"> | undefined
  /** What it has to spend. */
  readonly available: number
  /** What its owner owes in its currency. */
  readonly owed: ReceivableBalance
  /** The external account that is pulled. */
  readonly pulled: Stored<"ExternalAccount"> | undefined
  readonly receiver: Stored<"InternalAccount"> | undefined
  readonly destination: Stored<"ExternalAccount"> | undefined
  readonly customer: Stored<"Customer"> | undefined
}

type Context = Pick<DecisionContext, "ids" | "now">

export const placeOf = ({ account, owed, quote, receiver }: QuoteParts, { ids, now }: Context): DecisionScope => ({
  ids,
  now,
  source: account,
  sourceReceivable: owed,
  destination: receiver,
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
export const guardsFor = ({
  account,
  customer,
  destination,
  pulled,
  quote,
  receiver,
}: QuoteParts): Changes.Changes => ({
  ...Changes.guard(...[account, pulled, receiver, destination, customer].filter((record) => record !== undefined)),
  validUntil: quote.data.expiresAt,
})

/** Who executes, where that is not the platform alone. */
export interface ExecutedBy {
  /** The agent and its action. */
  readonly by?: Initiator
  /** The session whose key signed a payment out of a wallet. */
  readonly sessionId?: string | undefined
}

/** The execution begins; or the customer is asked to prove itself first. */
export const begin = (
  { challenging, parts }: ExecutionLoaded,
  context: Context,
  { by = {}, sessionId }: ExecutedBy = {},
): QuoteTransition => {
  const { now } = context
  const { quote, transaction } = parts
  const quoteData = {
    ...quote.data,
    ...(sessionId === undefined ? {} : { signed: { sessionId, at: now } }),
    ...(challenging === undefined ? {} : { challenge: challengeOf(challenging, now, quote.data.expiresAt) }),
  }
  const place = { ...placeOf(parts, context), updatedQuote: quoteData }
  const started = { ...transaction, data: { ...transaction.data, ...by } }
  const moved = challenging === undefined ? startExecution(place, started) : startChallenge(place, started)
  return { ...moved, changes: Changes.combine(moved.changes, guardsFor(parts)) }
}

/** What was found out before a quote is executed. */
export interface ExecutionLoaded {
  readonly parts: QuoteParts
  /** What strong authentication needs; absent: the customer is not under it. */
  readonly challenging: Challenging | undefined
  /** What signs it, where it is paid out of a wallet. */
  readonly signature: SignatureFacts | undefined
}

/** Decides the platform's call. */
export const executeQuote = (loaded: ExecutionLoaded, context: DecisionContext): Decision<QuoteResource> => {
  const { challenging, parts, signature } = loaded
  const { now } = context
  const execute = (session?: Stored<"Session">): Decision<QuoteResource> => {
    const refusal = unexecutable(parts, now) ?? (challenging && unable(challenging, now))
    if (refusal !== undefined) return refuse(refusal)
    if (isShortOfFunds(parts)) return refuse(shortOfFunds)
    const moved = begin(loaded, context, { sessionId: session?.id })
    return answer(200, toQuote(moved.quote), moved.changes)
  }
  const action = { operation: "POST /quotes/{quoteId}/execute", target: parts.quote }
  return signature === undefined
    ? execute()
    : decidePayload(signature, context, action, execute(signingSession(signature, now)))
}
