/**
 * Decides the execution of a quote: refused, started at the quote's stored amounts, or challenged. The platform's endpoint and an
 * agent's action use the same functions.
 * Spec: 4.5 (quote execution); wire contract 5.5; D-122.
 */
import type { Refusal } from "../../foundation/errors/ServiceError.ts"
import { QuoteExecutionRules } from "../../model/quote/QuoteExecutionRules.ts"
import { type QuoteResource, toQuote } from "../../model/quote/QuoteResource.ts"
import type { ScaLoaded } from "../../model/sca/ScaFactorRules.ts"
import type { StoredOutgoing } from "../../model/transaction/TransactionResource.ts"
import { shortOfFunds } from "../../model/transaction/TransferRules.ts"
import { asOf } from "../../store/AsOf.ts"
import type { Stored } from "../../store/ChangeSet.ts"
import * as Changes from "../../store/Changes.ts"
import { answer, type Decision, type DecisionContext, refuse } from "../Decision.ts"
import type { ReceivableBalance } from "../ledger/PostingChanges.ts"
import { sendOfChallenge } from "../sca/ScaProfileChanges.ts"
import type { DecisionScope } from "../transaction/DecisionScope.ts"
import { type QuoteTransition, startChallenge, startExecution } from "../transaction/QuotePaymentChanges.ts"
import type { Initiator } from "../transaction/TransferDecision.ts"
import { decidePayload, type SignatureFacts, signingSession } from "../wallet/SignedDecision.ts"
import {
  authenticationRefusal,
  guardSession,
  newChallenge,
  type RequiredAuthentication,
} from "./QuoteChallengeDecision.ts"

/** A quote with its transaction, its accounts and its customer. */
export interface QuoteRecords {
  readonly quote: Stored<"Quote">
  readonly transaction: StoredOutgoing
  /** The internal account that pays, or takes a refund. */
  readonly account: Stored<"InternalAccount"> | undefined
  /** The available balance of `account`. */
  readonly available: number
  /** The debt of the account's owner in its currency. */
  readonly owed: ReceivableBalance
  /** The external account that is pulled. */
  readonly pulled: Stored<"ExternalAccount"> | undefined
  /** The internal account that receives. */
  readonly receiver: Stored<"InternalAccount"> | undefined
  /** The external account that receives. */
  readonly destination: Stored<"ExternalAccount"> | undefined
  readonly customer: Stored<"Customer"> | undefined
}

/** The records that an execution is decided on. */
export interface ExecutionRecords {
  readonly records: QuoteRecords
  /** The customer's strong authentication. Absent: the customer is not under it. */
  readonly sca: ScaLoaded | undefined
}

/** The facts that ports answered for an execution. */
export interface ExecutionFacts extends RequiredAuthentication {
  /** The signature of a payment out of a wallet. Absent: none is needed, or the action is only evaluated. */
  readonly signature: SignatureFacts | undefined
}

export type ExecutionLoaded = Pick<ExecutionRecords, "records"> & ExecutionFacts

type Context = Pick<DecisionContext, "ids" | "now" | "volumeLimits">

/** Returns the records and the context that a transition of the quote's transaction needs. */
export const decisionScope = (
  { account, owed, quote, receiver }: QuoteRecords,
  { ids, now, volumeLimits }: Context,
): DecisionScope => ({
  ids,
  now,
  volumeLimits,
  source: account,
  sourceReceivable: owed,
  destination: receiver,
  quote,
})

/** Returns why the quote cannot be executed now, or `undefined`. It does not check the available balance. */
export const executionRefusal = (records: QuoteRecords, now: number): Refusal | undefined => {
  const { account, customer, destination, pulled, quote, receiver } = records
  return QuoteExecutionRules.first({
    quote: asOf(quote, now).data,
    customer: customer?.data,
    source: quote.data.funding === "ACCOUNT" ? account?.data : pulled?.data,
    destination: (receiver ?? destination)?.data,
  })?.refusal
}

/** Whether the paying account has less than the quote's sending amount. */
export const isShortOfFunds = ({ available, quote: { data } }: QuoteRecords): boolean =>
  data.funding === "ACCOUNT" && available < data.totalSendingAmount

/** Guards the quote's accounts and its customer until the commit, which must come before the quote expires. */
export const guardsFor = ({
  account,
  customer,
  destination,
  pulled,
  quote,
  receiver,
}: QuoteRecords): Changes.Changes => ({
  ...Changes.guard(...[account, pulled, receiver, destination, customer].filter((record) => record !== undefined)),
  validUntil: quote.data.expiresAt,
})

interface ExecutionOptions {
  /** The agent and its action. Absent: the platform executes. */
  readonly by?: Initiator
  /** The session whose key signed a payment out of a wallet. */
  readonly sessionId?: string | undefined
}

/** Starts the execution, or the challenge that it requires. */
export const beginExecution = (
  loaded: ExecutionLoaded,
  context: Context,
  { by = {}, sessionId }: ExecutionOptions = {},
): QuoteTransition => {
  const { now } = context
  const { records, requiredChallenge } = loaded
  const { quote, transaction } = records
  const updatedQuote = {
    ...quote.data,
    ...(sessionId === undefined ? {} : { signed: { sessionId, at: now } }),
    ...(requiredChallenge === undefined
      ? {}
      : { challenge: newChallenge(requiredChallenge, now, quote.data.expiresAt) }),
  }
  const scope = { ...decisionScope(records, context), updatedQuote }
  const started = { ...transaction, data: { ...transaction.data, ...by } }
  const transition = requiredChallenge === undefined ? startExecution(scope, started) : startChallenge(scope, started)
  const sent = requiredChallenge && sendOfChallenge(requiredChallenge.sca, requiredChallenge.factor)
  return { ...transition, changes: Changes.combine(transition.changes, guardsFor(records), guardSession(loaded), sent) }
}

/** Decides a platform's request to execute a quote. */
export const executeQuote = (loaded: ExecutionLoaded, context: DecisionContext): Decision<QuoteResource> => {
  const { records, signature } = loaded
  const { now } = context
  const execute = (session?: Stored<"Session">): Decision<QuoteResource> => {
    const refusal = executionRefusal(records, now) ?? authenticationRefusal(loaded, now)
    if (refusal !== undefined) return refuse(refusal)
    if (isShortOfFunds(records)) return refuse(shortOfFunds)
    const { changes, quote } = beginExecution(loaded, context, { sessionId: session?.id })
    return answer(200, toQuote(quote), changes)
  }
  const action = { operation: "POST /quotes/{quoteId}/execute", target: records.quote }
  return signature === undefined
    ? execute()
    : decidePayload(signature, context, action, execute(signingSession(signature, now)))
}
