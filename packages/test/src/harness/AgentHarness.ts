/** The harness with a customer, its external accounts, and an agent with its token, all created over the interface, so that the tape has them. */
import { Authentication } from "@countersign/core"
import type { AgentPolicy } from "@countersign/core/models"
import { Redacted } from "effect"
import { type AgentOptions, type AgentParts, policy, sourceOf } from "./AgentWorld.ts"
import { type Harness, type HarnessOptions, harnessWithin } from "./Harness.ts"

export const agentHarness = async (
  rules: Partial<AgentPolicy> = {},
  options: AgentOptions & HarnessOptions = {},
): Promise<Harness & AgentParts> => {
  const { suffixes = ["000"], ...more } = options
  const [pay, within] = await harnessWithin(more)
  const { client } = pay
  const { id: customerId } = await client.customers.createCustomer({
    payload: { customerType: "INDIVIDUAL", fullName: "Ada Lovelace" },
  })
  const { data } = await client.customers.listCustomerInternalAccounts({ query: { customerId, currency: "USD" } })
  const accountId = data[0]?.id
  if (accountId === undefined) throw new Error("the customer has no USD account")
  const sources: Record<string, string> = {}
  for (const suffix of suffixes) {
    const payload = { customerId, ...sourceOf(suffix) }
    sources[suffix] = (await client.externalAccounts.createCustomerExternalAccount({ payload })).id
  }
  const created = await client.agents.createAgent({ payload: { name: "Payroll", customerId, policy: policy(rules) } })
  const { accessToken } = await client.agents.redeemAgentDeviceCode({ params: { code: created.deviceCode.code } })
  const { caller: agent } = await within.run(Authentication.use((auth) => auth.agent(Redacted.make(accessToken))))
  // Deliver and clear the events of the setup, so that tests see only their own.
  await pay.settle()
  pay.inbox.clear()
  return Object.assign(pay, { customerId, accountId, sources, agentId: created.agent.id, agent, accessToken })
}
