/**
 * The load and ask steps of an update of an agent's policy, and of the question what an update would change.
 * Source: wire contract 1.3 (policy update); D-475.
 */
import { Effect } from "effect"
import { newLimitCurrency } from "../../decision/agent/PolicyUpdate.ts"
import type { PolicyUpdateLoaded } from "../../decision/agent/PolicyUpdateDecision.ts"
import type { AgentPolicyUpdateRequest } from "../../model/agent/AgentResource.ts"
import type { AgentPolicy } from "../../model/agent/Policy.ts"
import type { Read } from "../../operation/Operation.ts"
import { ExchangeRates } from "../../ports/ExchangeRates.ts"
import { loadAgentWithUsage } from "./AgentLoads.ts"

/** Returns those internal accounts named by the policy's restrictions that belong to the customer. */
export const loadOwnAccountIds = Effect.fnUntraced(function* <E>(
  read: Read<E>,
  restrictions: AgentPolicy["accountRestrictions"],
  customerId: string | null,
) {
  const ids = [
    ...(restrictions?.allowedAccountIds ?? []),
    ...(restrictions?.accountRules ?? []).map((rule) => rule.accountId),
  ]
  const found = yield* read({ records: ids.map((id) => ({ kind: "InternalAccount", id })) })
  return new Set(
    ids.filter((id) => {
      const account = found.record("InternalAccount", id)
      return account !== undefined && account.customerId !== null && account.customerId === customerId
    }),
  )
})

/** Loads what an update of a policy is decided on. Errors: `REFERENCE_NOT_FOUND`. */
export const loadForPolicyUpdate = Effect.fnUntraced(function* <E>(
  read: Read<E>,
  agentId: string,
  { accountRestrictions }: AgentPolicyUpdateRequest,
) {
  const loaded = yield* loadAgentWithUsage(read, agentId)
  const { customerId, data } = loaded.agent
  const restrictions = accountRestrictions ?? data.policy.accountRestrictions
  return { ...loaded, ownAccountIds: yield* loadOwnAccountIds(read, restrictions, customerId) }
})

/** Asks the rate into the new currency of the limits, if the update changes it. */
export const askRate = Effect.fnUntraced(function* (
  { agent: { data } }: Omit<PolicyUpdateLoaded, "rate">,
  request: AgentPolicyUpdateRequest,
) {
  const rates = yield* ExchangeRates
  const currency = newLimitCurrency(data.policy, request)
  return { rate: currency && (yield* rates.rate(data.policy.spendingLimits.currency, currency)) }
})
