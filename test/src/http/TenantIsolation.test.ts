/**
 * The access matrix: every operation of the interface with every kind of credential of every tenant. A wrong kind of credential is a 401,
 * a missing permission is a 403, and records of another tenant do not exist, are not shown and do not change.
 * Source: Spec: Authentication; wire contract 1, 9 and 11 (30, 31).
 */
import { Agents, ApiTokens, type Caller, Platforms, tenant } from "@countersign/core"
import { sandboxCurrencies, TokenPermissions } from "@countersign/core/models"
import { Redacted } from "effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type Harness, harness } from "../../../packages/test/src/harness/Harness.ts"
import { credentials } from "../../../packages/test/src/harness/World.ts"
import type { Row } from "../confinement/Row.ts"
import { rowOf } from "../confinement/Table.ts"
import { at } from "../e2e/Client.ts"
import { type Ids, type Operation, operations, requestOf } from "./ExampleRequests.ts"
import { agentOf, allPermissions, type Owner, settle, type Tenant } from "./IsolatedTenant.ts"

const basic = (clientId: string, secret: string) => `Basic ${btoa(`${clientId}:${secret}`)}`
const bearer = (token: string) => `Bearer ${token}`

interface Credential {
  readonly what: string
  readonly authorization: string | undefined
  /** `none`: never a valid credential, or revoked. */
  readonly kind: "platform" | "agent" | "none"
  readonly owner?: Owner
  readonly permissions: ReadonlyArray<string>
}

const all = operations()
let pay: Harness
let tenants: ReadonlyArray<Tenant>
let matrix: ReadonlyArray<Credential>

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
  const own = await settle(pay, one, first, "Mark-A1")
  const otherCustomer = await settle(pay, one, first, "Mark-A2")
  const foreign = await settle(pay, two, other, "Mark-B1")
  tenants = [own, otherCustomer, foreign]

  const tokenWith = async (platform: Caller, permissions: ReadonlyArray<(typeof TokenPermissions)[number]>) => {
    const { body } = await pay.run(
      ApiTokens.use((tokens) => tokens.create({ name: "One of several", permissions: [...permissions] })),
      platform,
    )
    return { id: body.id, authorization: basic(body.clientId, body.clientSecret ?? "") }
  }
  const deleted = await tokenWith(one, ["VIEW", "TRANSACT", "MANAGE"])
  await pay.run(
    ApiTokens.use((tokens) => tokens.remove(deleted.id)),
    one,
  )
  const revoked = await agentOf(pay, one, own.owner.customer, allPermissions, "Revoked")
  await pay.run(
    Agents.use((agents) => agents.remove(revoked.agentId)),
    one,
  )
  const bare = await agentOf(pay, one, own.owner.customer, [], "Bare")
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
    { what: "a deleted API token", authorization: deleted.authorization, ...none },
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
    agentBy("the customer's agent", own.agentToken, own, allPermissions),
    agentBy("an agent of the customer without permissions", bare.token, own, []),
    agentBy("an agent of another customer", otherCustomer.agentToken, otherCustomer, allPermissions),
    agentBy("an agent of another platform", foreign.agentToken, foreign, allPermissions),
  ]
}, 60_000)
afterAll(() => pay[Symbol.asyncDispose]())

let keys = 0
/** An idempotency key of its own for each request, because some operations require one. */
const newKey = () => {
  keys += 1
  return { "idempotency-key": `isolation-${keys}` }
}

const askAs = ({ authorization }: Credential, { method, ...operation }: Operation, ids: Ids) => {
  const { body, contentType, path } = requestOf({ method, ...operation }, ids)
  const sent = pay.send(method, path, {
    as: "nobody",
    headers: {
      ...(authorization === undefined ? {} : { authorization }),
      ...newKey(),
      ...(body === undefined ? {} : { "content-type": contentType }),
    },
    ...(body === undefined ? {} : { body }),
  })
  return sent.then((reply) => ({ ...reply, sentText: `${path} ${body ?? ""}`, text: JSON.stringify(reply.body) ?? "" }))
}

/** Whether the credential lacks the permission of the operation, which the table of confinement says. */
const lacks = ({ permissions }: Credential, { method, path }: Operation): boolean => {
  const { needs } = rowOf(method, path)
  if (needs === "ALL") return TokenPermissions.some((each) => !permissions.includes(each))
  return needs !== "TOKEN" && needs !== "NOBODY" && !permissions.includes(needs)
}

/** Whose credentials the operation takes, which the table of confinement says. */
const callerOf = ({ method, path }: Operation) => rowOf(method, path).caller

/** Whether the tenant of the request owns the credential. */
const isOwn = ({ owner }: Credential, tenantAsked: Tenant): boolean =>
  owner?.platform === tenantAsked.owner.platform &&
  (owner.customer === undefined || owner.customer === tenantAsked.owner.customer)

/** The lists, balances and states of a tenant's platform that a write of another tenant could change. */
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
    "/stablecoin-provider-accounts?limit=100",
    "/stablecoins?limit=100",
    `/stablecoins/${ids["stablecoinId"]}/operations?limit=100`,
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
  it("is part of the matrix, and most operations name a record of a tenant", () => {
    expect(all.length).toBeGreaterThan(80)
    expect(all.filter((each) => callerOf(each) === "nobody").map(({ name }) => name)).toEqual([
      "agents.redeemAgentDeviceCode",
    ])
    // Worlds, of which a server with several platforms has none, and scenarios are named, not owned.
    const isWithoutRecord = (path: string) => /^\/(?:sca|sandbox\/(?:worlds|scenarios))\//u.test(path)
    const unknown = all.flatMap(({ names, path }) =>
      isWithoutRecord(path) ? [] : names.filter((name) => tenants[0]?.ids[name] === undefined),
    )
    expect(unknown).toEqual([])
  })

  // Proves: EP-AGENT-03, EP-MGMT-12, EP-WALLET-01, SBX-CALL-02
  it("responds with 401 to every credential of another kind, whatever record it names", async () => {
    for (const credential of matrix) {
      const isRefused = (each: Operation) => callerOf(each) !== "nobody" && callerOf(each) !== credential.kind
      for (const operation of all.filter(isRefused)) {
        const reply = await askAs(credential, operation, tenants[0]?.ids ?? {})
        expect([credential.what, operation.name, reply.status]).toEqual([credential.what, operation.name, 401])
        expect(reply.headers.get("www-authenticate")).toMatch(
          callerOf(operation) === "platform" ? /^Basic/u : /^Bearer$/u,
        )
      }
    }
  })

  it("responds with 403 to every credential without its permission, whatever record it names", async () => {
    for (const credential of matrix) {
      for (const operation of all.filter((each) => callerOf(each) === credential.kind && lacks(credential, each))) {
        const reply = await askAs(credential, operation, tenants[0]?.ids ?? {})
        expect([credential.what, operation.name, reply.status]).toEqual([credential.what, operation.name, 403])
        expect(reply.body).toMatchObject({ code: "FORBIDDEN", details: { reason: "PERMISSION_MISSING" } })
      }
    }
  })

  it("neither shows nor changes records of another tenant, which do not exist for it", async () => {
    for (const victim of tenants) {
      const before = await stateOf(victim)
      for (const credential of matrix.filter(({ kind }) => kind !== "none")) {
        if (isOwn(credential, victim)) continue
        // A platform's own writes would change its own lists, so only requests that name the victim are sent.
        const named = all.filter(
          (each) => callerOf(each) === credential.kind && (each.method === "GET" || isNaming(each, victim)),
        )
        // The code of an invitation is for every platform, and too many unknown ones are refused: see `invitation/Invitations.test.ts`.
        const isOfInvitation = ({ path }: Operation) => path.startsWith("/invitations/")
        // The list of requests has the ids that its own platform has just sent: see `request/Requests.test.ts`.
        const repeatsIds = ({ name }: Operation) => name === "sandboxRequests.sandboxListRequests"
        const asked = named.filter((each) => !lacks(credential, each) && !isOfInvitation(each) && !repeatsIds(each))
        for (const operation of asked) {
          const reply = await askAs(credential, operation, victim.ids)
          const where = [credential.what, operation.name, reply.status]
          expect(reply.status, String(where)).toBeLessThan(500)
          if (operation.names.some((name) => victim.ids[name] !== undefined))
            expect(where).toEqual([...where.slice(0, 2), 404])
          if (operation.method !== "GET") expect([400, 403, 404], String(where)).toContain(reply.status)
          const leaks = victim.marks.filter((mark) => reply.text.includes(mark) && !reply.sentText.includes(mark))
          expect([...where, leaks]).toEqual([...where, []])
        }
      }
      expect(await stateOf(victim)).toEqual(before)
    }
  })

  // Proves: EP-AGENT-03, EP-MGMT-12, EP-WALLET-01, SBX-CALL-02
  it("accepts the right credential with neither a 401 nor a missing permission", async () => {
    const [own] = tenants
    if (own === undefined) throw new Error("no tenant")
    const order = ["GET", "POST", "PATCH", "DELETE"]
    const rank = (each: Operation) => Number(callerOf(each) !== "agent") * order.length + order.indexOf(each.method)
    // The texts that other tenants must not see are visible to the owner.
    const shown = new Set<string>()
    const right = (kind: Row["caller"]) =>
      matrix.find((each) => each.kind === kind && isOwn(each, own) && each.permissions.length > 1)
    for (const operation of all.toSorted((a, b) => rank(a) - rank(b))) {
      const credential = right(callerOf(operation))
      if (credential === undefined) continue
      const reply = await askAs(credential, operation, own.ids)
      const where = [operation.name, reply.status]
      for (const mark of own.marks) if (reply.text.includes(mark)) shown.add(mark)
      // The example's code is wrong, but the credential of the request was accepted.
      const isWrongCode = operation.name === "wallet.verifyAuthCredential" && reply.status === 401
      if (!isWrongCode) expect([401, 500], String(where)).not.toContain(reply.status)
      expect(at(reply.body, "details", "reason"), String(where)).not.toBe("PERMISSION_MISSING")
    }
    expect([...shown].toSorted()).toEqual([...new Set(own.marks)].toSorted())
  })
})

/** Whether the request of an operation names a record of the tenant. */
const isNaming = (operation: Operation, { ids }: Tenant): boolean => {
  const { body, path } = requestOf(operation, ids)
  return Object.values(ids).some((id) => path.includes(id) || body?.includes(id) === true)
}
