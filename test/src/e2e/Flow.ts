/** The basic flow over HTTP: a customer, its accounts, an agent with a policy, and the agent's actions. */
import { randomBytes } from "node:crypto"
import { basic, bearer, client, type Reply, type Send, textAt } from "./Client.ts"
import { eventually } from "./Deadline.ts"
import { type ServerProcess, type StartOptions, startServer } from "./ServerProcess.ts"

/** The secret is new in each run, because live mode refuses secrets that anybody can read in a repository. */
export const credentials = { clientId: "first", clientSecret: `first-${randomBytes(16).toString("hex")}` }

/** The options that give the first platform these credentials. */
export const credentialOptions = [
  "--client-id",
  credentials.clientId,
  "--client-secret",
  credentials.clientSecret,
] as const

export interface Policy {
  readonly permissions?: ReadonlyArray<string>
  readonly defaultExecutionMode?: "AUTO" | "APPROVAL_REQUIRED"
  readonly spendingLimits?: Readonly<Record<string, unknown>>
  readonly approvalThresholds?: Readonly<Record<string, unknown>>
  readonly accountRestrictions?: Readonly<Record<string, unknown>>
}

export interface Customer {
  readonly customerId: string
  readonly platformCustomerId: string
  /** The USD account. */
  readonly accountId: string
}

export interface Agent {
  readonly agentId: string
  readonly deviceCode: string
  readonly token: string
  readonly send: Send
}

export interface Transfer {
  readonly source: { readonly accountId: string }
  readonly destination: { readonly accountId: string }
  readonly amount?: unknown
}

export const transfer = (sourceId: string, { accountId }: Customer, amount?: unknown): Transfer => ({
  source: { accountId: sourceId },
  destination: { accountId },
  ...(amount === undefined ? {} : { amount }),
})

const expectStatus = (reply: Reply, status: number): Reply => {
  if (reply.status !== status) throw new Error(`expected ${status}, got ${reply.status} ${reply.text}`)
  return reply
}

/** Creates a customer, and returns it with its USD account. */
export const newCustomer = async (platform: Send): Promise<Customer> => {
  const created = expectStatus(
    await platform("POST", "/customers", { body: { customerType: "INDIVIDUAL", fullName: "Ada Lovelace" } }),
    201,
  )
  const customerId = textAt(created, "id")
  const accounts = expectStatus(
    await platform("GET", `/customers/internal-accounts?customerId=${customerId}&currency=USD`),
    200,
  )
  return {
    customerId,
    platformCustomerId: textAt(created, "platformCustomerId"),
    accountId: textAt(accounts, "data", 0, "id"),
  }
}

/** The body of a USD account; without a customer it is the platform's own. */
export const usdAccount = (accountNumber: string, customerId?: string) => ({
  ...(customerId === undefined ? {} : { customerId }),
  currency: "USD",
  accountInfo: {
    accountType: "USD_ACCOUNT",
    accountNumber,
    routingNumber: "021000021",
    beneficiary: {
      beneficiaryType: "INDIVIDUAL",
      fullName: "Ada Lovelace",
      address: { line1: "1 Main St", city: "Springfield", postalCode: "12345", country: "US" },
    },
  },
})

/** Adds a USD account whose number ends in `suffix`, which may be a magic value of the sandbox. */
export const newSource = async (platform: Send, { customerId }: Customer, suffix = "000"): Promise<string> => {
  const body = usdAccount(`12345${suffix}`, customerId)
  return textAt(expectStatus(await platform("POST", "/customers/external-accounts", { body }), 201), "id")
}

/** Creates an agent and redeems its device code, without credentials. */
export const newAgent = async (
  base: string,
  platform: Send,
  { customerId }: Customer,
  policy: Policy = {},
): Promise<Agent> => {
  const whole = {
    permissions: ["VIEW_TRANSACTIONS", "CREATE_TRANSFERS"],
    defaultExecutionMode: "AUTO",
    spendingLimits: { currency: "USD", perTransactionLimit: 50_000 },
    ...policy,
  }
  const created = expectStatus(
    await platform("POST", "/agents", { body: { name: "Payroll", customerId, policy: whole } }),
    201,
  )
  const deviceCode = textAt(created, "deviceCode", "code")
  const redeemed = expectStatus(await client(base)("POST", `/agents/device-codes/${deviceCode}/redeem`), 200)
  const token = textAt(redeemed, "accessToken")
  return { agentId: textAt(created, "agent", "id"), deviceCode, token, send: client(base, bearer(token)) }
}

/** Submits a transfer-in that must wait for approval, and returns its id. */
export const held = async (agent: Agent, body: Transfer): Promise<string> => {
  const reply = expectStatus(await agent.send("POST", "/agents/me/transfer-in", { body }), 201)
  if (reply.body["status"] !== "PENDING_APPROVAL")
    throw new Error(`the action does not wait for approval: ${reply.text}`)
  return textAt(reply, "id")
}

/** Returns the available balance of the account. */
export const balanceOf = async (platform: Send, { accountId, customerId }: Customer): Promise<unknown> => {
  const { body } = await platform("GET", `/customers/internal-accounts?customerId=${customerId}&currency=USD`)
  const accounts = body["data"] as ReadonlyArray<{ readonly id: string; readonly balance: { readonly amount: number } }>
  return accounts.find(({ id }) => id === accountId)?.balance.amount
}

/** The first platform at the address of any server with its credentials. */
export const platformAt = (base: string): Send => client(base, basic(credentials.clientId, credentials.clientSecret))

export interface World extends AsyncDisposable {
  readonly server: ServerProcess
  readonly platform: Send
  readonly customer: Customer
  /** A source without a magic suffix. */
  readonly source: string
}

/** Starts a server with one customer and one source. */
export const newWorld = async ({ options = [], ...more }: StartOptions = {}): Promise<World> => {
  const server = await startServer({ ...more, options: [...credentialOptions, ...options] })
  try {
    const platform = platformAt(server.base)
    const customer = await newCustomer(platform)
    const source = await newSource(platform, customer)
    return { server, platform, customer, source, [Symbol.asyncDispose]: server[Symbol.asyncDispose] }
  } catch (error) {
    await server[Symbol.asyncDispose]()
    throw error
  }
}

/** The path of the platform's inbox, which other processes and later starts of its store have, too. */
export const inboxPath = async (platform: Send): Promise<string> =>
  new URL(textAt(await platform("GET", "/sandbox/inbox"), "url")).pathname

/** Makes the inbox the endpoint, creates a customer and waits until the event of it has arrived and is verified. */
export const receivesInInbox = async (platform: Send): Promise<void> => {
  await platform("POST", "/sandbox/inbox", { body: {} })
  await platform("POST", "/customers", { body: { customerType: "INDIVIDUAL", fullName: "Grace Hopper" } })
  const messages = async () =>
    (await platform("GET", "/sandbox/inbox/messages?limit=100")).body["data"] as ReadonlyArray<{
      readonly type: string
      readonly verification: { readonly isVerified: boolean }
    }>
  await eventually("the customer's event in the inbox", messages, (found) =>
    found.some(({ type, verification }) => type === "CUSTOMER.KYC_APPROVED" && verification.isVerified),
  )
}
