/** Routing of addresses to endpoints. */
import { describe, expect, it } from "vitest"
import { basic, bearer, call, fakeService, json, publicKey, send, sendTo } from "./FakeService.ts"

const id = "Agent:00000000-0000-4000-8000-000000000001"

describe("paths", () => {
  it.each([
    ["GET", "/agents/me", "agentsMe.getAgentMe", bearer()],
    ["GET", "/agents/approvals", "agents.listAgentApprovals", basic()],
    ["GET", "/agents/whatever", "agents.getAgentById", basic()],
    ["PATCH", "/agents/approvals", "agents.updateAgent", basic()],
    ["GET", "/agents/device-codes/me/status", "agents.getAgentDeviceCodeStatus", basic()],
    ["POST", "/agents/device-codes/device-codes/redeem", "agents.redeemAgentDeviceCode", basic()],
    ["POST", "/agents/x/device-codes", "agents.regenerateAgentDeviceCode", basic()],
    ["GET", "/customers/internal-accounts", "customers.listCustomerInternalAccounts", basic()],
    ["GET", "/customers/internal-accounts-of-mine", "customers.getCustomerById", basic()],
    ["POST", "/sandbox/webhooks/test", "sandbox.sendTestWebhook", basic()],
    ["POST", "/webhooks/test", "sandbox.sendTestWebhookAlias", basic()],
  ])("route %s %s to %s", async (method, path, endpoint, authorization) => {
    const body = method === "PATCH" ? { body: { name: "a" } } : {}
    expect(await json(call(path, { method, authorization, ...body }))).toMatchObject({ endpoint })
  })

  it.each([id, id.replace(":", "%3A"), id.replace(":", "%3a"), `${id}/`, `${id}?x=1`])(
    "decode the identifier in %s",
    async (spelled) => {
      expect((await json(call(`/agents/${spelled}`))).params).toEqual({ agentId: id })
    },
  )

  it("ignore a trailing slash", async () => {
    expect((await call("/config/")).status).toBe(200)
    expect((await call("/config/", { method: "DELETE" })).status).toBe(405)
    expect((await send("/healthz/")).status).toBe(200)
  })

  it("have no fragment, which is not part of what is requested", async () => {
    expect((await json(call("/customers?limit=2#&cursor="))).query).toEqual({ limit: 2 })
    expect((await json(call("/customers#?limit=2"))).query).toEqual({})
    const changed = call("/agents/a#b", { method: "PATCH", body: { name: "a" } })
    expect(await json(changed)).toMatchObject({ params: { agentId: "a" }, payload: { name: "a" } })
  })

  it("treat HEAD as GET without a body", async () => {
    const [got, head] = await Promise.all([call("/config"), call("/config", { method: "HEAD" })])
    expect(head.status).toBe(200)
    expect(await head.text()).toBe("")
    expect(head.headers.get("content-length")).toBe(String((await got.text()).length))
    expect((await call("/config", { method: "HEAD", authorization: null })).status).toBe(401)
    expect((await call("/agents/device-codes/x/redeem", { method: "HEAD" })).status).toBe(405)
  })

  it.each([
    ["/config", "GET, PATCH, HEAD, OPTIONS"],
    ["/agents/x", "GET, PATCH, DELETE, HEAD, OPTIONS"],
    ["/agents/device-codes/x/redeem", "POST, OPTIONS"],
  ])("list the methods of %s for OPTIONS without credentials", async (path, allow) => {
    const response = await call(path, { method: "OPTIONS", authorization: null })
    expect(response.status).toBe(204)
    expect(response.headers.get("allow")?.split(", ").toSorted()).toEqual(allow.split(", ").toSorted())
    expect(response.headers.get("access-control-allow-origin")).toBeNull()
    expect((await call("/nope", { method: "OPTIONS" })).status).toBe(404)
  })

  it("send a 204 without body and content type", async () => {
    const response = await call(`/agents/${id}`, { method: "DELETE" })
    expect([response.status, response.headers.get("content-type"), await response.text()]).toEqual([204, null, ""])
  })
})

describe("the base path", () => {
  // Proves: GEN-01, VER-03
  it.each(["/", "/v9", "/api/2025-10-13/", "nested/one"])("may be %s", async (basePath) => {
    const service = fakeService({ basePath })
    const to = sendTo(service)
    const prefix = basePath === "/" ? "" : `/${basePath.replaceAll(/^\/|\/$/gu, "")}`
    expect((await to(`${prefix}/config`)).status).toBe(200)
    const index = await to(prefix === "" ? "/" : prefix, { authorization: null })
    expect([index.status, await index.json()]).toMatchObject([200, { documentation: "/docs" }])
    expect((await to(`${prefix}/config`, { method: "PUT" })).headers.get("allow")).toContain("PATCH")
    expect((await to("/2025-10-13/config")).status).toBe(404)
    expect((await to("/healthz")).status).toBe(200)
    expect((await json(to("/openapi.json"))).servers).toEqual([{ url: prefix === "" ? "/" : prefix }])
    await service.dispose()
  })
})

describe("a live deployment", () => {
  it("has no sandbox operations: their paths are unknown and undocumented", async () => {
    const service = fakeService({ sandbox: false })
    const to = sendTo(service)
    for (const path of ["/sandbox/internal-accounts/x/fund", "/sandbox/webhooks/test", "/webhooks/test"]) {
      const response = await to(`/2025-10-13${path}`, { method: "POST", body: { amount: 1 } })
      expect([response.status, (await json(response)).code]).toEqual([404, "REFERENCE_NOT_FOUND"])
    }
    expect((await to("/2025-10-13/config")).status).toBe(200)
    expect(await (await to("/openapi.json")).text()).not.toContain("/sandbox/")
    await service.dispose()
  })
})

describe("the system routes", () => {
  it("serve health and readiness without credentials, and the webhook key with those of a platform", async () => {
    expect(await json(send("/healthz", { authorization: null }))).toEqual({ status: "ok" })
    expect((await send("/readyz", { authorization: null })).status).toBe(200)
    expect((await send("/webhooks/public-key", { authorization: null })).status).toBe(401)
    const key = await send("/webhooks/public-key", { authorization: basic() })
    expect(key.headers.get("content-type")).toBe("application/x-pem-file")
    expect(await key.text()).toBe(publicKey)
  })

  it("report an unavailable store as not ready but healthy", async () => {
    const service = fakeService({ isReady: false })
    const unready = await sendTo(service)("/readyz")
    expect([unready.status, unready.headers.get("retry-after")]).toEqual([503, "1"])
    expect((await sendTo(service)("/healthz")).status).toBe(200)
    await service.dispose()
  })
})
