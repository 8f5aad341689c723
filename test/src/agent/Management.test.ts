/**
 * A platform pauses and deletes an agent over HTTP, and decides an action by the ids of its event.
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

describe("a paused agent", () => {
  // Proves: EP-MGMT-08, EP-MGMT-09, EP-MGMT-10
  it("starts no action, keeps its configuration, and resumes with it", async () => {
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

describe("a deleted agent", () => {
  // Proves: EP-MGMT-11
  it("loses its access for good", async () => {
    await using pay = await agentHarness()
    const path = `/agents/${pay.agentId}`
    expect((await pay.send("DELETE", path)).status).toBe(204)
    expect(await transferIn(pay)).toMatchObject({ status: 401, body: { code: "UNAUTHORIZED" } })
    for (const [method, target, body] of [
      ["GET", path],
      ["PATCH", path, { isPaused: false }],
      ["POST", `${path}/device-codes`],
      ["DELETE", path],
    ] as const) {
      expect([method, (await pay.send(method, target, body === undefined ? {} : { body })).status]).toEqual([
        method,
        404,
      ])
    }
    expect((await transferIn(pay)).status).toBe(401)
  })
})

describe("the event of a held action", () => {
  // Proves: EP-MGMT-13
  it.each(["approve", "reject"] as const)("contains the ids that the platform needs to %s it", async (how) => {
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

it("an update of the policy keeps restrictions to accounts of the customer, which it does not name", async () => {
  await using pay = await agentHarness()
  const update = (body: object) => pay.send("PATCH", `/agents/${pay.agentId}/policy`, { body })
  const accountRestrictions = { accountRules: [{ accountId: pay.accountId, perTransactionLimit: 5 }] }
  const restricted = { status: 200, body: { policy: { accountRestrictions } } }
  expect(await update({ accountRestrictions })).toMatchObject(restricted)
  expect(await update({ permissions: ["CREATE_TRANSFERS"] })).toMatchObject(restricted)
})
