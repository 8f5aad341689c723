/** Access to endpoints: the reasons of a 401, the permissions of the endpoints, and the order of the checks. */
import { Access, Api } from "@countersign/client/api"
import { Context } from "effect"
import { HttpApi } from "effect/http-api"
import { describe, expect, it } from "vitest"
import { basic, bearer, call, json } from "./FakeService.ts"

interface Endpoint {
  readonly name: string
  readonly method: string
  readonly path: string
  readonly access: Access
  readonly scheme: "basic" | "bearer" | "none"
}

const endpoints: Array<Endpoint> = []
HttpApi.reflect(Api, {
  onGroup: () => {},
  onEndpoint: ({ endpoint, group, middleware }) => {
    const keys = [...middleware].map(({ key }) => key).join(" ")
    endpoints.push({
      name: `${group.identifier}.${endpoint.identifier}`,
      method: endpoint.method,
      path: endpoint.path.replace(/:\w+/gu, "x"),
      access: Context.get(endpoint.annotations, Access),
      scheme: keys.includes("PlatformCredentials") ? "basic" : keys.includes("AgentCredentials") ? "bearer" : "none",
    })
  },
})
const of = (scheme: Endpoint["scheme"]) => endpoints.filter((endpoint) => endpoint.scheme === scheme)

const reasons: ReadonlyArray<readonly [string, string, string | null, string]> = [
  ["a platform without an authorization header", "/config", null, "Missing credentials"],
  ["a platform with a blank header", "/config", " ", "Missing credentials"],
  ["a platform with a bearer token", "/config", bearer(), "Malformed credentials"],
  ["a platform with the scheme alone", "/config", "Basic", "Malformed credentials"],
  ["a platform with invalid base64", "/config", "Basic !!", "Malformed credentials"],
  ["a platform with credentials without a colon", "/config", `Basic ${btoa("all")}`, "Malformed credentials"],
  ["a platform with a wrong secret", "/config", basic("all", "wrong"), "Invalid credentials"],
  ["an agent without an authorization header", "/agents/me", null, "Missing credentials"],
  ["an agent with HTTP Basic credentials", "/agents/me", basic(), "Malformed credentials"],
  ["an agent with an unknown token", "/agents/me", "Bearer nobody", "Invalid agent token"],
]

// Proves: AUTH-01, ERR-UNAUTHORIZED
describe("a 401", () => {
  it.each(reasons)("is the response to %s", async (_what, path, authorization, reason) => {
    const response = await call(path, { authorization })
    expect(response.status).toBe(401)
    expect(response.headers.get("www-authenticate")).toMatch(path === "/config" ? /^Basic realm="/u : /^Bearer$/u)
    expect(await json(response)).toMatchObject({ code: "UNAUTHORIZED", reason, details: { reason } })
  })

  it("accepts the scheme in any case and a secret with colons", async () => {
    expect((await call("/config", { authorization: basic().replace("Basic", "bASIC") })).status).toBe(200)
    expect((await call("/config", { authorization: basic("all", "se:cret") })).status).toBe(401)
  })

  it("is not the response to an unavailable store", async () => {
    expect((await call("/config", { authorization: basic("away") })).status).toBe(503)
  })
})

// Proves: AUTH-02, AUTH-03
it("requires an agent's token for the agent's operations and HTTP Basic for all others except the redemption of a code", () => {
  for (const { name, path, scheme } of endpoints) {
    const isAgents = /^\/agents\/me(?:\/|$)/u.test(path)
    expect([name, scheme]).toEqual([
      name,
      isAgents ? "bearer" : name === "agents.redeemAgentDeviceCode" ? "none" : "basic",
    ])
  }
})

describe("the permissions of the platform's endpoints", () => {
  it("are declared by each endpoint", () => {
    expect(of("basic").filter(({ access }) => access.tokenPermission === undefined)).toEqual([])
    const reads = of("basic").filter(({ method }) => method === "GET")
    // The audit log requires MANAGE, and the file of a world, which contains it.
    const [audit, others] = ["MANAGE", "VIEW"].map((needed) =>
      reads.flatMap(({ access, name }) => (access.tokenPermission === needed ? [name] : [])),
    )
    expect(audit).toEqual(["audit.listAuditRecords", "sandboxWorlds.sandboxGetWorldFile"])
    expect(others).toHaveLength(reads.length - 2)
    const transacts = of("basic").filter(({ access }) => access.tokenPermission === "TRANSACT")
    expect(transacts.map(({ name }) => name).toSorted()).toEqual([
      "agents.approveAgentAction",
      "agents.rejectAgentAction",
      "quotes.authorizeQuote",
      "quotes.createQuote",
      "quotes.executeQuote",
      "quotes.resendQuoteScaCode",
      "sandbox.sandboxFundInternalAccount",
      "sandbox.sandboxReceive",
      "sandbox.sandboxSend",
      "sandboxCards.sandboxSimulateCardAuthorization",
      "sandboxCards.sandboxSimulateCardAuthorizationAdvice",
      "sandboxCards.sandboxSimulateCardBalanceInquiry",
      "sandboxCards.sandboxSimulateCardClearing",
      "sandboxCards.sandboxSimulateCardCreditAuthorization",
      "sandboxCards.sandboxSimulateCardCreditAuthorizationAdvice",
      "sandboxCards.sandboxSimulateCardFinancialAuthorization",
      "sandboxCards.sandboxSimulateCardFinancialCreditAuthorization",
      "sandboxCards.sandboxSimulateCardReturn",
      "sandboxCards.sandboxSimulateCardReturnReversal",
      "stablecoins.createStablecoinBurn",
      "stablecoins.createStablecoinMint",
      "transactions.approvePendingPayment",
      "transactions.cancelTransaction",
      "transactions.confirmReceiptDelivery",
      "transactions.rejectPendingPayment",
      "transfers.createTransferIn",
      "transfers.createTransferOut",
    ])
  })

  // Proves: ERR-FORBIDDEN
  it.each(of("basic"))("allow $name with the declared permission only", async ({ access, method, path }) => {
    for (const permission of ["VIEW", "TRANSACT", "MANAGE"]) {
      const response = await call(path, { method, authorization: basic(permission) })
      if (permission === access.tokenPermission) expect(response.status).not.toBe(403)
      else {
        expect(response.status).toBe(403)
        const details = { reason: "PERMISSION_MISSING", permission: access.tokenPermission }
        expect(await json(response)).toMatchObject({ code: "FORBIDDEN", details })
      }
    }
  })
})

describe("the permissions of an agent's endpoints", () => {
  it.each(of("bearer"))(
    "allow $name with the declared permission, and while paused only reads",
    async ({ access, method, path }) => {
      const bare = await call(path, { method, authorization: bearer("none") })
      expect(bare.status === 403).toBe(access.agentPermission !== undefined)
      const granted = await call(path, { method, authorization: bearer(access.agentPermission ?? "none") })
      expect(granted.status).not.toBe(403)
      const paused = await call(path, { method, authorization: bearer("all", true) })
      expect(paused.status === 403).toBe(access.isRefusedWhilePaused === true)
    },
  )

  it("reports the pause before a missing permission", async () => {
    const response = await call("/agents/me/transfer-in", { method: "POST", authorization: bearer("none", true) })
    expect((await json(response)).details).toEqual({ rule: "NOT_PAUSED", reason: "AGENT_PAUSED" })
  })

  it("refuses writes of a paused agent and allows its reads", () => {
    const refused = of("bearer").filter(({ access }) => access.isRefusedWhilePaused === true)
    expect(refused.map(({ name }) => name)).toEqual([
      "agentsMe.agentCreateTransferIn",
      "agentsMe.agentCreateTransferOut",
      "agentsMe.agentCreateQuote",
      "agentsMe.agentExecuteQuote",
      "agentsMe.agentCreateExternalAccount",
      "agentsMe.agentDeleteExternalAccount",
    ])
    expect(refused.map(({ name }) => name)).toEqual(
      of("bearer")
        .filter(({ method }) => method !== "GET")
        .map(({ name }) => name),
    )
  })
})

describe("the order of the checks", () => {
  const body = "{"
  // Each line corrects exactly one more problem.
  it.each([
    ["missing credentials first", { authorization: null, body }, 401, "UNAUTHORIZED"],
    ["a missing permission before the body", { authorization: basic("VIEW"), body }, 403, "FORBIDDEN"],
    ["a malformed body before its fields", { authorization: basic("MANAGE"), body }, 400, "INVALID_REQUEST_FORMAT"],
    ["a wrong field last", { authorization: basic("MANAGE"), body: "{}" }, 400, "INVALID_INPUT"],
    [
      "no problem in a valid request",
      { authorization: basic("MANAGE"), body: '{"customerType":"INDIVIDUAL"}' },
      201,
      undefined,
    ],
  ] as const)("reports %s", async (_what, sent, status, code) => {
    const response = await call("/customers", { method: "POST", ...sent })
    expect(response.status).toBe(status)
    expect((await json(response)).code).toBe(code)
  })

  it("requires no credentials to redeem a device code", async () => {
    expect(of("none").map(({ name }) => name)).toEqual(["agents.redeemAgentDeviceCode"])
    for (const authorization of [null, "nonsense", bearer()]) {
      const response = await call("/agents/device-codes/AGENT-1/redeem", { method: "POST", authorization })
      expect(response.status).toBe(200)
    }
  })
})
