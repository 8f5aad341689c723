/** Facts for the tests of an agent's policy. */
import type { AgentPolicy, CurrencyCode } from "@countersign/core/models"
import * as Rate from "../../../packages/core/src/foundation/money/Rate.ts"
import type * as PolicyRules from "../../../packages/core/src/model/agent/PolicyRules.ts"

export const accountId = "InternalAccount:00000000-0000-7000-8000-000000000002"

export const policy = (patch: Partial<AgentPolicy> = {}): AgentPolicy => ({
  permissions: ["CREATE_TRANSFERS"],
  defaultExecutionMode: "AUTO",
  spendingLimits: { currency: "USD", perTransactionLimit: 1000 },
  ...patch,
})

export const agentWith = (patch: Partial<AgentPolicy> = {}): PolicyRules.AccessFacts["agent"] => ({
  name: "Payroll",
  isPaused: false,
  isConnected: true,
  isDeleted: false,
  recastCount: 0,
  recasts: [],
  tokens: [],
  policy: policy(patch),
})

const oneToOne = (from: CurrencyCode) => new Map([[from, Rate.identity(from)]])

export const spending = (patch: Partial<PolicyRules.SpendingFacts> = {}): PolicyRules.SpendingFacts => ({
  agent: agentWith(),
  permission: "CREATE_TRANSFERS",
  accounts: [{ id: accountId, currency: "USD" }],
  amount: 100,
  currency: "USD",
  rates: oneToOne("USD"),
  usage: { dailyCount: 0, dailySpend: 0, monthlySpend: 0 },
  ...patch,
})
