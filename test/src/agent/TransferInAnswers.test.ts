/** An agent's transfer-in over HTTP from an account that cannot be pulled, and during a failure of the service. Spec: 4.1, Errors. */
import { Rails } from "@countersign/core/ports"
import { Sandbox } from "@countersign/core/sandbox"
import { Effect, Layer } from "effect"
import { expect, it } from "vitest"
import { agentHarness } from "../../../packages/test/src/harness/AgentHarness.ts"
import { at } from "../../../packages/test/src/harness/QuoteHarness.ts"

// Proves: EP-AGENT-21
it("refuses a transfer-in from a wallet, which cannot be pulled, and starts nothing", async () => {
  await using pay = await agentHarness()
  const { customerId } = pay
  const query = `customerId=${customerId}&currency=USDC`
  const inside = at(await pay.send("GET", `/customers/internal-accounts?${query}`), "data", 0, "id")
  const accountInfo = { accountType: "BASE_WALLET", address: `0x${"a1".repeat(20)}` }
  const outside = await pay.send("POST", "/customers/external-accounts", {
    body: { customerId, currency: "USDC", accountInfo },
  })
  expect(outside).toMatchObject({ status: 201, body: { status: "ACTIVE" } })
  const body = { source: { accountId: at(outside, "id") }, destination: { accountId: inside }, amount: 5 }
  expect(await pay.send("POST", "/agents/me/transfer-in", { as: { token: pay.accessToken }, body })).toMatchObject({
    status: 400,
    body: { code: "INVALID_INPUT", details: { reason: "SOURCE_NOT_PULLABLE" } },
  })
  expect(at(await pay.send("GET", "/agents/me/actions", { as: { token: pay.accessToken } }), "data")).toEqual([])
})

// Proves: EP-AGENT-19
it("answers 500 without internal detail if a part of the service fails", async () => {
  const broken = Layer.effect(
    Rails,
    Effect.map(Rails, (inner) => ({ ...inner, inspectPull: () => Effect.die(new Error("secret inside")) })),
  )
  await using pay = await agentHarness({}, { ports: Layer.provideMerge(broken, Sandbox.layer) })
  const body = { source: { accountId: pay.sources["000"] }, destination: { accountId: pay.accountId }, amount: 5 }
  const reply = await pay.send("POST", "/agents/me/transfer-in", { as: { token: pay.accessToken }, body })
  expect(reply).toMatchObject({ status: 500, body: { status: 500, code: "INTERNAL_ERROR" } })
  expect(at(reply, "message")).toMatch(/\S/u)
  expect(JSON.stringify(reply.body)).not.toContain("secret")
})
