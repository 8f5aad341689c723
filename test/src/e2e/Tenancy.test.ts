/**
 * Two platforms on one server: for each operation that takes an id, records of the other platform do not exist.
 * Source: architecture, "The Store port" (Caller); wire contract 11 (31, 32); D-019.
 */
import { AgentPermissions } from "@countersign/core/models"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { idTypeOf } from "../../../packages/test/src/arbitraries/PathIds.ts"
import { at, basic, client, type Send, textAt } from "./Client.ts"
import {
  type Agent,
  type Customer,
  held,
  newAgent,
  newCustomer,
  newSource,
  newWorld,
  transfer,
  usdAccount,
  type World,
} from "./Flow.ts"
import { newMessage } from "./NewMessage.ts"
import { newStablecoin } from "./NewStablecoin.ts"
import { newWallet } from "./NewWallet.ts"
import { bodyFor, documentForm, fileForm } from "./TenantBodies.ts"

interface Tenant {
  readonly platform: Send
  readonly customer: Customer
  readonly source: string
  readonly agent: Agent
  /** A value for each path parameter, and for each type that `{id}` has. */
  readonly ids: Readonly<Record<string, string>>
  /** The external account of the platform itself, the only one under /platform. */
  readonly ownAccount: string
  /** The external account that the agent deletes; the platform deletes another one. */
  readonly agentsAccount: string
  /** The quote that the agent created, the only one that it can read. */
  readonly agentsQuote: string
  /** An API token with two secrets. The other one is deleted. */
  readonly rotatedToken: string
}

/** Makes account details unique: a platform cannot store the same account twice. */
let tenantCount = 0

/** Creates every kind of record that has an id in a path. */
const createTenant = async (base: string, platform: Send): Promise<Tenant> => {
  tenantCount += 1
  const customer = await newCustomer(platform)
  const source = await newSource(platform, customer)
  const agent = await newAgent(base, platform, customer, {
    permissions: AgentPermissions.keys,
    approvalThresholds: { currency: "USD", amount: 500 },
  })
  const body = transfer(source, customer, 100)
  const executed = await agent.send("POST", "/agents/me/transfer-in", { body })
  const unused = await platform("POST", "/agents", {
    body: {
      name: "Unused",
      customerId: customer.customerId,
      policy: {
        permissions: [],
        defaultExecutionMode: "AUTO",
        spendingLimits: { currency: "USD", perTransactionLimit: 1 },
      },
    },
  })
  const info = { legalName: "Engines Ltd", country: "US", taxId: "987654321", incorporatedOn: "2014-03-01" }
  const business = await platform("POST", "/customers", { body: { customerType: "BUSINESS", businessInfo: info } })
  const businessId = textAt(business, "id")
  const personalInfo = {
    firstName: "Ada",
    lastName: "Lovelace",
    birthDate: "1985-12-10",
    nationality: "GB",
    address: { line1: "1 Main St", postalCode: "12345", country: "US" },
    idType: "SSN",
    identifier: "123456789",
  }
  const owner = { customerId: businessId, roles: ["UBO"], ownershipPercentage: 100, personalInfo }
  const card = { cardholderId: customer.customerId, form: "VIRTUAL", fundingSources: [customer.accountId] }
  // Quotes pull from accounts that their holder has declared.
  const declared = { ...usdAccount(`45678${tenantCount}`, customer.customerId), ownershipType: "FIRST_PARTY" }
  const pulled = textAt(await platform("POST", "/customers/external-accounts", { body: declared }), "id")
  const quote = {
    source: { sourceType: "ACCOUNT", accountId: pulled },
    destination: { destinationType: "ACCOUNT", accountId: customer.accountId },
    lockedCurrencySide: "SENDING",
    lockedCurrencyAmount: 100,
  }
  const { credentialId, sessionId, walletId } = await newWallet(platform)
  const newToken = async () =>
    textAt(await platform("POST", "/tokens", { body: { name: "x", permissions: ["VIEW"] } }), "id")
  const rotatedToken = await newToken()
  const secretId = textAt(await platform("POST", `/tokens/${rotatedToken}/secrets`, { body: {} }), "id")
  const ids = {
    AuthMethod: credentialId,
    Session: sessionId,
    Card: textAt(await platform("POST", "/cards", { body: card }), "id"),
    InternalAccount: walletId,
    ...(await newStablecoin(platform, customer)),
    customerId: customer.customerId,
    quoteId: textAt(await platform("POST", "/quotes", { body: quote }), "id"),
    beneficialOwnerId: textAt(await platform("POST", "/beneficial-owners", { body: owner }), "id"),
    verificationId: textAt(await platform("POST", "/verifications", { body: { customerId: businessId } }), "id"),
    documentId: textAt(await platform("POST", "/documents", { body: documentForm(customer.customerId) }), "id"),
    jobId: textAt(await platform("POST", "/customers/bulk/csv", { body: fileForm("umaAddress") }), "jobId"),
    tokenId: await newToken(),
    secretId,
    keyId: textAt(await platform("GET", "/webhooks/keys"), "data", 0, "id"),
    externalAccountId: source,
    receiverUmaAddress: textAt(await platform("GET", `/customers/${customer.customerId}`), "umaAddress"),
    accountId: customer.accountId,
    agentId: agent.agentId,
    actionId: await held(agent, transfer(source, customer, 600)),
    transactionId: textAt(executed, "transaction", "id"),
    code: textAt(unused, "deviceCode", "code"),
    ledgerAccount: `available:${customer.accountId}`,
    reference: textAt(executed, "transaction", "id"),
    eventId: textAt(await platform("GET", "/operator/events"), "data", 0, "id"),
    recordId: customer.customerId,
    requestId: textAt(await platform("GET", "/sandbox/requests"), "data", 0, "id"),
    messageId: await newMessage(platform),
  }
  const own = await platform("POST", "/platform/external-accounts", { body: usdAccount(`98765${tenantCount}`) })
  const agentsAccount = await newSource(platform, customer, "111")
  const agentsQuote = textAt(await agent.send("POST", "/agents/me/quotes", { body: quote }), "id")
  const ownAccount = textAt(own, "id")
  return { platform, customer, source, agent, ids, ownAccount, agentsAccount, agentsQuote, rotatedToken }
}

let world: World
let first: Tenant
let second: Tenant
let operations: ReadonlyArray<{ readonly method: string; readonly path: string; readonly names: ReadonlyArray<string> }>

const isOfAgent = (path: string): boolean => path.startsWith("/agents/me/")

/** Returns the tenant's own ids for the parameters of a path. */
const idsFor = (
  { agentsAccount, agentsQuote, ids, ownAccount, rotatedToken }: Tenant,
  path: string,
): Readonly<Record<string, string>> => {
  if (path.includes("/secrets")) return { ...ids, tokenId: rotatedToken }
  if (path.startsWith("/platform/")) return { ...ids, externalAccountId: ownAccount }
  if (path.startsWith("/receiver/")) return { ...ids, accountId: ids["externalAccountId"] ?? "" }
  return isOfAgent(path) ? { ...ids, externalAccountId: agentsAccount, quoteId: agentsQuote } : ids
}

/**
 * Operations that other folders test: their customer is in the query, their record cannot be created over HTTP alone, its id is in
 * the body, any platform that knows the code may use it (invitations), a server with several platforms has none (worlds), or every platform has the same (scenarios).
 */
const testedElsewhere =
  /^\/sca\/|^\/invitations\/|^\/jobs\/|^\/auth\/delegated-keys\/|^\/sandbox\/(?:worlds|scenarios)\/|\/simulate\/(?:clearing|return|return_reversal|authorization_advice)$/u

/** The operations of the served document that take ids in their path and need credentials. */
const withIds = (document: unknown) =>
  Object.entries((at(document, "paths") ?? {}) as Readonly<Record<string, object>>).flatMap(([path, methods]) => {
    const names = [...path.matchAll(/\{(\w+)\}/gu)].map(([, name = ""]) => (name === "id" ? idTypeOf(path) : name))
    return names.length === 0 || testedElsewhere.test(path)
      ? []
      : Object.entries(methods)
          .filter(([, operation]) => at(operation, "security", 0) !== undefined)
          .map(([method]) => ({ method: method.toUpperCase(), path, names }))
  })

beforeAll(async () => {
  world = await newWorld({ options: ["--platform", "second:its-secret"] })
  const { base, origin } = world.server
  first = await createTenant(base, world.platform)
  second = await createTenant(base, client(base, basic("second", "its-secret")))
  operations = withIds((await client(origin)("GET", "/openapi.json")).body)
}, 60_000)
afterAll(() => world[Symbol.asyncDispose]())

const fill = (path: string, ids: Readonly<Record<string, string>>): string =>
  path.replace(/\{(\w+)\}/gu, (_, name: string) => ids[name === "id" ? idTypeOf(path) : name] ?? `no-${name}`)

let requests = 0
const ask = (who: Tenant, method: string, path: string, ids: Readonly<Record<string, string>>) => {
  requests += 1
  return (isOfAgent(path) ? who.agent.send : who.platform)(method, fill(path, ids), {
    // Some operations require a key.
    headers: { "idempotency-key": `tenancy-${requests}` },
    ...(method === "GET" || method === "DELETE" ? {} : { body: bodyFor(path, idsFor(who, path)) }),
  })
}

describe("an id in a path", () => {
  it("is covered for every operation and every parameter", () => {
    const spelled = operations.map(({ method, path }) => `${method} ${path}`)
    expect(spelled).toEqual(
      expect.arrayContaining([
        "GET /customers/{customerId}",
        "GET /customers/external-accounts/{externalAccountId}",
        "DELETE /customers/external-accounts/{externalAccountId}",
        "POST /customers/external-accounts/{externalAccountId}/challenge",
        "POST /customers/external-accounts/{externalAccountId}/verify",
        "GET /platform/external-accounts/{externalAccountId}",
        "DELETE /platform/external-accounts/{externalAccountId}",
        "POST /platform/external-accounts/{externalAccountId}/challenge",
        "POST /platform/external-accounts/{externalAccountId}/verify",
        "POST /sandbox/external-accounts/{externalAccountId}/status",
        "GET /transactions/{transactionId}",
        "GET /quotes/{quoteId}",
        "POST /quotes/{quoteId}/execute",
        "DELETE /agents/{agentId}",
        "GET /cards/{id}",
        "PATCH /cards/{id}",
        "POST /cards/{id}/reveal",
        "POST /sandbox/cards/{id}/simulate/authorization",
        "POST /agents/{agentId}/actions/{actionId}/approve",
        "POST /sandbox/internal-accounts/{accountId}/fund",
        "GET /agents/me/actions/{actionId}",
        "GET /agents/me/transactions/{transactionId}",
        "GET /agents/device-codes/{code}/status",
        "DELETE /auth/credentials/{id}",
        "DELETE /auth/sessions/{id}",
        "POST /internal-accounts/{id}/export",
      ]),
    )
    const unknown = operations.flatMap(({ names }) => names).filter((name) => !Object.hasOwn(first.ids, name))
    expect(unknown).toEqual([])
  })

  it("of another platform does not exist, in any position of the path", async () => {
    for (const { method, names, path } of operations) {
      for (const foreign of names) {
        const ids = { ...idsFor(second, path), [foreign]: idsFor(first, path)[foreign] ?? "" }
        const reply = await ask(second, method, path, ids)
        expect([method, path, foreign, reply.status]).toEqual([method, path, foreign, 404])
        expect(reply.text).not.toContain("Ada Lovelace")
      }
    }
  })

  it("of the same platform exists, and the same calls succeed", async () => {
    const own = await createTenant(world.server.base, world.platform)
    const order = ["GET", "POST", "PUT", "PATCH", "DELETE"]
    // The agent's calls come first, because the platform's calls change the agent.
    const rank = ({ method, path }: { readonly method: string; readonly path: string }) =>
      Number(!isOfAgent(path)) * order.length + order.indexOf(method)
    for (const { method, path } of operations.toSorted((a, b) => rank(a) - rank(b))) {
      const { status } = await ask(own, method, path, idsFor(own, path))
      // 202: the request must be signed. 401: the code is wrong.
      // 409: the agent has redeemed a code, the action is decided, or no wallet and no quote awaits a proof.
      const isWrongCode = path.startsWith("/auth/") && path.endsWith("/verify") && status === 401
      // 400: the platform has no webhook endpoint.
      const hasNoEndpoint = path.endsWith("/resend") && status === 400
      const isAnswered = [200, 201, 202, 204, 409].includes(status) || isWrongCode || hasNoEndpoint
      expect([method, path, isAnswered || status]).toEqual([method, path, true])
    }
  })

  it("may have its colon encoded", async () => {
    const { customerId } = first.customer
    const reply = await first.platform("GET", `/customers/${encodeURIComponent(customerId)}`)
    expect(reply).toMatchObject({ status: 200, body: { id: customerId } })
  })

  it("of another customer of the same platform does not exist for an agent", async () => {
    const otherCustomer = await createTenant(world.server.base, world.platform)
    for (const { method, path } of operations.filter((operation) => isOfAgent(operation.path))) {
      expect([path, (await ask(first, method, path, otherCustomer.ids)).status]).toEqual([path, 404])
    }
  })
})

describe("an id in a body or a query", () => {
  it("of another platform is not found, or matches no record", async () => {
    const { agent, customer, platform, source } = second
    const path = "/agents/me/transfer-in"
    for (const body of [transfer(first.source, customer, 1), transfer(source, first.customer, 1)]) {
      expect(await agent.send("POST", path, { body })).toMatchObject({
        status: 404,
        body: { code: "REFERENCE_NOT_FOUND" },
      })
    }
    const policy = {
      permissions: [],
      defaultExecutionMode: "AUTO",
      spendingLimits: { currency: "USD", perTransactionLimit: 1 },
    }
    const { customerId } = first.customer
    expect(await platform("POST", "/agents", { body: { name: "x", customerId, policy } })).toMatchObject({
      status: 400,
      body: { code: "INVALID_INPUT", details: { errors: [{ field: "customerId" }] } },
    })
    await expect(newSource(platform, first.customer)).rejects.toThrow(/got 400 .*"customerId"/u)
    for (const list of [
      "/customers/internal-accounts?",
      "/customers/external-accounts?",
      "/agents?",
      "/agents/approvals?",
      "/transactions?",
    ]) {
      expect(await platform("GET", `${list}customerId=${customerId}`)).toMatchObject({
        status: 200,
        body: { data: [], totalCount: 0 },
      })
    }
  })

  it("of the platform itself is in no list of the other platform", async () => {
    const path = "/platform/external-accounts"
    for (const [one, other] of [
      [first, second],
      [second, first],
    ] as const) {
      const { text } = await one.platform("GET", path)
      expect(text).toContain(one.ownAccount)
      expect(text).not.toContain(other.ownAccount)
      expect(text).not.toContain(one.source)
    }
  })

  it("is in no list of the other platform", async () => {
    const lists = [
      "/customers/internal-accounts",
      "/customers/external-accounts",
      "/agents",
      "/agents/approvals",
      "/cards",
    ]
    for (const list of lists.map((path) => `${path}?limit=100`)) {
      const [ofFirst, ofSecond] = [await first.platform("GET", list), await second.platform("GET", list)]
      expect([ofFirst.status, ofSecond.status]).toEqual([200, 200])
      expect(ofFirst.text).toContain(first.customer.customerId)
      expect(ofFirst.text).not.toContain(second.customer.customerId)
      expect(ofSecond.text).not.toContain(first.customer.customerId)
    }
  })
})

describe("after all calls of the other platform", () => {
  it("leaves all records of the first platform unchanged", async () => {
    const { ids, platform } = first
    expect(await platform("GET", `/agents/${ids["agentId"]}`)).toMatchObject({
      status: 200,
      body: {
        name: "Payroll",
        policy: { permissions: AgentPermissions.keys },
      },
    })
    const approvals = await platform("GET", `/agents/approvals?agentId=${ids["agentId"]}`)
    expect(at(approvals.body, "data", 0, "id")).toBe(ids["actionId"])
  })
})
