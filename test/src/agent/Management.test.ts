/**
 * What the platform changes of an agent over HTTP: a pause keeps all else, a deletion is for good; and decisions by the event's own ids.
 * Spec: 4.2, Events; wire contract 1.1 and 1.2.
 */

import { describe, expect, it } from "vitest"
import { agentHarness } from "../../../packages/test/src/harness/AgentHarness.ts"
import { at } from "../../../packages/test/src/harness/QuoteHarness.ts"

type Pay = Awaited<ReturnType<typeof agentHarness>>

const transferIn = (pay: Pay, amount = 100) =>
  pay.send("POST", "/agents/me/transfer-in", {
    as: { token: pay.accessToken },
    body: { source: { accountId: pay.sources["000"] }, destination: { accountId: pay.accountId }, amount },
  })

describe("an agent that is paused", () => {
  // Proves: EP-MGMT-08, EP-MGMT-09, EP-MGMT-10
  it("executes nothing new, keeps its configuration, and goes on with it when it is let go", async () => {
    await using pay = await agentHarness({
      spendingLimits: { currency: "USD", perTransactionLimit: 100, dailyLimit: 150 },
    })
    const path = `/agents/${pay.agentId}`
    const { updatedAt: _, ...before } = (await pay.send("GET", path)).body as { readonly updatedAt: string }
    const paused = await pay.send("PATCH", path, { body: { isPaused: true } })
    expect(paused).toMatchObject({ status: 200, body: { ...before, isPaused: true } })
    expect((await pay.send("GET", path)).body).toEqual(paused.body)
    expect(await transferIn(pay)).toMatchObject({ status: 403, body: { details: { reason: "AGENT_PAUSED" } } })
    expect(at(await pay.send("GET", "/transactions"), "data")).toEqual([])
    expect(await pay.send("PATCH", path, { body: { isPaused: false } })).toMatchObject({ status: 200, body: before })
    expect(await transferIn(pay)).toMatchObject({ status: 201, body: { status: "APPROVED" } })
    expect(await transferIn(pay)).toMatchObject({ status: 403, body: { details: { limit: "dailyLimit" } } })
  })
})

describe("an agent that is deleted", () => {
  // Proves: EP-MGMT-11
  it("has no access any more, and none of it comes back", async () => {
    await using pay = await agentHarness()
    const path = `/agents/${pay.agentId}`
    expect((await pay.send("DELETE", path)).status).toBe(204)
    expect(await transferIn(pay)).toMatchObject({ status: 401, body: { code: "UNAUTHORIZED" } })
    for (const [method, asked, body] of [
      ["GET", path],
      ["PATCH", path, { isPaused: false }],
      ["POST", `${path}/device-codes`],
      ["DELETE", path],
    ] as const) {
      expect([method, (await pay.send(method, asked, body === undefined ? {} : { body })).status]).toEqual([
        method,
        404,
      ])
    }
    expect((await transferIn(pay)).status).toBe(401)
  })
})

describe("the event of an action that waits", () => {
  // Proves: EP-MGMT-13
  it.each(["approve", "reject"] as const)("has the ids by which the platform can %s it", async (how) => {
    await using pay = await agentHarness({ defaultExecutionMode: "APPROVAL_REQUIRED" })
    await transferIn(pay)
    const { data } = await pay.webhooks.waitFor("AGENT_ACTION.PENDING_APPROVAL")
    const decided = await pay.send("POST", `/agents/${data["agentId"]}/actions/${data["id"]}/${how}`)
    expect(decided).toMatchObject({
      status: 200,
      body: { id: data["id"], status: how === "approve" ? "APPROVED" : "REJECTED" },
    })
  })
})
