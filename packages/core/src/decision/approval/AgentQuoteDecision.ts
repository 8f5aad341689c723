/**
 * A quote that an agent asks for, decided: refused by the agent's policy or by the rules of quotes, or made; and executed at once where
 * the policy lets it without an approval.
 * Spec: AgentAction; wire contract 1.4 (creating a quote) and 1.6 (`immediatelyExecute`); D-243, D-244.
 */
import { statusOf } from "../../foundation/errors/ErrorCodes.ts"
import type { Refusal } from "../../foundation/errors/ServiceError.ts"
import { AgentActionMachine } from "../../model/agent/AgentActionMachine.ts"
import {
  AccessRules,
  accountNotAllowed,
  customerNotAllowed,
  type SpendingFacts,
  type TouchedAccount,
} from "../../model/agent/PolicyRules.ts"
import type { QuoteRequest, QuoteResource } from "../../model/quote/QuoteResource.ts"
import type { Lifetimes } from "../../model/quote/QuoteTermRules.ts"
import * as Changes from "../../store/Changes.ts"
import { chargesOf, evaluateSubmission, type RuleRefusal, withRule } from "../agent/AgentPolicyEvaluation.ts"
import { auditRecord } from "../audit/Audit.ts"
import { type Decision, type DecisionContext, refuse } from "../Decision.ts"
import { madeQuote, makeQuote, type QuoteLoaded } from "../quote/QuoteCreationDecision.ts"
import type { QuoteTransition } from "../transaction/QuotePaymentChanges.ts"
import { type ActionLoaded, actionOf, guardsFor } from "./ActionDecision.ts"

export interface AgentQuoteLoaded extends Pick<ActionLoaded, "agent" | "customer" | "rates" | "usage" | "dayEndsAt"> {
  readonly quote: QuoteLoaded
}

/** The internal accounts that a quote would move money between. */
export const touchedBy = ({ destinationAccount, sourceAccount }: QuoteLoaded): ReadonlyArray<TouchedAccount> =>
  [sourceAccount, destinationAccount].flatMap((account) =>
    account?.kind === "InternalAccount" ? [{ id: account.id, currency: account.data.currency }] : [],
  )

/** What no agent may ask for, whatever its policy. */
const notAllowed = (
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

const denied = (loaded: AgentQuoteLoaded, request: QuoteRequest): RuleRefusal | undefined => {
  const agent = loaded.agent.data
  const isExecuted = request.immediatelyExecute === true
  return (
    AccessRules.first({ agent, permission: "CREATE_QUOTES" }) ??
    (isExecuted ? AccessRules.first({ agent, permission: "EXECUTE_QUOTES" }) : undefined)
  )
}

/** The quote is executed at once: an action of the agent, charged to its budget. What would be held is refused instead. */
const executed = (
  loaded: AgentQuoteLoaded,
  made: QuoteTransition,
  actionId: string,
  context: DecisionContext,
): Decision<QuoteResource> => {
  const { agent, customer, dayEndsAt, quote } = loaded
  const type = "EXECUTE_QUOTE"
  const { sendingCurrency: currency, totalSendingAmount: amount } = made.quote.data
  const facts: SpendingFacts = {
    agent: agent.data,
    permission: "EXECUTE_QUOTES",
    accounts: touchedBy(quote),
    amount,
    currency,
    rates: loaded.rates,
    usage: loaded.usage,
  }
  const accounts = [quote.sourceAccount, quote.destinationAccount].filter((account) => account !== undefined)
  const resting = guardsFor({ accounts, agent, customer, dayEndsAt })
  const refused = (refusal: Refusal) => {
    const details = { type, amount, currency, ...refusal.details }
    const told = auditRecord(context, "AGENT_ACTION_SUBMIT", agent, { outcome: "REFUSED", details })
    return refuse(refusal, Changes.combine(resting, told))
  }
  const verdict = evaluateSubmission(facts)
  if (verdict._tag === "Refused") return refused(withRule(verdict))
  if (verdict._tag === "ApprovalRequired") {
    return refused({
      code: "FORBIDDEN",
      message: "The agent's policy asks for an approval: create the quote, then execute it.",
      details: { ...verdict.explanation, reason: "APPROVAL_REQUIRED" },
    })
  }
  const { charges, counters } = chargesOf(facts, agent, dayEndsAt - 1)
  const action = actionOf({ agent, customer, type }, AgentActionMachine.follow(null, "SubmitAutomatic").state, {
    quoteId: made.quote.id,
    transactionId: made.transaction.id,
    charges,
  })
  const more = Changes.combine(Changes.insert("AgentAction", actionId, agent, action), { counters }, resting)
  return madeQuote(quote, made, more)
}

export const createAgentQuote =
  (request: QuoteRequest, lifetimes: Lifetimes) =>
  (loaded: AgentQuoteLoaded, context: DecisionContext): Decision<QuoteResource> => {
    const { agent, quote } = loaded
    const lacking = denied(loaded, request)
    if (lacking !== undefined) return refuse(withRule(lacking))
    const forbidden = notAllowed(request, loaded)
    if (forbidden !== undefined) return refuse(forbidden)
    const actionId = request.immediatelyExecute === true ? context.ids("AgentAction") : undefined
    const by = { agentId: agent.id, ...(actionId === undefined ? {} : { actionId }) }
    const made = makeQuote(quote, request, lifetimes, context, by)
    // What is not there comes before what is out of reach, and that before all else.
    if ("code" in made && statusOf(made.code) === 404) return refuse(made)
    const outside = accountNotAllowed({ agent: agent.data, accounts: touchedBy(quote) })
    if (outside !== undefined) return refuse(withRule({ rule: "ACCOUNTS_IN_SCOPE", refusal: outside }))
    if ("code" in made) return refuse(made)
    return actionId === undefined
      ? madeQuote(quote, made, Changes.guard(agent))
      : executed(loaded, made, actionId, context)
  }
