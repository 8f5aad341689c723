/**
 * Webhooks of a running server to a receiver: signed, complete, retried, and not delayed by another platform's receiver.
 * Spec: Events; wire contract 6.1, 6.2 and 6.4.
 */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { basic, client, type Send } from "./Client.ts"
import {
  type Agent,
  type Customer,
  credentials,
  held,
  newAgent,
  newCustomer,
  newSource,
  newWorld,
  transfer,
  type World,
} from "./Flow.ts"
import { type Delivery, isSigned, type Receiver, receiver } from "./Receiver.ts"

const asFirst = basic(credentials.clientId, credentials.clientSecret)
let world: World
let other: Send
let publicKey: string
let hooks: Receiver

beforeAll(async () => {
  world = await newWorld({ options: ["--platform", "second:its-secret", "--platform", "third:its-secret"] })
  other = client(world.server.base, basic("second", "its-secret"))
  publicKey = (await client(world.server.origin, asFirst)("GET", "/webhooks/public-key")).text
}, 60_000)
afterAll(() => world[Symbol.asyncDispose]())

const isTest = ({ event }: Delivery) => event.type === "TEST"
const configure = (platform: Send, url: string) => platform("PATCH", "/config", { body: { webhookEndpoint: url } })

beforeEach(async () => {
  hooks = await receiver()
  expect(await configure(world.platform, hooks.url)).toMatchObject({
    status: 200,
    body: { webhookEndpoint: hooks.url },
  })
  await hooks.delivered(isTest)
})
afterEach(async () => {
  expect(hooks.received.filter((delivery) => !isSigned(delivery, publicKey))).toEqual([])
  await hooks[Symbol.asyncDispose]()
})

const heldAction = async (platform: Send, customer: Customer, source: string): Promise<[Agent, string]> => {
  const agent = await newAgent(world.server.base, platform, customer, { defaultExecutionMode: "APPROVAL_REQUIRED" })
  return [agent, await held(agent, transfer(source, customer, 900))]
}

const isOf =
  (actionId: string) =>
  ({ event }: Delivery): boolean =>
    event.type === "AGENT_ACTION.PENDING_APPROVAL" && event.data["id"] === actionId

describe("a webhook", () => {
  it("sends a test event to a new endpoint, and none to an unchanged one", async () => {
    const [test] = hooks.received
    expect(test?.event).toMatchObject({ type: "TEST", data: {}, id: expect.stringMatching(/^Webhook:/u) })
    expect(test?.headers["content-type"]).toBe("application/json")
    expect(test && isSigned({ ...test, body: Buffer.concat([test.body, Buffer.from(" ")]) }, publicKey)).toBe(false)
    await configure(world.platform, hooks.url)
    const [, actionId] = await heldAction(world.platform, world.customer, world.source)
    await hooks.delivered(isOf(actionId))
    expect(hooks.ofType("TEST")).toHaveLength(1)
  })

  // Proves: EVT-03
  it("contains the full record of a pending action, as the agent sees it", async () => {
    const [agent, actionId] = await heldAction(world.platform, world.customer, world.source)
    const { event } = await hooks.delivered(isOf(actionId))
    expect(event.data).toEqual((await agent.send("GET", `/agents/me/actions/${actionId}`)).body)
    expect(event.data).toMatchObject({
      agentId: agent.agentId,
      customerId: world.customer.customerId,
      platformCustomerId: world.customer.platformCustomerId,
      status: "PENDING_APPROVAL",
      transferDetails: { amount: 900, currency: "USD", sourceAccountId: world.source },
    })
    expect(Date.parse(event.timestamp)).toBeGreaterThanOrEqual(Date.parse(String(event.data["createdAt"])))
  })

  it("reports the transfer after the approval, and the balance after it", async () => {
    const customer = await newCustomer(world.platform)
    const source = await newSource(world.platform, customer)
    const [agent, actionId] = await heldAction(world.platform, customer, source)
    await world.platform("POST", `/agents/${agent.agentId}/actions/${actionId}/approve`)
    const isOfAccount = ({ event }: Delivery) =>
      event.type === "INTERNAL_ACCOUNT.BALANCE_UPDATED" && event.data["id"] === customer.accountId
    const balance = await hooks.delivered(isOfAccount)
    expect(balance.event.data).toMatchObject({ balance: { amount: 900 }, totalBalance: { amount: 900 } })
    const paid = await hooks.delivered(
      ({ event }) => event.type === "INCOMING_PAYMENT.COMPLETED" && event.data["agentId"] === agent.agentId,
    )
    expect(paid.event.data).toMatchObject({ status: "COMPLETED", receivedAmount: { amount: 900 } })
    expect(hooks.received.filter(isOf(actionId))).toHaveLength(1)
  })

  it("is retried until it is acknowledged, with the same id and body", { timeout: 120_000 }, async () => {
    hooks.answerNext(500)
    const [, actionId] = await heldAction(world.platform, world.customer, world.source)
    const first = await hooks.delivered(isOf(actionId))
    const again = await hooks.delivered((delivery) => delivery !== first && isOf(actionId)(delivery), 20_000)
    expect(again.body.equals(first.body)).toBe(true)
  })

  it("follows no redirect", async () => {
    hooks.answerNext(302)
    expect(await world.platform("POST", "/sandbox/webhooks/test")).toMatchObject({
      status: 200,
      body: { url: hooks.url, response_status: 302 },
    })
  })

  it("of one platform does not wait for another platform's receiver", async () => {
    await using slow = await receiver()
    const released = Promise.withResolvers<number>()
    slow.answerNext(...Array.from({ length: 50 }, () => released.promise))
    await configure(other, slow.url)
    const customer = await newCustomer(other)
    const source = await newSource(other, customer)
    for (let count = 0; count < 20; count += 1) await heldAction(other, customer, source)
    await slow.delivered(() => true)
    const [, actionId] = await heldAction(world.platform, world.customer, world.source)
    await hooks.delivered(isOf(actionId))
    released.resolve(200)
  })
})

describe("the test call", () => {
  it("returns the endpoint's answer, or the failure of the delivery", async () => {
    hooks.answerNext(503)
    expect(await world.platform("POST", "/webhooks/test")).toMatchObject({
      status: 200,
      body: { url: hooks.url, response_status: 503, response_body: "" },
    })
    const gone = await receiver()
    await gone[Symbol.asyncDispose]()
    await configure(world.platform, gone.url)
    expect(await world.platform("POST", "/sandbox/webhooks/test")).toMatchObject({
      status: 400,
      body: { code: "WEBHOOK_DELIVERY_ERROR" },
    })
  })

  it("reports that no endpoint is configured", async () => {
    const third = client(world.server.base, basic("third", "its-secret"))
    expect(await third("POST", "/sandbox/webhooks/test")).toMatchObject({
      status: 400,
      body: { code: "WEBHOOK_ENDPOINT_NOT_SET" },
    })
  })
})
