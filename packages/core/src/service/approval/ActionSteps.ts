/**
 * The load and ask steps of an agent's action: at its submission, at its approval, and when a platform evaluates it.
 * Source: architecture, "Load, ask, decide, commit"; wire contract 1.4.
 */
import { Clock, Effect } from "effect"
import {
  type ActionFacts,
  type ActionRecords,
  type AgentRecords,
  type QuoteAction,
  type RequestedAction,
  type RequestedRecords,
  readQueryFor,
  type TouchedMoney,
  type TransferAction,
  touchedMoneyOf,
  transferRecords,
} from "../../decision/approval/ActionLoaded.ts"
import { isPlan, planOf } from "../../decision/approval/ActionPlan.ts"
import type { ExecutionFacts } from "../../decision/quote/QuoteExecutionDecision.ts"
import { notFound, ServiceError } from "../../foundation/errors/ServiceError.ts"
import type { CurrencyCode } from "../../foundation/money/Currencies.ts"
import { identity, type Rate } from "../../foundation/money/Rate.ts"
import { comparedCurrencies } from "../../model/agent/PolicyRules.ts"
import * as Usage from "../../model/agent/Usage.ts"
import type { Read } from "../../operation/Operation.ts"
import { ExchangeRates } from "../../ports/ExchangeRates.ts"
import { forTransfer, Rails } from "../../ports/Rails.ts"
import { ApprovalPolicies, approvalPolicyOf } from "../../settings/ApprovalPolicies.ts"
import type { Stored } from "../../store/ChangeSet.ts"
import type { ReadQuery } from "../../store/Store.ts"
import { loadRequiredSca } from "../quote/QuoteChallenges.ts"
import { askExecution, type ExecutionPorts, type ExecutionRequest } from "../quote/QuoteExecutionSteps.ts"
import { findQuoteRecords } from "../quote/QuoteReads.ts"

/** The services that `askAction` asks. */
export type ActionPorts = Rails | ExchangeRates | ExecutionPorts

/** The agent that acts, its customer, and its budget as last known, so that one trip reads its counters, too. */
export interface Actor {
  readonly agentId: string
  readonly customerId: string
  readonly budget: string
}

/** Returns the actor of an agent. A deleted agent is one, too, because its held actions can still be decided. */
export const actorOf = (agent: Stored<"Agent">): Actor => ({
  agentId: agent.id,
  customerId: agent.customerId ?? "",
  budget: Usage.budgetOf(agent.data),
})

/** Loads the agent with its customer and its usage, and `more` in the same trip. Errors: `REFERENCE_NOT_FOUND`. */
export const loadAgentRecords = Effect.fnUntraced(function* <E>(
  read: Read<E>,
  { agentId, budget: expectedBudget, customerId }: Actor,
  more: ReadQuery = {},
) {
  const now = yield* Clock.currentTimeMillis
  const found = yield* read({
    ...more,
    records: [{ kind: "Agent", id: agentId }, { kind: "Customer", id: customerId }, ...(more.records ?? [])],
    counters: Usage.keyList(Usage.keysAt(agentId, expectedBudget, now)),
  })
  const agent = found.record("Agent", agentId)
  const customer = found.record("Customer", customerId)
  if (agent === undefined || customer === undefined) return yield* new ServiceError(notFound("agent"))
  const budget = Usage.budgetOf(agent.data)
  const keys = Usage.keysAt(agentId, budget, now)
  const counters = budget === expectedBudget ? found : yield* read({ counters: Usage.keyList(keys) })
  const usage = Usage.usageFrom(keys, counters.counter)
  const records: AgentRecords = { agent, customer, usage, dayEndsAt: Usage.endOfDay(now) }
  return { found, records }
})

/** Loads the records of transfers in one trip. */
export const loadTransfers = Effect.fnUntraced(function* <E>(
  read: Read<E>,
  actor: Actor,
  actions: ReadonlyArray<TransferAction>,
) {
  const queries = actions.map(readQueryFor)
  const { found, records } = yield* loadAgentRecords(read, actor, {
    records: queries.flatMap((query) => query.records),
    balances: queries.flatMap((query) => query.balances),
  })
  return actions.map((action): ActionRecords => {
    return { ...records, requested: transferRecords(action, found, records.customer) }
  })
})

const loadTransfer = Effect.fnUntraced(function* <E>(read: Read<E>, actor: Actor, action: TransferAction) {
  const { found, records } = yield* loadAgentRecords(read, actor, readQueryFor(action))
  const loaded: ActionRecords = { ...records, requested: transferRecords(action, found, records.customer) }
  return loaded
})

const loadQuoteAction = Effect.fnUntraced(function* <E>(read: Read<E>, actor: Actor, { quoteId }: QuoteAction) {
  const { found, records } = yield* loadAgentRecords(read, actor, { records: [{ kind: "Quote", id: quoteId }] })
  const all = yield* findQuoteRecords(read, quoteId, found.record("Quote", quoteId))
  const quote = all?.quote.data.agentId === actor.agentId ? all : undefined
  const sca = yield* loadRequiredSca(read, quote?.customer)
  const loaded: ActionRecords = { ...records, requested: { type: "EXECUTE_QUOTE", records: quote, sca } }
  return loaded
})

/** Loads the records that an action is decided on. Errors: `REFERENCE_NOT_FOUND`. */
export const loadAction = <E>(read: Read<E>, actor: Actor, action: RequestedAction) =>
  action.type === "EXECUTE_QUOTE" ? loadQuoteAction(read, actor, action) : loadTransfer(read, actor, action)

/** Asks the rail about the external account that a transfer-in would pull. */
const askInspection = Effect.fnUntraced(function* (requested: RequestedRecords) {
  const source = requested.type === "TRANSFER_IN" ? requested.accounts.source : undefined
  if (requested.type !== "TRANSFER_IN" || source === undefined) return undefined
  const rails = yield* Rails
  const { accountInfo, currency } = source.data
  return yield* rails.inspectPull({ accountId: source.id, currency, accountInfo }, requested.order.amount, forTransfer)
})

/** Looks up the deployment's approval policy for the platform of a record. */
export const askApprovals = Effect.fnUntraced(function* (platformId: string) {
  const approvals: ActionFacts["approvals"] = {
    policy: approvalPolicyOf(yield* ApprovalPolicies, platformId),
    at: yield* Clock.currentTimeMillis,
  }
  return approvals
})

/**
 * Asks the rates by which an amount is compared with the limits of the agent's policy, and with the rows of the deployment's approval
 * policy.
 */
export const askRates = Effect.fnUntraced(function* (
  agent: Stored<"Agent">,
  money: TouchedMoney | undefined,
  approvals?: ActionFacts["approvals"],
) {
  const found = new Map<CurrencyCode, Rate>()
  if (money === undefined) return found
  const rates = yield* ExchangeRates
  const { accounts, currency } = money
  const compared = approvals?.policy?.rows.flatMap(({ from }) => (from === undefined ? [] : [from.currency])) ?? []
  for (const to of new Set([...comparedCurrencies({ agent: agent.data, accounts }), ...compared])) {
    const rate = currency === to ? identity(currency) : yield* rates.rate(currency, to)
    if (rate !== undefined) found.set(to, rate)
  }
  return found
})

const noExecutionFacts: ExecutionFacts = {
  requiredChallenge: undefined,
  requiredSession: undefined,
  signature: undefined,
}

/** Asks the ports about a transfer, which requires neither a challenge nor a signature. */
export const askTransfer = Effect.fnUntraced(function* (records: ActionRecords) {
  const { agent, requested } = records
  const approvals = yield* askApprovals(agent.platformId)
  const withoutRates = { ...noExecutionFacts, approvals, inspection: yield* askInspection(requested), rates: new Map() }
  // No rate is needed for a transfer that the decision will refuse whatever the policy says.
  const isPossible = isPlan(planOf({ ...records, ...withoutRates }))
  const rates = yield* askRates(agent, isPossible ? touchedMoneyOf(requested) : undefined, approvals)
  const facts: ActionFacts = { ...withoutRates, rates }
  return facts
})

/** Asks the ports about an action. */
export const askAction = Effect.fnUntraced(function* (loaded: ActionRecords, request: ExecutionRequest) {
  const { agent, requested } = loaded
  if (requested.type !== "EXECUTE_QUOTE" || requested.records === undefined) return yield* askTransfer(loaded)
  const executionFacts = yield* askExecution({ records: requested.records, sca: requested.sca }, request)
  const approvals = yield* askApprovals(agent.platformId)
  const rates = yield* askRates(agent, touchedMoneyOf(requested), approvals)
  const facts: ActionFacts = { ...executionFacts, approvals, inspection: undefined, rates }
  return facts
})
