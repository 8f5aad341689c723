/** A world with one customer, its USD account, external accounts with magic suffixes, and an agent with its token. */
import {
  Agents,
  Authentication,
  type Caller,
  Customers,
  DeviceCodes,
  ExternalAccounts,
  InternalAccounts,
} from "@countersign/core"
import type { AgentPolicy } from "@countersign/core/models"
import { Redacted } from "effect"
import { type World, type WorldOptions, world } from "./World.ts"

/** What `withAgent` adds to a world. */
export interface AgentParts {
  readonly customerId: string
  /** The customer's USD account. */
  readonly accountId: string
  /** External USD accounts by the suffix of their account number; `000` is not a magic suffix. */
  readonly sources: { readonly [suffix: string]: string }
  readonly agentId: string
  readonly agent: Caller
  readonly accessToken: string
}

export type AgentWorld = World & AgentParts

export const policy = (patch: Partial<AgentPolicy> = {}): AgentPolicy => ({
  permissions: ["CREATE_TRANSFERS", "VIEW_TRANSACTIONS"],
  defaultExecutionMode: "AUTO",
  spendingLimits: { currency: "USD", perTransactionLimit: 100_000 },
  ...patch,
})

const beneficiary = {
  beneficiaryType: "INDIVIDUAL",
  fullName: "Ada Lovelace",
  address: { line1: "1 Main St", city: "Springfield", postalCode: "12345", country: "US" },
} as const

/** An external USD account whose number ends in `suffix`. */
export const sourceOf = (suffix: string) =>
  ({
    currency: "USD",
    accountInfo: {
      accountType: "USD_ACCOUNT",
      accountNumber: `12345${suffix}`,
      routingNumber: "021000021",
      beneficiary,
    },
  }) as const

/** Creates an external USD account whose number ends in `suffix`. */
export const addSource = async (within: World, customerId: string, suffix: string): Promise<string> => {
  const created = await within.run(
    ExternalAccounts.use((accounts) => accounts.create({ customerId, ...sourceOf(suffix) })),
  )
  return created.body.id
}

/** Creates an agent of a customer and redeems its device code. */
export const addAgent = async (within: World, customerId: string, rules: AgentPolicy) => {
  const created = await within.run(
    Agents.use((agents) => agents.create({ name: "Payroll", customerId, policy: rules })),
  )
  const { accessToken } = (await within.run(DeviceCodes.use((codes) => codes.redeem(created.body.deviceCode.code))))
    .body
  const signedIn = await within.run(Authentication.use((auth) => auth.agent(Redacted.make(accessToken))))
  return { agentId: created.body.agent.id, agent: signedIn.caller, accessToken }
}

/** Creates a customer, which has a USD account. */
export const addCustomer = async (within: World) => {
  const customer = await within.run(
    Customers.use((customers) => customers.create({ customerType: "INDIVIDUAL", fullName: "Ada Lovelace" })),
  )
  const customerId = customer.body.id
  const accounts = await within.run(InternalAccounts.use((all) => all.list({ customerId, currency: "USD" })))
  const accountId = accounts.data[0]?.id
  if (accountId === undefined) throw new Error("the customer has no USD account")
  return { customerId, accountId }
}

/** The options of a world, and the external accounts of its customer. */
export interface AgentOptions extends WorldOptions {
  /** The magic suffixes of the external accounts, one account for each; `000` alone by default. */
  readonly suffixes?: ReadonlyArray<string>
}

/** Adds a customer, its external accounts and its agent to a world. */
export const withAgent = async <W extends World>(
  within: W,
  rules: Partial<AgentPolicy>,
  { suffixes = ["000"] }: AgentOptions,
): Promise<W & AgentParts> => {
  const { accountId, customerId } = await addCustomer(within)
  const sources: Record<string, string> = {}
  for (const suffix of suffixes) sources[suffix] = await addSource(within, customerId, suffix)
  const { accessToken, agent, agentId } = await addAgent(within, customerId, policy(rules))
  // Deliver and clear the events of the setup, so that tests see only their own.
  await within.settle()
  within.inbox.clear()
  return Object.assign(within, { customerId, accountId, sources, agentId, agent, accessToken })
}

export const agentWorld = async (rules: Partial<AgentPolicy> = {}, options: AgentOptions = {}): Promise<AgentWorld> =>
  withAgent(await world(options), rules, options)
