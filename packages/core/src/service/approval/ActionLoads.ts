/**
 * What an agent's action rests on, loaded and asked: at its submission, at its approval, and when a platform asks beforehand.
 * Source: architecture, "Load, ask, decide, commit"; wire contract 1.4.
 */
import { Clock, Effect } from "effect"
import { type ActionLoaded, alreadyDecided, isPossible } from "../../decision/approval/ActionDecision.ts"
import { type QuoteAction, type QuoteActionLoaded, quoteAction } from "../../decision/approval/QuoteActionDecision.ts"
import {
  pulledFrom,
  readQueryFor,
  type TransferAction,
  transferAction,
  transferOf,
} from "../../decision/approval/TransferActionDecision.ts"
import { notFound, ServiceError } from "../../foundation/errors/ServiceError.ts"
import type { CurrencyCode } from "../../foundation/money/Currencies.ts"
import { identity, type Rate } from "../../foundation/money/Rate.ts"
import { comparedCurrencies, type SpendingFacts } from "../../model/agent/PolicyRules.ts"
import * as Usage from "../../model/agent/Usage.ts"
import type { WalletHeaders } from "../../model/wallet/SignedRequest.ts"
import type { Read } from "../../operation/Operation.ts"
import { ExchangeRates } from "../../ports/ExchangeRates.ts"
import { Rails } from "../../ports/Rails.ts"
import type { Stored } from "../../store/ChangeSet.ts"
import type { ReadQuery } from "../../store/Store.ts"
import * as QuoteLoads from "../quote/QuoteLoads.ts"
import { findQuoteParts } from "../quote/QuoteReads.ts"
import { present } from "./ActionReads.ts"

/** What an agent can want done. */
export type RequestedAction = TransferAction | QuoteAction

/** Whose action, and the budget that its counters are guessed to be in, so that one trip reads them too. */
export interface Actor {
  readonly agentId: string
  readonly customerId: string
  readonly budget: string
}

export const make = Effect.gen(function* () {
  const rails = yield* Rails
  const rates = yield* ExchangeRates
  const quotes = yield* QuoteLoads.make

  /** The rates by which an amount is compared with the limits. */
  const ratesOf = Effect.fnUntraced(function* (
    agent: Stored<"Agent">,
    { accounts, currency }: Pick<SpendingFacts, "accounts" | "currency">,
  ) {
    const known = new Map<CurrencyCode, Rate>()
    for (const to of comparedCurrencies({ agent: agent.data, accounts })) {
      const rate = currency === to ? identity(currency) : yield* rates.rate(currency, to)
      if (rate !== undefined) known.set(to, rate)
    }
    return known
  })

  /** The agent with its customer and its usage, and whatever else the same trip can read. */
  const open = Effect.fnUntraced(function* <E>(
    read: Read<E>,
    { agentId, budget: guess, customerId }: Actor,
    more: ReadQuery,
  ) {
    const now = yield* Clock.currentTimeMillis
    const first = yield* read({
      records: [{ kind: "Agent", id: agentId }, { kind: "Customer", id: customerId }, ...(more.records ?? [])],
      balances: more.balances ?? [],
      counters: Usage.keyList(Usage.keysAt(agentId, guess, now)),
    })
    const agent = first.record("Agent", agentId)
    const customer = first.record("Customer", customerId)
    if (agent === undefined || customer === undefined) return yield* new ServiceError(notFound("agent"))
    const budget = Usage.budgetOf(agent.data)
    const keys = Usage.keysAt(agentId, budget, now)
    const counters = budget === guess ? first : yield* read({ counters: Usage.keyList(keys) })
    const usage = Usage.usageFrom(keys, counters.counter)
    return { first, opened: { agent, customer, usage, dayEndsAt: Usage.endOfDay(now) } }
  })

  const withRates = Effect.fnUntraced(function* (loaded: Omit<ActionLoaded, "rates">) {
    const { action, agent } = loaded
    const whole: ActionLoaded = { ...loaded, rates: isPossible(action) ? yield* ratesOf(agent, action) : new Map() }
    return whole
  })

  /** A transfer of an agent. */
  const transfer = Effect.fnUntraced(function* <E>(read: Read<E>, actor: Actor, wish: TransferAction) {
    const { first, opened } = yield* open(read, actor, readQueryFor(wish))
    const source = pulledFrom(wish, first, opened.customer)
    const inspection =
      source &&
      (yield* rails.inspectPull(
        { accountId: source.id, currency: source.data.currency, accountInfo: source.data.accountInfo },
        wish.order.amount,
      ))
    return yield* withRates({ ...opened, ...transferAction(wish, first, opened.customer, inspection) })
  })

  /** The execution of a quote that the agent created. `headers`: what signs it; absent: nobody signs now. */
  const quote = Effect.fnUntraced(function* <E>(
    read: Read<E>,
    actor: Actor,
    { quoteId }: QuoteAction,
    headers?: WalletHeaders,
  ) {
    const { opened } = yield* open(read, actor, {})
    const found = yield* findQuoteParts(read, quoteId)
    const parts = found?.quote.data.agentId === actor.agentId ? found : undefined
    const { challengeId } = yield* quotes.draw
    const execution = parts && (yield* quotes.execution(read, parts, { challengeId, headers }))
    const loaded: QuoteActionLoaded = {
      ...(yield* withRates({ ...opened, ...quoteAction(execution) })),
      signature: execution?.signature,
    }
    return loaded
  })

  const wished = <E>(read: Read<E>, actor: Actor, wish: RequestedAction) =>
    wish.type === "EXECUTE_QUOTE"
      ? Effect.map(quote(read, actor, wish), (loaded): ActionLoaded => loaded)
      : transfer(read, actor, wish)

  /** An action that waits, with its agent. Errors: `CONFLICT` with the action, where it is decided already. */
  const waiting = Effect.fnUntraced(function* <E>(read: Read<E>, agentId: string, actionId: string) {
    const found = yield* read({
      records: [
        { kind: "AgentAction", id: actionId },
        { kind: "Agent", id: agentId },
      ],
    })
    const action = found.record("AgentAction", actionId)
    const agent = found.record("Agent", agentId)
    if (action === undefined || agent === undefined || action.data.agentId !== agentId) {
      return yield* new ServiceError(notFound("action"))
    }
    if (action.data.status !== "PENDING_APPROVAL") {
      for (const resource of yield* present(read, [action])) return yield* new ServiceError(alreadyDecided(resource))
    }
    return { action, agent }
  })

  /** An action that waits, with the quote that it would execute. */
  const rejectable = Effect.fnUntraced(function* (read: Read, agentId: string, actionId: string) {
    const { action } = yield* waiting(read, agentId, actionId)
    const { quoteId } = action.data
    const found = quoteId === undefined ? undefined : yield* read({ records: [{ kind: "Quote", id: quoteId }] })
    return { action, quote: quoteId === undefined ? undefined : found?.record("Quote", quoteId) }
  })

  /** Who an agent acts for; a deleted agent is told as itself too, since its held actions can still be decided. */
  const actorOf = (agent: Stored<"Agent">): Actor => ({
    agentId: agent.id,
    customerId: agent.customerId ?? "",
    budget: Usage.budgetOf(agent.data),
  })

  /** An action that waits, with all that its execution would rest on. */
  const held = Effect.fnUntraced(function* <E>(read: Read<E>, agentId: string, actionId: string) {
    const { action, agent } = yield* waiting(read, agentId, actionId)
    const { quoteId } = action.data
    const wish = quoteId === undefined ? transferOf(action.data) : { type: "EXECUTE_QUOTE" as const, quoteId }
    if (wish === undefined) return yield* Effect.die(new Error(`${actionId} moves nothing`))
    return { action, loaded: yield* wished(read, actorOf(agent), wish) }
  })

  return { open, ratesOf, transfer, quote, wished, rejectable, held, actorOf, quotes }
})
