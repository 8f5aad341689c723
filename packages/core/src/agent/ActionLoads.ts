/**
 * What an agent's action rests on, loaded and asked: at its submission, at its approval, and when a platform asks beforehand.
 * Source: architecture, "Load, ask, decide, commit"; wire contract 1.4.
 */
import { Clock, Effect } from "effect"
import { notFound, ServiceError } from "../errors/ServiceError.ts"
import type { CurrencyCode } from "../money/Currencies.ts"
import { identity, type Rate } from "../money/Rate.ts"
import type { Read } from "../operation/Operation.ts"
import type { Stored } from "../ports/ChangeSet.ts"
import { ExchangeRates } from "../ports/ExchangeRates.ts"
import { Rails } from "../ports/Rails.ts"
import { type ActionLoaded, decided, isPossible } from "./ActionDecision.ts"
import { currenciesCompared } from "./PolicyRules.ts"
import { pulledFrom, submittedAs, type TransferAction, transferAction, wanted } from "./TransferActionDecision.ts"
import * as Usage from "./Usage.ts"

/** Whose action, and the budget that its counters are guessed to be in, so that one trip reads them too. */
export interface Actor {
  readonly agentId: string
  readonly customerId: string
  readonly budget: string
}

export const make = Effect.gen(function* () {
  const rails = yield* Rails
  const rates = yield* ExchangeRates

  const ratesFrom = Effect.fnUntraced(function* (from: CurrencyCode, into: ReadonlyArray<CurrencyCode>) {
    const known = new Map<CurrencyCode, Rate>()
    for (const to of into) {
      const rate = from === to ? identity(from) : yield* rates.rate(from, to)
      if (rate !== undefined) known.set(to, rate)
    }
    return known
  })

  /** A transfer of an agent. */
  const transfer = Effect.fnUntraced(function* (read: Read, actor: Actor, wish: TransferAction) {
    const { agentId, customerId } = actor
    const now = yield* Clock.currentTimeMillis
    const accounts = wanted(wish)
    const first = yield* read({
      records: [{ kind: "Agent", id: agentId }, { kind: "Customer", id: customerId }, ...accounts.records],
      balances: accounts.balances,
      counters: Usage.keyList(Usage.keysAt(agentId, actor.budget, now)),
    })
    const agent = first.record("Agent", agentId)
    const customer = first.record("Customer", customerId)
    if (agent === undefined || customer === undefined) return yield* new ServiceError(notFound("agent"))
    const budget = Usage.budgetOf(agent.data)
    const keys = Usage.keysAt(agentId, budget, now)
    const counters = budget === actor.budget ? first : yield* read({ counters: Usage.keyList(keys) })
    const source = pulledFrom(wish, first, customer)
    const inspection =
      source &&
      (yield* rails.inspectPull(
        { accountId: source.id, currency: source.data.currency, accountInfo: source.data.accountInfo },
        wish.order.amount,
      ))
    const part = transferAction(wish, first, customer, inspection)
    const { action } = part
    const loaded: ActionLoaded = {
      ...part,
      agent,
      customer,
      rates: isPossible(action)
        ? yield* ratesFrom(action.currency, currenciesCompared({ agent: agent.data, accounts: action.accounts }))
        : new Map(),
      usage: Usage.usageFrom(keys, counters.counter),
      dayEndsAt: Usage.dayEnd(now),
    }
    return loaded
  })

  const transactionOf = Effect.fnUntraced(function* (read: Read, action: Stored<"AgentAction">) {
    const id = action.data.transactionId
    return id === undefined
      ? undefined
      : (yield* read({ records: [{ kind: "Transaction", id }] })).record("Transaction", id)
  })

  /** An action that waits, with its agent. Errors: `CONFLICT` with the action, where it is decided already. */
  const waiting = Effect.fnUntraced(function* (read: Read, agentId: string, actionId: string) {
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
      return yield* new ServiceError(decided(action, yield* transactionOf(read, action)))
    }
    return { action, agent }
  })

  /** Who an agent acts for; a deleted agent is told as itself too, since its held actions can still be decided. */
  const actorOf = (agent: Stored<"Agent">): Actor => ({
    agentId: agent.id,
    customerId: agent.customerId ?? "",
    budget: Usage.budgetOf(agent.data),
  })

  /** An action that waits, with all that its execution would rest on. */
  const held = Effect.fnUntraced(function* (read: Read, agentId: string, actionId: string) {
    const { action, agent } = yield* waiting(read, agentId, actionId)
    const wish = submittedAs(action.data)
    if (wish === undefined) return yield* Effect.die(new Error(`${actionId} is not a transfer`))
    return { action, loaded: yield* transfer(read, actorOf(agent), wish) }
  })

  return { transfer, waiting, held, actorOf }
})
