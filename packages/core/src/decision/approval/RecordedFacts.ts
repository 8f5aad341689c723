/**
 * The facts of a submitted action, from its record: what the policy's rules compare if they decide on it once more.
 * Source: D-475, D-476.
 */
import type { CurrencyCode } from "../../foundation/money/Currencies.ts"
import type { Rate } from "../../foundation/money/Rate.ts"
import type { Agent } from "../../model/agent/Agent.ts"
import { type AgentAction, AgentActionTypes } from "../../model/agent/AgentAction.ts"
import type { SpendingFacts, TouchedAccount } from "../../model/agent/PolicyRules.ts"
import type { Usage } from "../../model/agent/Usage.ts"
import type { Quote } from "../../model/quote/Quote.ts"
import { convertUsage } from "../agent/PolicyUpdate.ts"

/** What an action moves: the amount, and the internal accounts that it touches. */
export type RecordedMoney = Pick<SpendingFacts, "accounts" | "amount" | "currency">

const internal = (id: string | undefined, currency: CurrencyCode): ReadonlyArray<TouchedAccount> =>
  id?.startsWith("InternalAccount:") === true ? [{ id, currency }] : []

const quotedMoney = (quote: Quote): RecordedMoney => {
  const { accountId, destination, funding, receiverAccountId, receivingCurrency, sendingCurrency } = quote
  const receiver = destination.destinationType === "ACCOUNT" ? destination.accountId : receiverAccountId
  return {
    accounts: [
      ...internal(funding === "ACCOUNT" ? accountId : undefined, sendingCurrency),
      ...internal(receiver, receivingCurrency),
    ],
    amount: quote.totalSendingAmount,
    currency: sendingCurrency,
  }
}

/** Returns what the action moves. Both accounts of a transfer have its currency. `quote`: the one that the action executes. */
export const recordedMoney = (
  { transferDetails }: AgentAction,
  quote: Quote | undefined,
): RecordedMoney | undefined => {
  if (quote !== undefined) return quotedMoney(quote)
  if (transferDetails === undefined) return undefined
  const { amount, currency, destinationAccountId, sourceAccountId } = transferDetails
  const accounts = [...internal(sourceAccountId, currency), ...internal(destinationAccountId, currency)]
  return { accounts, amount, currency }
}

/** An agent with the policy to decide by, its present usage, and the rate from each other currency into that of its limits. */
export interface DecidingAgent {
  readonly data: Agent
  readonly usage: Usage
}

/**
 * Returns the facts for the policy of `agent`. The usage is the one before the submission, or the present one if that is not known.
 * The agent was not paused when it submitted the action.
 */
export const recordedFacts = (
  action: AgentAction,
  money: RecordedMoney,
  agent: DecidingAgent,
  rates: (from: CurrencyCode) => ReadonlyMap<CurrencyCode, Rate>,
): SpendingFacts => {
  const { currency } = agent.data.policy.spendingLimits
  const before = action.usageBefore
  const rate = before === undefined ? undefined : rates(before.currency).get(currency)
  const usage = before === undefined || rate === undefined ? agent.usage : convertUsage(before, rate)
  const data = { ...agent.data, isPaused: false }
  return { agent: data, permission: AgentActionTypes.get(action.type), ...money, rates: rates(money.currency), usage }
}
