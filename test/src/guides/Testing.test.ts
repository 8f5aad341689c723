/** A test with its own service: in memory, with its clock, its inbox, and the same identifiers in each run. */
import { agentHarness } from "@countersign/test"
import { expect, it } from "vitest"

it("a pull above the threshold waits for approval, and the platform receives an event", async () => {
  await using pay = await agentHarness({ approvalThresholds: { currency: "USD", amount: 10_000 } })
  const held = await pay.send("POST", "/agents/me/transfer-in", {
    as: { token: pay.accessToken },
    body: { source: { accountId: pay.sources["000"] }, destination: { accountId: pay.accountId }, amount: 20_000 },
  })
  expect(held.body).toMatchObject({ status: "PENDING_APPROVAL" })

  await pay.settle() // runs all due work, including webhooks
  const [event] = pay.inbox.ofType("AGENT_ACTION.PENDING_APPROVAL")
  expect(event?.data).toEqual(held.body)
})

it("a pending pull fails after half a minute, which the clock skips", async () => {
  await using pay = await agentHarness({}, { suffixes: ["005"] })
  await pay.send("POST", "/agents/me/transfer-in", {
    as: { token: pay.accessToken },
    body: { source: { accountId: pay.sources["005"] }, destination: { accountId: pay.accountId }, amount: 500 },
  })
  await pay.clock.advance("1 minute")
  expect(pay.inbox.ofType("INCOMING_PAYMENT.FAILED")).toHaveLength(1)
})
