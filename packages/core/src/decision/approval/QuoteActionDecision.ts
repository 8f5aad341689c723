/**
 * An agent's execution of a quote as an action: whether and how it moves its money, and whose signature it needs. It is the platform's
 * own execution, begun by the agent.
 * Spec: AgentAction, Quote; wire contract 1.4, 1.6, 5.5 and 11 (8, 13); D-241, D-242.
 */
import { notFound } from "../../foundation/errors/ServiceError.ts"
import type { WalletSignature } from "../../model/agent/AgentAction.ts"
import type { AgentActionResource } from "../../model/agent/AgentActionResource.ts"
import { shortOfFunds } from "../../model/transaction/TransferRules.ts"
import type { Stored } from "../../store/ChangeSet.ts"
import { type Explanation, explanationOf } from "../agent/AgentPolicyEvaluation.ts"
import type { Decision, DecisionContext } from "../Decision.ts"
import { unable } from "../quote/QuoteChallengeDecision.ts"
import { begin, type ExecutionLoaded, isShortOfFunds, unexecutable } from "../quote/QuoteExecutionDecision.ts"
import { decidePayload, type SignatureFacts, signingSession } from "../wallet/SignedDecision.ts"
import { type ActionLoaded, isPossible, submit } from "./ActionDecision.ts"

/** A quote that an agent wants executed. */
export interface QuoteAction {
  readonly type: "EXECUTE_QUOTE"
  readonly quoteId: string
}

type Part = Pick<ActionLoaded, "type" | "action" | "accounts">

/** What is missing: money, or a customer that can prove itself. */
const shortage = ({ challenging, parts }: ExecutionLoaded, now: number): Explanation | undefined => {
  const cannot = challenging && unable(challenging, now)
  if (cannot !== undefined) return explanationOf({ rule: "STRONG_AUTHENTICATION", refusal: cannot })
  if (!isShortOfFunds(parts)) return undefined
  const { sendingCurrency: currency, totalSendingAmount: amount } = parts.quote.data
  const { available } = parts
  return { ...explanationOf({ rule: "FUNDS", refusal: shortOfFunds }), currency, amount, available }
}

/** The action that an execution is; of `undefined` the agent has created no such quote. */
export const quoteAction = (loaded: ExecutionLoaded | undefined): Part => {
  const type = "EXECUTE_QUOTE"
  if (loaded === undefined) return { type, accounts: [], action: notFound("quote", "QUOTE_NOT_FOUND") }
  const { parts } = loaded
  const { account, destination, pulled, quote, receiver } = parts
  const { expiresAt, funding, sendingCurrency, totalSendingAmount } = quote.data
  const paying = funding === "ACCOUNT" ? account : undefined
  return {
    type,
    accounts: [account, pulled, receiver, destination].filter((record) => record !== undefined),
    action: {
      accounts: [paying, receiver].flatMap((touched) =>
        touched === undefined ? [] : [{ id: touched.id, currency: touched.data.currency }],
      ),
      amount: totalSendingAmount,
      currency: sendingCurrency,
      kept: { quoteId: quote.id },
      quote,
      endsAt: expiresAt,
      blocked: (now) => unexecutable(parts, now),
      shortage: (now) => shortage(loaded, now),
      begin: (context, by, sessionId) => begin(loaded, context, { by, sessionId }),
    },
  }
}

export interface QuoteActionLoaded extends ActionLoaded {
  /** What signs it, where it is paid out of a wallet. */
  readonly signature: SignatureFacts | undefined
}

const signedBy = (loaded: ActionLoaded, walletSignature: WalletSignature): ActionLoaded =>
  isPossible(loaded.action)
    ? { ...loaded, action: { ...loaded.action, kept: { ...loaded.action.kept, walletSignature } } }
    : loaded

/** The agent executes. A payment out of a wallet needs its owner's signature, which a held action keeps until its approval. */
export const submitQuote =
  (stamp: string | undefined) =>
  (loaded: QuoteActionLoaded, context: DecisionContext): Decision<AgentActionResource> => {
    const decide = (session?: Stored<"Session">) =>
      submit(200)(
        session === undefined || stamp === undefined ? loaded : signedBy(loaded, { sessionId: session.id, stamp }),
        context,
      )
    const { action, agent, signature } = loaded
    if (signature === undefined) return decide()
    const target = (isPossible(action) ? action.quote : undefined) ?? agent
    const signedAction = { operation: "POST /agents/me/quotes/{quoteId}/execute", target }
    return decidePayload(signature, context, signedAction, decide(signingSession(signature, context.now)))
  }
