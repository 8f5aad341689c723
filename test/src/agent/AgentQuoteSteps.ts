/** Steps of the tests of an agent's quotes over HTTP: create, execute, approve, evaluate and read. */
import { Agents, PolicyEvaluations } from "@countersign/core"
import type { AgentPolicy } from "@countersign/core/models"
import { addAgent, policy } from "../../../packages/test/src/harness/AgentWorld.ts"
import type { Reply } from "../../../packages/test/src/harness/Harness.ts"
import { at, between, type QuoteHarness, quoteHarness } from "../../../packages/test/src/harness/QuoteHarness.ts"
import type { WorldOptions } from "../../../packages/test/src/harness/World.ts"

type Headers = { readonly [name: string]: string }

export interface AgentQuoteParts {
  readonly agentId: string
  readonly as: { readonly token: string }
  /** Requests a quote with a body in wire form. */
  readonly ask: (body: object, headers?: Headers) => Promise<Reply>
  /** Executes a quote as the agent. */
  readonly perform: (quoteId: string, headers?: Headers) => Promise<Reply>
  readonly approve: (actionId: string) => Promise<Reply>
  readonly reject: (actionId: string) => Promise<Reply>
  readonly action: (actionId: string) => Promise<Reply>
  readonly setPolicy: (patch: object) => Promise<unknown>
  readonly usage: () => Promise<object>
  readonly evaluate: (quoteId: string) => Promise<object>
  readonly evaluateApproval: (actionId: string) => Promise<object>
}

export type AgentQuotes = QuoteHarness & AgentQuoteParts

/** Creates an agent with the permissions for quotes for the existing customer. */
export const withQuotingAgent = async <Q extends QuoteHarness>(
  pay: Q,
  rules: Partial<AgentPolicy> = {},
): Promise<Q & AgentQuoteParts> => {
  const permissions: AgentPolicy["permissions"] = ["CREATE_QUOTES", "EXECUTE_QUOTES", "VIEW_TRANSACTIONS"]
  const spendingLimits = { currency: "USD", perTransactionLimit: 100_000 } as const
  const { accessToken, agentId } = await addAgent(
    pay,
    pay.customerId,
    policy({ permissions, spendingLimits, ...rules }),
  )
  await pay.settle()
  pay.inbox.clear()
  const as = { token: accessToken }
  const parts: AgentQuoteParts = {
    agentId,
    as,
    ask: (body, headers = {}) => pay.send("POST", "/agents/me/quotes", { as, body, headers }),
    perform: (quoteId, headers = {}) => pay.send("POST", `/agents/me/quotes/${quoteId}/execute`, { as, headers }),
    approve: (actionId) => pay.send("POST", `/agents/${agentId}/actions/${actionId}/approve`),
    reject: (actionId) => pay.send("POST", `/agents/${agentId}/actions/${actionId}/reject`),
    action: (actionId) => pay.send("GET", `/agents/me/actions/${actionId}`, { as }),
    setPolicy: (patch) => pay.send("PATCH", `/agents/${agentId}/policy`, { body: patch }),
    usage: async () => (await pay.run(Agents.use((agents) => agents.get(agentId)))).usage,
    evaluate: (quoteId) =>
      pay.run(PolicyEvaluations.use((all) => all.evaluate(agentId, { type: "EXECUTE_QUOTE", quoteId }))),
    evaluateApproval: (actionId) => pay.run(PolicyEvaluations.use((all) => all.evaluateApproval(agentId, actionId))),
  }
  return { ...pay, ...parts }
}

/** Creates a customer with 1,000.00 dollars and its agent. */
export const agentQuotes = async (
  rules: Partial<AgentPolicy> = {},
  options: WorldOptions = {},
  customer: object = {},
): Promise<AgentQuotes> => {
  const pay = await quoteHarness(options, customer)
  await pay.fund("USD", 100_000)
  return withQuotingAgent(pay, rules)
}

/** A request for a quote from dollars to an external account in pesos. */
export const toPesos = async (pay: QuoteHarness, amount = 10_000, more: object = {}, suffix = "000"): Promise<object> =>
  between(await pay.accountId("USD"), await pay.external("MXN", suffix), amount, more)

export const idOf = (reply: { readonly body: unknown }) => String(at(reply, "id"))

/** Reads a quote of the agent by its id. */
export const quoted = async (pay: AgentQuotes, ...parts: [amount?: number, more?: object, suffix?: string]) =>
  idOf(await pay.ask(await toPesos(pay, ...parts)))
