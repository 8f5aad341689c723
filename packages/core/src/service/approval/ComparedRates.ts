/**
 * The exchange rates by which two policies are compared on many actions: each pair of currencies is asked once.
 * Source: wire contract 1.4; D-475.
 */
import { Effect } from "effect"
import type { ComparedAgents, RecentComparison } from "../../decision/approval/PolicyComparisonDecision.ts"
import type { CurrencyCode } from "../../foundation/money/Currencies.ts"
import { identity, type Rate } from "../../foundation/money/Rate.ts"
import { comparedCurrencies } from "../../model/agent/PolicyRules.ts"
import { ExchangeRates } from "../../ports/ExchangeRates.ts"

/** Asks every rate that the recent actions need under both policies. Returns the known rates from a currency. */
export const askComparedRates = Effect.fnUntraced(function* (
  { present, proposed }: ComparedAgents,
  recent: ReadonlyArray<RecentComparison>,
) {
  const agents = proposed === undefined ? [present] : [present, proposed]
  const known = new Map<CurrencyCode, Map<CurrencyCode, Rate>>()
  const asked = new Set<string>()
  const rates = yield* ExchangeRates
  const ask = Effect.fnUntraced(function* (from: CurrencyCode, to: CurrencyCode) {
    if (asked.has(`${from}/${to}`)) return
    asked.add(`${from}/${to}`)
    const rate = from === to ? identity(from) : yield* rates.rate(from, to)
    if (rate === undefined) return
    known.set(from, (known.get(from) ?? new Map<CurrencyCode, Rate>()).set(to, rate))
  })
  for (const { action, money } of recent) {
    const before = action.data.usageBefore?.currency
    for (const { data } of agents) {
      for (const to of comparedCurrencies({ agent: data, accounts: money.accounts })) yield* ask(money.currency, to)
      if (before !== undefined) yield* ask(before, data.policy.spendingLimits.currency)
    }
  }
  const none: ReadonlyMap<CurrencyCode, Rate> = new Map()
  return (from: CurrencyCode): ReadonlyMap<CurrencyCode, Rate> => known.get(from) ?? none
})
