/** The rates by which two policies are compared: every pair that one of them needs, each asked once. D-475. */
import type { CurrencyCode } from "@countersign/core/models"
import { Effect } from "effect"
import { expect, it } from "vitest"
import type {
  ComparedAgents,
  RecentComparison,
} from "../../../packages/core/src/decision/approval/PolicyComparisonDecision.ts"
import type { AgentAction } from "../../../packages/core/src/model/agent/AgentAction.ts"
import { ExchangeRates } from "../../../packages/core/src/ports/ExchangeRates.ts"
import { askComparedRates } from "../../../packages/core/src/service/approval/ComparedRates.ts"
import { agentWith } from "./SpendingFacts.ts"

const record = { platformId: "Platform:1", customerId: "Customer:1", version: 1, createdAt: 0, updatedAt: 0 }
const usage = { dailyCount: 0, dailySpend: 0, monthlySpend: 0 }
const limitedIn = (currency: CurrencyCode) => ({
  data: agentWith({ spendingLimits: { currency, perTransactionLimit: 1000 } }),
  usage,
})
const data: AgentAction = {
  agentId: "Agent:1",
  platformCustomerId: "ada",
  status: "APPROVED",
  type: "TRANSFER_IN",
  charges: [],
}
/** An action that moved money of a currency; `before`: the currency of the limits when it was submitted. */
const moved = (currency: CurrencyCode, before?: CurrencyCode): RecentComparison => ({
  action: {
    ...record,
    kind: "AgentAction",
    id: "AgentAction:1",
    data: { ...data, ...(before === undefined ? {} : { usageBefore: { currency: before, ...usage } }) },
  },
  money: { amount: 1, currency, accounts: [{ id: "InternalAccount:1", currency }] },
})

/** Asks with a port that knows no rate into pesos, and returns the pairs that were asked and those that are known. */
const asked = async (proposed: CurrencyCode | undefined, ...recent: ReadonlyArray<RecentComparison>) => {
  const pairs: Array<string> = []
  const present = limitedIn("USD")
  const agents: ComparedAgents = {
    agent: { ...record, kind: "Agent", id: "Agent:1", data: present.data },
    present,
    proposed: proposed && limitedIn(proposed),
  }
  const rate = (from: CurrencyCode, to: CurrencyCode) =>
    Effect.sync(() => {
      pairs.push(`${from}/${to}`)
      return to === "MXN" ? undefined : { from, to, numerator: 1n, denominator: 2n }
    })
  const rates = await Effect.runPromise(
    askComparedRates(agents, recent).pipe(Effect.provideService(ExchangeRates, { rate })),
  )
  return { pairs, known: (from: CurrencyCode) => [...rates(from).keys()] }
}

it("asks each pair once that the policies and the accounts need, and none of one currency", async () => {
  const { known, pairs } = await asked("EUR", moved("GBP"), moved("GBP"), moved("USD"))
  expect(pairs).toEqual(["GBP/USD", "GBP/EUR", "USD/EUR"])
  expect(known("GBP")).toEqual(["USD", "GBP", "EUR"])
  expect(known("USD")).toEqual(["USD", "EUR"])
})

it("asks from the currency of the limits at the submission into that of each policy", async () => {
  const { known } = await asked("EUR", moved("USD", "GBP"))
  expect(known("GBP")).toEqual(["USD", "EUR"])
})

it("asks for no proposed policy where the request has none", async () => {
  expect((await asked(undefined, moved("GBP"))).pairs).toEqual(["GBP/USD"])
})

it("knows no rate that the port does not know, and asks it once", async () => {
  const { known, pairs } = await asked("MXN", moved("USD"), moved("USD"))
  expect(pairs).toEqual(["USD/MXN"])
  expect(known("USD")).toEqual(["USD"])
  expect(known("EUR")).toEqual([])
})
