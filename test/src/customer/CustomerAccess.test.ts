/**
 * The end of a customer's access: wallet sessions, agent tokens and device codes.
 * Source: D-356.
 */
import { TestClock } from "effect/testing"
import { describe, expect, it } from "vitest"
import { agentHarness } from "../../../packages/test/src/harness/AgentHarness.ts"
import type { Reply } from "../../../packages/test/src/harness/Harness.ts"
import { atEachStoreCall } from "../operation/AtStoreCalls.ts"
import { newWallet, signed, signIn, textAt } from "../wallet/People.ts"
import { at } from "./CustomerRequests.ts"

describe("ending a customer's access", () => {
  it("revokes agent tokens and device codes, and an agent connects again with a new code", async () => {
    await using pay = await agentHarness()
    const bearer = { authorization: `Bearer ${pay.accessToken}` }
    const asAgent = () => pay.send("GET", "/agents/me", { headers: bearer })
    expect((await asAgent()).status).toBe(200)
    const open = await pay.send("POST", "/agents", {
      body: {
        name: "Waiting",
        customerId: pay.customerId,
        policy: at(await pay.send("GET", `/agents/${pay.agentId}`), "policy"),
      },
    })
    expect(open.status).toBe(201)
    const end = () => pay.send("POST", `/customers/${pay.customerId}/end-access`)
    expect(await end()).toMatchObject({
      status: 200,
      body: { customerId: pay.customerId, sessionsEnded: 0, agentTokensEnded: 1, deviceCodesEnded: 1 },
    })
    expect((await asAgent()).status).toBe(401)
    const redeem = (code: unknown) => pay.send("POST", `/agents/device-codes/${String(code)}/redeem`)
    expect((await redeem(at(open, "deviceCode", "code"))).status).toBeGreaterThanOrEqual(400)
    await pay.clock.advance("1 second")
    expect(await end()).toMatchObject({ body: { agentTokensEnded: 0, deviceCodesEnded: 0 } })
    expect(await pay.send("GET", `/agents/${pay.agentId}`)).toMatchObject({ body: { isConnected: false } })
    const renewed = await pay.send("POST", `/agents/${pay.agentId}/device-codes`)
    expect(renewed.status).toBe(201)
    expect((await redeem(at(renewed, "code"))).status).toBe(200)
    const records = await pay.send("GET", "/audit-records?operation=CUSTOMER_ACCESS_END&sortOrder=asc")
    expect(at(records, "data")).toMatchObject([
      { target: pay.customerId, details: { agentTokensEnded: 1, deviceCodesEnded: 1 } },
      { details: { agentTokensEnded: 0 } },
    ])
    await end()
    expect((await pay.send("POST", `/agents/${pay.agentId}/device-codes`)).status).toBe(201)
    const earlier = await pay.send("GET", `/agents/device-codes/${String(at(renewed, "code"))}/status`)
    expect(earlier).toMatchObject({ status: 200, body: { redeemed: true } })
  })

  it("revokes the token of a code that is redeemed meanwhile", async () => {
    await atEachStoreCall(async ({ around, overlap }) => {
      await using pay = await agentHarness({}, { around })
      const { policy } = Object((await pay.send("GET", `/agents/${pay.agentId}`)).body)
      const body = { name: "Waiting", customerId: pay.customerId, policy }
      const code = textAt(await pay.send("POST", "/agents", { body }), "deviceCode", "code")
      let redeemed: Reply | undefined
      const isOverlapped = await overlap(
        () => pay.send("POST", `/customers/${pay.customerId}/end-access`),
        async () => {
          redeemed = await pay.send("POST", `/agents/device-codes/${code}/redeem`)
        },
      )
      const headers = { authorization: `Bearer ${Object(redeemed?.body).accessToken}` }
      expect((await pay.send("GET", "/agents/me", { headers })).status).toBe(401)
      expect(redeemed?.status).toBe(isOverlapped ? 200 : 400)
      return isOverlapped
    })
  })

  it("counts the sessions that are active, not those that have expired", async () => {
    await using pay = await agentHarness()
    const wallet = await newWallet(pay)
    await signIn(pay, wallet.emailId)
    await pay.run(TestClock.adjust("1 day"))
    await signIn(pay, wallet.emailId)
    const path = `/customers/${wallet.customerId}/end-access`
    expect(await pay.send("POST", path)).toMatchObject({ body: { sessionsEnded: 1 } })
  })

  it("leaves out the tokens of deleted agents", async () => {
    await using pay = await agentHarness()
    expect((await pay.send("DELETE", `/agents/${pay.agentId}`)).status).toBe(204)
    expect(await pay.send("POST", `/customers/${pay.customerId}/end-access`)).toMatchObject({
      body: { sessionsEnded: 0, agentTokensEnded: 0, deviceCodesEnded: 0 },
    })
  })

  it("revokes the sessions of its wallets", async () => {
    await using pay = await agentHarness()
    const wallet = await newWallet(pay)
    const session = await signIn(pay, wallet.emailId)
    const { customerId } = wallet
    expect(await pay.send("POST", `/customers/${customerId}/end-access`)).toMatchObject({ body: { sessionsEnded: 1 } })
    expect(at(await pay.send("GET", `/auth/sessions?accountId=${wallet.accountId}`), "data")).toEqual([])
    const revoke = await signed(pay, "DELETE", `/auth/sessions/${session.sessionId}`, session.key)
    expect(revoke.status).toBe(404)
  })

  it("answers 404 for a customer that does not exist", async () => {
    await using pay = await agentHarness()
    const path = "/customers/Customer:00000000-0000-7000-8000-000000000000/end-access"
    expect(await pay.send("POST", path)).toMatchObject({ status: 404, body: { code: "USER_NOT_FOUND" } })
  })
})
