/** An integration's tests with Vitest: each has a service of its own, in memory, and waits for nothing. */
import { agentHarness, harness, named } from "@countersign/test"
import { expect, it } from "vitest"

it("a pull above the threshold waits for the platform, which hears of it and approves", async () => {
  await using pay = await agentHarness({ approvalThresholds: { currency: "USD", amount: 10_000 } })
  const agent = pay.clientOf({ token: pay.accessToken })
  const held = await agent.agentsMe.agentCreateTransferIn({
    payload: { source: { accountId: pay.sources["000"] }, destination: { accountId: pay.accountId }, amount: 20_000 },
  })
  expect(held.status).toEqual("PENDING_APPROVAL")
  const told = await pay.webhooks.waitFor("AGENT_ACTION.PENDING_APPROVAL")
  expect(told.data["id"]).toEqual(held.id)
  await pay.client.agents.approveAgentAction({ params: { agentId: held.agentId, actionId: held.id } })
  await pay.webhooks.waitFor("INCOMING_PAYMENT.COMPLETED", "1 hour")
})

it("a pull that stays pending fails after half a minute", async () => {
  await using pay = await agentHarness({}, { suffixes: ["005"] })
  await pay.send("POST", "/agents/me/transfer-in", {
    as: { token: pay.accessToken },
    body: { source: { accountId: pay.sources["005"] }, destination: { accountId: pay.accountId }, amount: 500 },
  })
  await pay.clock.advance("1 minute")
  expect(pay.webhooks.ofType("INCOMING_PAYMENT.FAILED").length).toEqual(1)
})

it("your program is asked over the network, and meets a service that fails", async () => {
  await using pay = await harness()
  await using server = await pay.serve()
  pay.failNext("SERVICE_UNAVAILABLE", "GET /customers")
  const authorization = `Basic ${btoa(`${pay.credentials.clientId}:${pay.credentials.clientSecret}`)}`
  const ask = async () => (await fetch(`${server.baseUrl}/customers`, { headers: { authorization } })).status
  expect([await ask(), await ask()]).toEqual([503, 200])
})

it("a world begins where the test begins: a card that can be used", async () => {
  await using pay = await named("active-card")
  const { cardId } = pay.handles
  await pay.send("PATCH", `/cards/${cardId}`, { body: { state: "FROZEN" } })
  expect((await pay.client.cards.getCardById({ params: { id: cardId } })).state).toEqual("FROZEN")
})
