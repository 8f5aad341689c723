/**
 * The whole matrix: every operation of the interface with every kind of credential of every tenant. What a credential is not for is
 * 401, what it lacks a permission for is 403, what belongs to somebody else does not exist, and nothing of it shows or changes.
 * Source: issue "Agents, complete", item 6; Spec: Authentication; wire contract 1, 9 and 11 (30, 31).
 */
import { Agents, ApiTokens, type Caller, Customers, DeviceCodes, Platforms, tenant } from "@countersign/core"
import { type AgentPermission, AgentPermissions, sandboxCurrencies, TokenPermissions } from "@countersign/core/models"

import { Redacted } from "effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { at } from "../e2e/Client.ts"
import { addCustomer, addSource, policy } from "../harness/AgentWorld.ts"
import { type Harness, harness } from "../harness/Harness.ts"
import { credentials } from "../harness/World.ts"
import { type Ids, type Operation, operations, requestOf } from "./ExampleRequests.ts"

const basic = (clientId: string, secret: string) => `Basic ${btoa(`${clientId}:${secret}`)}`
const bearer = (token: string) => `Bearer ${token}`

const everything: ReadonlyArray<AgentPermission> = AgentPermissions.keys

/** Whose a credential is: a platform's or a customer's. */
interface Owner {
  readonly platform: string
  readonly customer?: string
}

interface Credential {
  readonly what: string
  readonly authorization: string | undefined
  /** `none`: it is no credential at all, or not any more. */
  readonly kind: "platform" | "agent" | "none"
  readonly owner?: Owner
  readonly permissions: ReadonlyArray<string>
}

/** Everything of which one customer of one platform has an id, and the words that only its records hold. */
interface Tenant {
  readonly owner: Required<Owner>
  readonly platform: Caller
  readonly ids: Ids
  readonly marks: ReadonlyArray<string>
  readonly agentToken: string
}

const all = operations()
let pay: Harness
let tenants: ReadonlyArray<Tenant>
let matrix: ReadonlyArray<Credential>

const agentOf = async (
  platform: Caller,
  customerId: string,
  permissions: ReadonlyArray<AgentPermission>,
  name: string,
) => {
  const created = await pay.run(
    Agents.use((agents) => agents.create({ name, customerId, policy: policy({ permissions: [...permissions] }) })),
    platform,
  )
  const { agent, deviceCode } = created.body
  const redeemed = await pay.run(DeviceCodes.use((codes) => codes.redeem(deviceCode.code)))
  return { agentId: agent.id, code: deviceCode.code, token: redeemed.body.accessToken }
}

/** What is made by signatures alone has its own tests; nobody's is not there either. */
const nobodys = {
  sessionId: "Session:01a1fdfa-4600-7000-8000-000000000000",
  delegatedKeyId: "DelegatedKey:01a1fdfa-4600-7000-8000-000000000000",
}

/** A customer with everything that it can have, made over HTTP where that shows an id. */
const settle = async (platform: Caller, authorization: string, mark: string): Promise<Tenant> => {
  const ask = async (method: string, path: string, body?: object) => {
    const reply = await pay.send(method, path, {
      as: "nobody",
      headers: { authorization },
      ...(body === undefined ? {} : { body }),
    })
    if (reply.status >= 300) throw new Error(`${method} ${path}: ${reply.status} ${JSON.stringify(reply.body)}`)
    return reply.body
  }
  const within: Harness = { ...pay, run: (effect, caller = platform) => pay.run(effect, caller) }
  const { accountId, customerId } = await addCustomer(within)
  await pay.run(
    Customers.use((customers) =>
      customers.update(customerId, { customerType: "INDIVIDUAL", fullName: `Person ${mark}` }),
    ),
    platform,
  )
  const source = await addSource(within, customerId, "000")
  await ask("POST", `/sandbox/internal-accounts/${accountId}/fund`, { amount: 5000 })
  const agent = await agentOf(platform, customerId, everything, `Agent ${mark}`)
  await ask("PATCH", `/agents/${agent.agentId}/policy`, { approvalThresholds: { currency: "USD", amount: 100 } })
  const submit = (amount: number) =>
    pay.send("POST", "/agents/me/transfer-in", {
      as: { token: agent.token },
      body: { source: { accountId: source }, destination: { accountId }, amount },
    })
  const executed = await submit(1)
  const action = await submit(101)
  const info = { legalName: `Works ${mark}`, country: "US", taxId: "987654321", incorporatedOn: "2014-03-01" }
  const business = String(at(await ask("POST", "/customers", { customerType: "BUSINESS", businessInfo: info }), "id"))
  const person = {
    firstName: "Owner",
    lastName: mark,
    birthDate: "1985-12-10",
    nationality: "GB",
    address: { line1: "1 Main St", postalCode: "12345", country: "US" },
    idType: "SSN",
    identifier: "123456789",
  }
  const owner = { customerId: business, roles: ["UBO"], ownershipPercentage: 100, personalInfo: person }
  const beneficialOwnerId = String(at(await ask("POST", "/beneficial-owners", owner), "id"))
  const verificationId = String(at(await ask("POST", "/verifications", { customerId: business }), "id"))
  const tokenId = String(at(await ask("POST", "/tokens", { name: `Token ${mark}`, permissions: ["VIEW"] }), "id"))
  const asked = await pay.send("POST", "/agents/me/quotes", {
    as: { token: agent.token },
    body: {
      source: { sourceType: "ACCOUNT", accountId },
      destination: { destinationType: "ACCOUNT", accountId: source },
      lockedCurrencySide: "SENDING",
      lockedCurrencyAmount: 100,
    },
  })
  const quote = String(at(asked.body, "id"))
  const card = { cardholderId: customerId, form: "VIRTUAL", fundingSources: [accountId] }
  const cardId = String(at(await ask("POST", "/cards", card), "id"))
  const contact = { customerType: "INDIVIDUAL", fullName: `Holder ${mark}`, email: "holder@example.com" }
  const holder = String(at(await ask("POST", "/customers", contact), "id"))
  const wallets = await ask("GET", `/customers/internal-accounts?customerId=${holder}&type=EMBEDDED_WALLET`)
  const walletId = String(at(wallets, "data", 0, "id"))
  const credentials = await ask("GET", `/auth/credentials?accountId=${walletId}`)
  const ids = {
    quoteId: quote,
    cardId,
    credentialId: String(at(credentials, "data", 0, "id")),
    customerId,
    accountId,
    agentId: agent.agentId,
    actionId: String(at(action.body, "id")),
    transactionId: String(at(executed.body, "transaction", "id")),
    externalAccountId: source,
    beneficialOwnerId,
    verificationId,
    tokenId,
    code: agent.code,
  }
  const types = {
    Customer: customerId,
    InternalAccount: accountId,
    ExternalAccount: source,
    Agent: agent.agentId,
    AgentAction: ids.actionId,
    Transaction: ids.transactionId,
  }
  return {
    owner: { platform: platform.platformId, customer: customerId },
    platform,
    ids: { ...ids, ...types, ...nobodys },
    marks: [mark, ...Object.values(ids), business],
    agentToken: agent.token,
  }
}

beforeAll(async () => {
  pay = await harness()
  const second = { clientId: "client_second", clientSecret: "secret_second" }
  const secondId = await pay.run(
    Platforms.use((platforms) =>
      platforms.setUp({
        clientId: second.clientId,
        clientSecret: Redacted.make(second.clientSecret),
        name: "Second platform",
        currencies: sandboxCurrencies,
      }),
    ),
  )
  const whole = (platformId: string): Caller =>
    ({ ...tenant(platformId), permissions: [...TokenPermissions] }) as Caller
  const [one, two] = [whole(pay.platformId), whole(secondId)]
  const first = basic(credentials.clientId, credentials.clientSecret)
  const other = basic(second.clientId, second.clientSecret)
  const own = await settle(one, first, "Mark-A1")
  const neighbour = await settle(one, first, "Mark-A2")
  const foreign = await settle(two, other, "Mark-B1")
  tenants = [own, neighbour, foreign]

  const tokenWith = async (platform: Caller, permissions: ReadonlyArray<(typeof TokenPermissions)[number]>) => {
    const { body } = await pay.run(
      ApiTokens.use((tokens) => tokens.create({ name: "One of several", permissions: [...permissions] })),
      platform,
    )
    return { id: body.id, authorization: basic(body.clientId, body.clientSecret ?? "") }
  }
  const gone = await tokenWith(one, ["VIEW", "TRANSACT", "MANAGE"])
  await pay.run(
    ApiTokens.use((tokens) => tokens.remove(gone.id)),
    one,
  )
  const revoked = await agentOf(one, own.owner.customer, everything, "Revoked")
  await pay.run(
    Agents.use((agents) => agents.remove(revoked.agentId)),
    one,
  )
  const bare = await agentOf(one, own.owner.customer, [], "Bare")
  const none = { kind: "none", permissions: [] } as const
  const platformOf = (what: string, authorization: string, platform: Caller, permissions: ReadonlyArray<string>) =>
    ({ what, authorization, kind: "platform", owner: { platform: platform.platformId }, permissions }) as const
  const agentBy = (what: string, token: string, { owner }: Tenant, permissions: ReadonlyArray<string>) =>
    ({ what, authorization: bearer(token), kind: "agent", owner, permissions }) as const

  matrix = [
    { what: "nothing", authorization: undefined, ...none },
    { what: "an unknown scheme", authorization: "Negotiate abc", ...none },
    { what: "an unknown client", authorization: basic("nobody", credentials.clientSecret), ...none },
    { what: "a wrong secret", authorization: basic(credentials.clientId, second.clientSecret), ...none },
    { what: "a deleted API token", authorization: gone.authorization, ...none },
    { what: "an unknown agent token", authorization: bearer(`gat_${"0".repeat(40)}`), ...none },
    { what: "a revoked agent's token", authorization: bearer(revoked.token), ...none },
    { what: "a redeemed device code as a token", authorization: bearer(own.ids["code"] ?? ""), ...none },
    { what: "a client secret as an agent token", authorization: bearer(credentials.clientSecret), ...none },
    { what: "an agent token as a secret", authorization: basic(credentials.clientId, own.agentToken), ...none },
    platformOf("the platform", first, one, TokenPermissions),
    ...(await Promise.all(
      TokenPermissions.map(async (permission) =>
        platformOf(`the platform's token for ${permission}`, (await tokenWith(one, [permission])).authorization, one, [
          permission,
        ]),
      ),
    )),
    platformOf("another platform", other, two, TokenPermissions),
    agentBy("the customer's agent", own.agentToken, own, everything),
    agentBy("an agent of the customer without permissions", bare.token, own, []),
    agentBy("an agent of another customer", neighbour.agentToken, neighbour, everything),
    agentBy("an agent of another platform", foreign.agentToken, foreign, everything),
  ]
}, 60_000)
afterAll(() => pay[Symbol.asyncDispose]())

const askAs = ({ authorization }: Credential, { method, ...operation }: Operation, ids: Ids) => {
  const { body, path } = requestOf({ method, ...operation }, ids)
  const sent = pay.send(method, path, {
    as: "nobody",
    headers: authorization === undefined ? {} : { authorization },
    ...(body === undefined ? {} : { body }),
  })
  return sent.then((reply) => ({ ...reply, asked: `${path} ${body ?? ""}`, text: JSON.stringify(reply.body) ?? "" }))
}

/** What a credential needs, that this one lacks. */
const lacks = ({ permissions }: Credential, { access, scheme }: Operation): boolean => {
  const needed = scheme === "platform" ? access.tokenPermission : access.agentPermission
  return needed === undefined ? scheme === "platform" : !permissions.includes(needed)
}

/** Whether what the request names is the credential's own. */
const isOwn = ({ owner }: Credential, tenantAsked: Tenant): boolean =>
  owner?.platform === tenantAsked.owner.platform &&
  (owner.customer === undefined || owner.customer === tenantAsked.owner.customer)

/** Lists, balances and states of a tenant's platform: what a write of somebody else could have changed. */
const stateOf = async ({ ids, platform }: Tenant) => {
  const authorization = matrix.find(
    ({ kind, owner, permissions }) =>
      kind === "platform" && owner?.platform === platform.platformId && permissions.length === TokenPermissions.length,
  )?.authorization
  const found: Array<unknown> = []
  for (const path of [
    "/config",
    "/customers?limit=100",
    "/agents?limit=100",
    "/agents/approvals?status=PENDING_APPROVAL&status=APPROVED&status=REJECTED&status=FAILED&limit=100",
    "/customers/internal-accounts?limit=100",
    "/customers/external-accounts?limit=100",
    "/platform/external-accounts?limit=100",
    "/transactions?limit=100",
    "/tokens?limit=100",
    `/agents/device-codes/${ids["code"]}/status`,
  ]) {
    const reply = await pay.send("GET", path, { as: "nobody", headers: { authorization: authorization ?? "" } })
    expect([path, reply.status]).toEqual([path, 200])
    found.push(reply.body)
  }
  return found
}

describe("every operation", () => {
  it("is known here, and most of them name something of somebody", () => {
    expect(all.length).toBeGreaterThan(80)
    expect(all.filter(({ scheme }) => scheme === "open").map(({ name }) => name)).toEqual(["agents.redeemDeviceCode"])
    const unknown = all.flatMap(({ names, path }) =>
      path.startsWith("/sca/") ? [] : names.filter((name) => tenants[0]?.ids[name] === undefined),
    )
    expect(unknown).toEqual([])
  })

  it("answers 401 to every credential that is not for it, whatever it names", async () => {
    for (const credential of matrix) {
      for (const operation of all.filter(({ scheme }) => scheme !== "open" && scheme !== credential.kind)) {
        const reply = await askAs(credential, operation, tenants[0]?.ids ?? {})
        expect([credential.what, operation.name, reply.status]).toEqual([credential.what, operation.name, 401])
        expect(reply.headers.get("www-authenticate")).toMatch(operation.scheme === "platform" ? /^Basic/u : /^Bearer$/u)
      }
    }
  })

  it("answers 403 to every credential that lacks its permission, whatever it names", async () => {
    for (const credential of matrix) {
      for (const operation of all.filter((each) => each.scheme === credential.kind && lacks(credential, each))) {
        // What an agent needs no permission for is its own: who it is, and what it asked for.
        if (operation.scheme === "agent" && operation.access.agentPermission === undefined) continue
        const reply = await askAs(credential, operation, tenants[0]?.ids ?? {})
        expect([credential.what, operation.name, reply.status]).toEqual([credential.what, operation.name, 403])
        expect(reply.body).toMatchObject({ code: "FORBIDDEN", details: { reason: "PERMISSION_MISSING" } })
      }
    }
  })

  it("shows and changes nothing of another tenant: what is named is not there", async () => {
    for (const victim of tenants) {
      const before = await stateOf(victim)
      for (const credential of matrix.filter(({ kind }) => kind !== "none")) {
        if (isOwn(credential, victim)) continue
        // A platform's own writes would change its own lists: only what names the victim is asked.
        const named = all.filter(
          (each) => each.scheme === credential.kind && (each.method === "GET" || isNaming(each, victim)),
        )
        for (const operation of named.filter((each) => !lacks(credential, each))) {
          const reply = await askAs(credential, operation, victim.ids)
          const where = [credential.what, operation.name, reply.status]
          expect(reply.status, String(where)).toBeLessThan(500)
          if (operation.names.some((name) => victim.ids[name] !== undefined))
            expect(where).toEqual([...where.slice(0, 2), 404])
          if (operation.method !== "GET") expect([400, 403, 404], String(where)).toContain(reply.status)
          const leaks = victim.marks.filter((mark) => reply.text.includes(mark) && !reply.asked.includes(mark))
          expect([...where, leaks]).toEqual([...where, []])
        }
      }
      expect(await stateOf(victim)).toEqual(before)
    }
  })

  it("takes the right credential: neither 401 nor a permission stands in the way", async () => {
    const [own] = tenants
    if (own === undefined) throw new Error("no tenant")
    const order = ["GET", "POST", "PATCH", "DELETE"]
    const rank = ({ method, scheme }: Operation) => Number(scheme !== "agent") * order.length + order.indexOf(method)
    // What the others are not shown is there to be shown.
    const shown = new Set<string>()
    const right = (kind: Operation["scheme"]) =>
      matrix.find((each) => each.kind === kind && isOwn(each, own) && each.permissions.length > 1)
    for (const operation of all.toSorted((a, b) => rank(a) - rank(b))) {
      const credential = right(operation.scheme)
      if (credential === undefined) continue
      const reply = await askAs(credential, operation, own.ids)
      const where = [operation.name, reply.status]
      for (const mark of own.marks) if (reply.text.includes(mark)) shown.add(mark)
      // An example's code is a wrong one: the credential of the request was right.
      const isWrongCode = operation.name === "wallet.verifyCredential" && reply.status === 401
      if (!isWrongCode) expect([401, 500], String(where)).not.toContain(reply.status)
      expect(at(reply.body, "details", "reason"), String(where)).not.toBe("PERMISSION_MISSING")
    }
    expect([...shown].toSorted()).toEqual([...new Set(own.marks)].toSorted())
  })
})

/** Whether the request of an operation names something of the tenant. */
const isNaming = (operation: Operation, { ids }: Tenant): boolean => {
  const { body, path } = requestOf(operation, ids)
  return Object.values(ids).some((id) => path.includes(id) || body?.includes(id) === true)
}
