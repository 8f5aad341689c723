/** A test of your own against a service of its own: in memory, with its clock, its inbox, and the same identifiers on each run. */
import { agentHarness } from "@countersign/test"
import { expect, it } from "vitest"

it("a pull above the threshold waits, and the platform hears of it", async () => {
  await using pay = await agentHarness({ approvalThresholds: { currency: "USD", amount: 10_000 } })
  const held = await pay.send("POST", "/agents/me/transfer-in", {
    as: { token: pay.accessToken },
    body: { source: { accountId: pay.sources["000"] }, destination: { accountId: pay.accountId }, amount: 20_000 },
  })
  expect(held.body).toMatchObject({ status: "PENDING_APPROVAL" })

  await pay.settle() // works off what is due: webhooks among it
  const [event] = pay.inbox.ofType("AGENT_ACTION.PENDING_APPROVAL")
  expect(event?.data).toEqual(held.body)
})

it("a pull that stays pending fails after half a minute, without waiting for it", async () => {
  await using pay = await agentHarness({}, { suffixes: ["005"] })
  await pay.send("POST", "/agents/me/transfer-in", {
    as: { token: pay.accessToken },
    body: { source: { accountId: pay.sources["005"] }, destination: { accountId: pay.accountId }, amount: 500 },
  })
  await pay.clock.advance("1 minute")
  expect(pay.inbox.ofType("INCOMING_PAYMENT.FAILED")).toHaveLength(1)
})
