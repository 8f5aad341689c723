/**
 * Decides a quote that an agent requests: refused by the agent's policy or by the rules of quotes, or created; and executed at once
 * if the policy needs no approval.
 * Spec: AgentAction; wire contract 1.4 (creating a quote) and 1.6 (`immediatelyExecute`); D-243, D-244.
 */
import { statusOf } from "../../foundation/errors/ErrorCodes.ts"
import type { Refusal } from "../../foundation/errors/ServiceError.ts"
import type { CurrencyCode } from "../../foundation/money/Currencies.ts"
import type { Rate } from "../../foundation/money/Rate.ts"
import { AgentActionMachine } from "../../model/agent/AgentActionMachine.ts"
import {
  AccessRules,
  accountNotAllowed,
  amountIn,
  customerNotAllowed,
  type SpendingFacts,
} from "../../model/agent/PolicyRules.ts"
import { type CoveredAction, coveringRow } from "../../model/approval/ApprovalRowRules.ts"
import type { QuoteRequest, QuoteResource } from "../../model/quote/QuoteResource.ts"
import type { Lifetimes } from "../../model/quote/QuoteTermRules.ts"
import * as Changes from "../../store/Changes.ts"
import { chargesOf, evaluateSubmission, type RuleRefusal, withRule } from "../agent/AgentPolicyEvaluation.ts"
import { auditRecord } from "../audit/Audit.ts"
import { type Decision, type DecisionContext, refuse } from "../Decision.ts"
import { answerQuote, decideQuote } from "../quote/QuoteCreationDecision.ts"
import {
  isInternal,
  type QuoteCreationFacts,
  type QuoteCreationLoaded,
  type QuoteCreationRecords,
} from "../quote/QuoteCreationLoaded.ts"
import type { QuoteTransition } from "../transaction/QuotePaymentChanges.ts"
import { destinationFacts } from "./ActionDestination.ts"
import { type ActionFacts, type AgentRecords, guardAgentAnd, type TouchedMoney } from "./ActionLoaded.ts"
import { newAction } from "./ActionRecord.ts"

/** The records that an agent's request for a quote is decided on. */
export interface AgentQuoteRecords extends AgentRecords {
  readonly quoteRecords: QuoteCreationRecords
}

/** The facts that ports answered for an agent's request for a quote. */
export interface AgentQuoteFacts {
  readonly quoteFacts: QuoteCreationFacts
  /** The rates by which the amount is compared with the limits; empty unless the quote is executed at once. */
  readonly rates: ReadonlyMap<CurrencyCode, Rate>
  readonly approvals: ActionFacts["approvals"]
}

export type AgentQuoteLoaded = AgentQuoteRecords & AgentQuoteFacts

/** Returns the internal accounts that a quote would move money between. */
export const touchedAccountsOf = (
  sourceAccount: QuoteCreationRecords["sourceAccount"],
  destinationAccount: QuoteCreationFacts["destinationAccount"],
): TouchedMoney["accounts"] =>
  [sourceAccount, destinationAccount].flatMap((account) =>
    isInternal(account) ? [{ id: account.id, currency: account.data.currency }] : [],
  )

/** Returns the refusal of a request that no policy allows, or `undefined`. */
const requestRefusal = (
  { platformFeeOverride, source }: QuoteRequest,
  { customer }: AgentQuoteLoaded,
): Refusal | undefined => {
  if (source.customerId !== undefined && source.customerId !== customer.id) return customerNotAllowed
  return platformFeeOverride === undefined
    ? undefined
    : {
        code: "FORBIDDEN",
        message: "An agent does not set the platform's fee.",
        details: { reason: "FEE_NOT_ALLOWED" },
      }
}

const accessRefusal = ({ agent }: AgentQuoteLoaded, isExecuted: boolean): RuleRefusal | undefined =>
  AccessRules.first({ agent: agent.data, permission: "CREATE_QUOTES" }) ??
  (isExecuted ? AccessRules.first({ agent: agent.data, permission: "EXECUTE_QUOTES" }) : undefined)

/**
 * Executes the quote at once, as an action of the agent that is charged to its budget. If the policy needs an approval, the request
 * is refused.
 */
const executeAtOnce = (
  loaded: AgentQuoteLoaded,
  quote: QuoteCreationLoaded,
  transition: QuoteTransition,
  actionId: string,
  context: DecisionContext,
): Decision<QuoteResource> => {
  const { agent, dayEndsAt } = loaded
  const { destinationAccount, sourceAccount } = quote
  const type = "EXECUTE_QUOTE"
  const { sendingCurrency: currency, totalSendingAmount: amount } = transition.quote.data
  const compared: SpendingFacts = {
    agent: agent.data,
    permission: "EXECUTE_QUOTES",
    accounts: touchedAccountsOf(sourceAccount, destinationAccount),
    amount,
    currency,
    rates: loaded.rates,
    usage: loaded.usage,
  }
  const { at: now, policy } = loaded.approvals
  const { destination } = transition.quote.data
  const id = destination.destinationType === "ACCOUNT" ? destination.accountId : destination.umaAddress
  const covered: CoveredAction = {
    destination: destinationFacts(id, destinationAccount, loaded.customer.id),
    amountIn: (to) => amountIn(compared, to),
    now,
  }
  const facts: SpendingFacts = { ...compared, approvalRow: policy && coveringRow(policy, covered) }
  const accounts = [sourceAccount, destinationAccount].filter((account) => account !== undefined)
  const guards = guardAgentAnd(loaded, accounts)
  const refuseAudited = (refusal: Refusal) => {
    const details = { type, amount, currency, ...refusal.details }
    const audit = auditRecord(context, "AGENT_ACTION_SUBMIT", agent, { outcome: "REFUSED", details })
    return refuse(refusal, Changes.combine(guards, audit))
  }
  const outcome = evaluateSubmission(facts)
  if (outcome._tag === "Refused") return refuseAudited(withRule(outcome))
  if (outcome._tag === "ApprovalRequired") {
    return refuseAudited({
      code: "FORBIDDEN",
      message: "The agent's policy asks for an approval: create the quote, then execute it.",
      details: { ...outcome.explanation, reason: "APPROVAL_REQUIRED" },
    })
  }
  const { charges, counters } = chargesOf(facts, agent, dayEndsAt - 1)
  const action = newAction(loaded, type, AgentActionMachine.follow(null, "SubmitAutomatic").state, {
    quoteId: transition.quote.id,
    transactionId: transition.transaction.id,
    charges,
  })
  const more = Changes.combine(Changes.insert("AgentAction", actionId, agent, action), { counters }, guards)
  return answerQuote(quote, transition, more)
}

/** Decides an agent's request for a quote. */
export const createAgentQuote =
  (request: QuoteRequest, lifetimes: Lifetimes) =>
  (loaded: AgentQuoteLoaded, context: DecisionContext): Decision<QuoteResource> => {
    const { agent, quoteFacts, quoteRecords } = loaded
    const isExecuted = request.immediatelyExecute === true
    const denied = accessRefusal(loaded, isExecuted)
    if (denied !== undefined) return refuse(withRule(denied))
    const forbidden = requestRefusal(request, loaded)
    if (forbidden !== undefined) return refuse(forbidden)
    const quote: QuoteCreationLoaded = { ...quoteRecords, ...quoteFacts }
    const actionId = isExecuted ? context.ids("AgentAction") : undefined
    const by = { agentId: agent.id, ...(actionId === undefined ? {} : { actionId }) }
    const transition = decideQuote(quote, request, lifetimes, context, by)
    // A record that does not exist is refused first, then an account that the policy does not allow, then everything else.
    if ("code" in transition && statusOf(transition.code) === 404) return refuse(transition)
    const accounts = touchedAccountsOf(quote.sourceAccount, quote.destinationAccount)
    const outside = accountNotAllowed({ agent: agent.data, accounts })
    if (outside !== undefined) return refuse(withRule({ rule: "ACCOUNTS_IN_SCOPE", refusal: outside }))
    if ("code" in transition) return refuse(transition)
    return actionId === undefined
      ? answerQuote(quote, transition, Changes.guard(agent))
      : executeAtOnce(loaded, quote, transition, actionId, context)
  }
