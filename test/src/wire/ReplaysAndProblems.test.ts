/** Replays over HTTP, and the fields that a refusal names. Spec: 4.1; wire contract 0.4, 8.1, 11 (1, 15). */

import { describe, expect, it } from "vitest"
import { agentHarness } from "../../../packages/test/src/harness/AgentHarness.ts"
import { harness } from "../../../packages/test/src/harness/Harness.ts"

describe("a repeated idempotency key", () => {
  it.each([
    ["the agent is paused", "", { isPaused: true }],
    ["the permission is removed", "/policy", { permissions: [] }],
  ])("replays the first response after %s", async (_label, path, body) => {
    await using pay = await agentHarness()
    const transferIn = () =>
      pay.send("POST", "/agents/me/transfer-in", {
        as: { token: pay.accessToken },
        headers: { "idempotency-key": "k" },
        body: { source: { accountId: pay.sources["000"] }, destination: { accountId: pay.accountId }, amount: 100 },
      })
    const first = await transferIn()
    await pay.send("PATCH", `/agents/${pay.agentId}${path}`, { body })
    const again = await transferIn()
    expect({ status: again.status, body: again.body }).toEqual({ status: 201, body: first.body })
    expect(again.headers.get("idempotency-replayed")).toBe("true")
  })
})

describe("a refused policy update", () => {
  it.each([
    ["permissions.1", { permissions: ["CREATE_TRANSFERS", "CREATE_TRANSFERS"] }],
    ["approvalThresholds.currency", { approvalThresholds: { amount: 5 } }],
    [
      "accountRestrictions.allowedAccountIds.0",
      { accountRestrictions: { allowedAccountIds: ["InternalAccount:00000000-0000-7000-8000-000000000000"] } },
    ],
  ])("names the field %s as the client sent it", async (field, body) => {
    await using pay = await agentHarness()
    const refused = await pay.send("PATCH", `/agents/${pay.agentId}/policy`, { body })
    expect(refused).toMatchObject({ status: 400, body: { details: { errors: [{ field }] } } })
  })
})

describe("a configuration", () => {
  it("rejects a repeated currency", async () => {
    await using pay = await harness()
    const usd = {
      currencyCode: "USD",
      minAmount: 1,
      maxAmount: 100,
      requiredCounterpartyFields: [],
      enabledTransactionTypes: ["INCOMING"],
    }
    const refused = await pay.send("PATCH", "/config", { body: { supportedCurrencies: [usd, usd] } })
    expect(refused).toMatchObject({ status: 400, body: { code: "INVALID_INPUT" } })
  })

  it("rejects a minimum amount above the maximum", async () => {
    await using pay = await harness()
    const usd = {
      currencyCode: "USD",
      minAmount: 100,
      maxAmount: 1,
      requiredCounterpartyFields: [],
      enabledTransactionTypes: ["INCOMING"],
    }
    const refused = await pay.send("PATCH", "/config", { body: { supportedCurrencies: [usd] } })
    expect(refused).toMatchObject({ status: 400, body: { code: "INVALID_INPUT" } })
  })
})
