/**
 * The times of deliveries: how long an event waits for a proof, how long an attempt took, and the time that the envelope shows.
 * Source: wire contract 6.1 and 6.2; D-332, D-450.
 */
import { InternalAccounts } from "@countersign/core"
import { WebhookTrust } from "@countersign/core/ports"
import { Layer } from "effect"
import { TestClock } from "effect/testing"
import { describe, expect, it } from "vitest"
import { addCustomer } from "../../../packages/test/src/harness/AgentWorld.ts"
import { type Harness, harness } from "../../../packages/test/src/harness/Harness.ts"
import { at } from "../customer/CustomerRequests.ts"

const fund = (pay: Harness, accountId: string) =>
  pay.run(InternalAccounts.use((accounts) => accounts.fund(accountId, 5)))

const eventOf = async (pay: Harness) => {
  const listed = await pay.send("GET", "/operator/events?type=INTERNAL_ACCOUNT.BALANCE_UPDATED")
  return (await pay.send("GET", `/operator/events/${String(at(listed, "data", 0, "id"))}`)).body
}

/** A service whose endpoint answers challenges once it is ready, with an account. */
const proving = async () => {
  const pay = await harness({ ports: Layer.succeed(WebhookTrust, "PROOF") })
  const endpoint = { isReady: false }
  pay.inbox.deliverTo(async (request) => {
    const { data }: { readonly data: object } = JSON.parse(await request.text())
    return new Response(endpoint.isReady ? JSON.stringify(data) : "")
  })
  const { accountId } = await addCustomer(pay)
  return { pay, endpoint, accountId, [Symbol.asyncDispose]: pay[Symbol.asyncDispose] }
}

describe("an event of an endpoint that has not proven itself", () => {
  it("waits as long again as it has waited, for half an hour at most", async () => {
    await using all = await proving()
    const { accountId, pay } = all
    await fund(pay, accountId)
    const start = await pay.clock.now()
    await pay.settle()
    const attempts: Array<number> = []
    for (let count = 0; count < 11; count++) {
      const next = Date.parse(String(at({ body: await eventOf(pay) }, "nextAttemptAt")))
      attempts.push((next - start) / 1000)
      await pay.clock.advance(next - (await pay.clock.now()))
    }
    expect(attempts).toEqual([5, 10, 20, 40, 80, 160, 320, 640, 1280, 2560, 4360])
  })

  it("has the time of its first claim in its body, before it is sent and afterwards", async () => {
    await using all = await proving()
    const { accountId, endpoint, pay } = all
    await fund(pay, accountId)
    await pay.run(TestClock.adjust("3 seconds"))
    await pay.settle()
    const waiting = at({ body: await eventOf(pay) }, "body")
    expect(JSON.parse(String(waiting))).toMatchObject({ timestamp: "2026-11-21T12:00:03Z" })
    endpoint.isReady = true
    await pay.clock.advance("1 hour")
    expect(pay.inbox.ofType("INTERNAL_ACCOUNT.BALANCE_UPDATED").map(({ body }) => body)).toEqual([waiting])
  })

  it("counts among those that wait, also if it is the test of a new URL", async () => {
    await using all = await proving()
    const { endpoint, pay } = all
    endpoint.isReady = true
    await pay.clock.advance("1 minute")
    expect((await pay.send("GET", "/webhooks/endpoint")).body).toMatchObject({ state: "ACTIVE", waitingEvents: 0 })
    await pay.send("PATCH", "/config", { body: { webhookEndpoint: "https://other.example/hooks" } })
    expect((await pay.send("GET", "/webhooks/endpoint")).body).toMatchObject({ state: "PENDING", waitingEvents: 1 })
  })
})

it("an attempt shows how long its answer took", async () => {
  await using pay = await harness()
  const { accountId } = await addCustomer(pay)
  await pay.settle()
  await fund(pay, accountId)
  pay.inbox.deliverTo(async (request) => {
    const { type }: { readonly type: string } = JSON.parse(await request.text())
    if (type === "INTERNAL_ACCOUNT.BALANCE_UPDATED") await pay.run(TestClock.adjust("2 seconds"))
    return new Response(null, { status: 200 })
  })
  await pay.settle()
  expect(await eventOf(pay)).toMatchObject({ attempts: [{ number: 1, latencyMillis: 2000 }] })
})
