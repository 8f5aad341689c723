/** Facts for the tests of an agent's policy. */
import { type CurrencyCode, type PolicyRules, Rate, Usage } from "@countersign/core"
import type { AgentPolicy } from "@countersign/core/models"

const agentId = "Agent:00000000-0000-7000-8000-000000000001"
export const accountId = "InternalAccount:00000000-0000-7000-8000-000000000002"
const noon = Date.UTC(2026, 10, 21, 12)

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
  keys: Usage.keysAt(agentId, "USD", noon),
  exhausted: () => false,
  ...patch,
})
