/** Access to endpoints: the reasons of a 401, the permissions of the endpoints, and the order of the checks. */
import { describe, expect, it } from "vitest"
import type { Row } from "../confinement/Row.ts"
import { table } from "../confinement/Table.ts"
import { basic, bearer, call, json } from "./FakeService.ts"

/** The requests of operations, by whose credentials they need. The table of confinement says which; no definition is read. */
const of = (caller: Row["caller"]) =>
  table.flatMap((row) =>
    row.caller === caller
      ? [{ name: row.operation, method: row.method, path: row.path.replaceAll(/\{\w+\}/gu, "x"), needs: row.needs }]
      : [],
  )

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
it("requires an agent's token for the agent's operations and HTTP Basic for all others except the redemption of a code", async () => {
  for (const { caller, method, operation, path } of table) {
    const isAgents = /^\/agents\/me(?:\/|$)/u.test(path)
    const expected = isAgents ? "agent" : operation.endsWith("/redeem") ? "nobody" : "platform"
    expect([operation, caller]).toEqual([operation, expected])
    const { headers, status } = await call(path.replaceAll(/\{\w+\}/gu, "x"), { method, authorization: null })
    if (caller === "nobody") expect(status).not.toBe(401)
    else {
      expect([operation, status]).toEqual([operation, 401])
      expect(headers.get("www-authenticate")).toMatch(caller === "agent" ? /^Bearer$/u : /^Basic realm="/u)
    }
  }
})

describe("the permissions of the platform's endpoints", () => {
  // Proves: ERR-FORBIDDEN
  it.each(of("platform"))("allow $name with the permission of its row only", async ({ method, needs, path }) => {
    for (const permission of ["VIEW", "TRANSACT", "MANAGE"]) {
      const response = await call(path, { method, authorization: basic(permission) })
      // A run of all permissions asks for the others after the first.
      if (permission === (needs === "ALL" ? "MANAGE" : needs)) expect(response.status).not.toBe(403)
      else {
        expect(response.status).toBe(403)
        expect(await json(response)).toMatchObject({ code: "FORBIDDEN", details: { reason: "PERMISSION_MISSING" } })
      }
    }
  })
})

describe("the permissions of an agent's endpoints", () => {
  it.each(of("agent"))(
    "allow $name with the permission of its row, and while paused only reads",
    async ({ method, needs, path }) => {
      const bare = await call(path, { method, authorization: bearer("none") })
      expect(bare.status === 403).toBe(needs !== "TOKEN")
      const granted = await call(path, { method, authorization: bearer(needs === "TOKEN" ? "none" : needs) })
      expect(granted.status).not.toBe(403)
      const paused = await call(path, { method, authorization: bearer("all", true) })
      expect(paused.status === 403).toBe(method !== "GET")
    },
  )

  it("reports the pause before a missing permission", async () => {
    const response = await call("/agents/me/transfer-in", { method: "POST", authorization: bearer("none", true) })
    expect((await json(response)).details).toEqual({ rule: "NOT_PAUSED", reason: "AGENT_PAUSED" })
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
    expect(of("nobody").map(({ name }) => name)).toEqual(["POST /agents/device-codes/{code}/redeem"])
    for (const authorization of [null, "nonsense", bearer()]) {
      const response = await call("/agents/device-codes/AGENT-1/redeem", { method: "POST", authorization })
      expect(response.status).toBe(200)
    }
  })
})
