/**
 * Access tokens of agents: their rotation with an overlap, and their expiry where a deployment chooses one.
 * Source: D-344; wire contract 1.5.
 */
import { AgentTokenLifetime } from "@countersign/core/ports"
import { Layer } from "effect"
import { describe, expect, it } from "vitest"
import { type Harness, harness } from "../../../packages/test/src/harness/Harness.ts"
import { at, idOf } from "../customer/CustomerRequests.ts"

const policy = { permissions: ["VIEW_TRANSACTIONS"], defaultExecutionMode: "AUTO", spendingLimits: { currency: "USD" } }

const newAgent = async (pay: Harness, isConnected = true) => {
  const customerId = idOf(
    await pay.send("POST", "/customers", { body: { customerType: "INDIVIDUAL", fullName: "Ada Lovelace" } }),
  )
  const created = await pay.send("POST", "/agents", {
    body: {
      name: "Payroll",
      customerId,
      policy: { ...policy, spendingLimits: { currency: "USD", perTransactionLimit: 1 } },
    },
  })
  const agentId = String(at(created, "agent", "id"))
  const code = String(at(created, "deviceCode", "code"))
  const redeemed = isConnected
    ? await pay.send("POST", `/agents/device-codes/${code}/redeem`, { as: "nobody" })
    : undefined
  return {
    redeemed: redeemed?.body,
    token: redeemed === undefined ? "" : String(at(redeemed, "accessToken")),
    rotate: (body: object = {}) => pay.send("POST", `/agents/${agentId}/token`, { body }),
    remove: () => pay.send("DELETE", `/agents/${agentId}`),
    me: async (token: string) =>
      (await pay.send("GET", "/agents/me", { as: "nobody", headers: { authorization: `Bearer ${token}` } })).status,
  }
}

describe("the rotation of an agent's token", () => {
  it("returns a new token beside the old one, which ends with the overlap", async () => {
    await using pay = await harness()
    const { me, redeemed, rotate, token } = await newAgent(pay)
    expect(redeemed).not.toHaveProperty("expiresAt")
    const rotated = await rotate({ overlapSeconds: 60 })
    expect(rotated).toMatchObject({ status: 201, body: { accessToken: expect.stringMatching(/^gat_[0-9a-f]{40}$/u) } })
    const next = String(at(rotated, "accessToken"))
    expect(Date.parse(String(at(rotated, "previousExpiresAt")))).toBe((await pay.clock.now()) + 60_000)
    await pay.clock.advance("59999 millis")
    expect([await me(token), await me(next)]).toEqual([200, 200])
    await pay.clock.advance("1 millis")
    expect([await me(token), await me(next)]).toEqual([401, 200])
  })

  it("leaves at most two tokens, however often it is repeated", async () => {
    await using pay = await harness()
    const { me, rotate, token } = await newAgent(pay)
    const second = String(at(await rotate(), "accessToken"))
    const third = String(at(await rotate(), "accessToken"))
    expect([await me(token), await me(second), await me(third)]).toEqual([401, 200, 200])
    const fourth = String(at(await rotate({ overlapSeconds: 0 }), "accessToken"))
    expect([await me(second), await me(third), await me(fourth)]).toEqual([401, 401, 200])
  })

  it("ends with the agent, whose tokens are all refused", async () => {
    await using pay = await harness()
    const { me, remove, rotate, token } = await newAgent(pay)
    const next = String(at(await rotate(), "accessToken"))
    await remove()
    expect([await me(token), await me(next)]).toEqual([401, 401])
    expect((await rotate()).status).toBe(404)
  })

  it("is refused before the agent is connected, and for an overlap of more than a week", async () => {
    await using pay = await harness()
    const { rotate } = await newAgent(pay, false)
    expect(await rotate()).toMatchObject({ status: 409, body: { details: { reason: "AGENT_NOT_CONNECTED" } } })
    expect((await rotate({ overlapSeconds: 604_801 })).status).toBe(400)
  })

  it("is audited without the token", async () => {
    await using pay = await harness()
    const { rotate } = await newAgent(pay)
    const next = String(at(await rotate(), "accessToken"))
    const records = JSON.stringify((await pay.send("GET", "/audit-records")).body)
    expect(records).toContain('"AGENT_TOKEN_ROTATE"')
    expect(records).not.toContain(next)
  })
})

describe("an agent's token with a lifetime", () => {
  it("expires, also during an overlap that would last longer, and is replaced by a rotation", async () => {
    const day = 24 * 60 * 60 * 1000
    await using pay = await harness({ ports: Layer.succeed(AgentTokenLifetime, day) })
    const { me, redeemed, rotate, token } = await newAgent(pay)
    expect(redeemed).toMatchObject({ expiresAt: expect.any(String) })
    await pay.clock.advance("23 hours")
    const next = String(at(await rotate({ overlapSeconds: 7200 }), "accessToken"))
    await pay.clock.advance("59 minutes")
    expect([await me(token), await me(next)]).toEqual([200, 200])
    await pay.clock.advance("1 minutes")
    expect([await me(token), await me(next)]).toEqual([401, 200])
    await pay.clock.advance("23 hours")
    expect(await me(next)).toBe(401)
    const last = String(at(await rotate(), "accessToken"))
    expect(await me(last)).toBe(200)
  })
})
