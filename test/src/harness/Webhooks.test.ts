/** The harness's webhook inbox: it drops, duplicates and reorders deliveries, and forwards them to the integrator's handler. */
import { createPublicKey, verify } from "node:crypto"
import type { EventType } from "@countersign/core/models"
import { type Harness, harness } from "@countersign/test"
import { describe, expect, expectTypeOf, it } from "vitest"

/** Creates a customer, which emits one event. */
const createCustomer = (pay: Harness, fullName = "Ada") =>
  pay.client.customers.createCustomer({ payload: { customerType: "INDIVIDUAL", fullName } })

const eventType = "CUSTOMER.KYC_APPROVED"

describe("webhooks", () => {
  it("waits for an event type, runs due jobs, and reports what arrived instead", async () => {
    await using pay = await harness()
    await expect(pay.webhooks.waitFor(eventType)).rejects.toThrow(`${eventType} did not arrive; received: nothing`)
    // A caller in JavaScript.
    const unknown = "PAYMENT.DONE" as EventType
    await expect(pay.webhooks.waitFor(unknown)).rejects.toThrow("unknown event type PAYMENT.DONE; known: ")
    await createCustomer(pay)
    expect((await pay.webhooks.waitFor(eventType)).data).toMatchObject({ fullName: "Ada" })
    expect((await pay.webhooks.waitFor(({ type }) => type === eventType)).type).toBe(eventType)
    await expect(pay.webhooks.waitFor("TEST", "1 minute")).rejects.toThrow(
      `TEST did not arrive; received: ${eventType}`,
    )
  })

  it("has the data of the type that it waits for, and knows the names of all types", async () => {
    await using pay = await harness()
    await createCustomer(pay)
    const event = await pay.webhooks.waitFor(eventType)
    expectTypeOf(event.type).toEqualTypeOf<typeof eventType>()
    expectTypeOf(event.data.customerType).toEqualTypeOf<"INDIVIDUAL" | "BUSINESS">()
    expect([event.type, event.data.customerType]).toEqual([eventType, "INDIVIDUAL"])
    const [listed] = pay.webhooks.ofType(eventType)
    expectTypeOf(listed).toEqualTypeOf<typeof event | undefined>()
    expect(listed).toBe(event)
    expectTypeOf(pay.webhooks.waitFor<EventType>)
      .parameter(0)
      .toEqualTypeOf<EventType>()
    expectTypeOf<"PAYMENT.DONE">().not.toExtend<Parameters<typeof pay.webhooks.ofType>[0]>()
    const paid = () => pay.webhooks.waitFor("OUTGOING_PAYMENT.COMPLETED")
    expectTypeOf(paid).returns.resolves.toHaveProperty("data").toHaveProperty("sentAmount")
    expectTypeOf(paid).returns.resolves.toHaveProperty("data").not.toHaveProperty("customerType")
  })

  it("forwards each delivery unchanged, and returns the handler's answer to the service", async () => {
    await using pay = await harness()
    const deliveries: Array<{ readonly body: string; readonly signature: string }> = []
    pay.webhooks.deliverTo(async (request) => {
      const { s } = JSON.parse(request.headers.get("x-service-signature") ?? "{}")
      deliveries.push({ body: await request.text(), signature: s })
      return new Response(null, { status: deliveries.length === 1 ? 500 : 204 })
    })
    await createCustomer(pay)
    await pay.settle()
    expect(deliveries).toHaveLength(1)
    await pay.clock.advance("1 minute")
    const [first, second] = deliveries
    expect(second).toBeDefined()
    expect(second?.body).toBe(first?.body)
    const key = createPublicKey(pay.webhooks.publicKey())
    const signature = Buffer.from(second?.signature ?? "", "base64")
    expect(verify("sha256", Buffer.from(second?.body ?? ""), key, signature)).toBe(true)
    await pay.clock.advance("1 hour")
    expect(deliveries).toHaveLength(2)
  })

  it("retries a delivery whose handler throws", async () => {
    await using pay = await harness()
    let calls = 0
    pay.webhooks.deliverTo(async () => {
      calls += 1
      if (calls === 1) throw new Error("the handler is broken")
      return new Response()
    })
    await createCustomer(pay)
    await pay.clock.advance("1 minute")
    expect(calls).toBe(2)
  })

  it("drops a delivery, which the service retries later", async () => {
    await using pay = await harness()
    pay.webhooks.dropNext()
    await createCustomer(pay)
    await pay.settle()
    expect(pay.webhooks.received).toEqual([])
    await pay.webhooks.waitFor(eventType, "1 minute")
    expect(pay.webhooks.received).toHaveLength(1)
  })

  it("verifies a delivery after several rotations of the key", async () => {
    await using pay = await harness()
    await createCustomer(pay)
    await pay.webhooks.waitFor(eventType)
    for (let rotation = 0; rotation < 3; rotation++) {
      const { status } = await pay.send("POST", "/webhooks/keys/rotate", { body: { overlapSeconds: 0 } })
      expect(status).toBe(201)
    }
    await createCustomer(pay, "Grace Hopper")
    await pay.settle()
    expect(pay.webhooks.ofType(eventType)).toHaveLength(2)
  })

  it("duplicates a delivery, at once or on request", async () => {
    await using pay = await harness()
    pay.webhooks.duplicateNext()
    await createCustomer(pay)
    const event = await pay.webhooks.waitFor(eventType)
    expect(pay.webhooks.received.map(({ id }) => id)).toEqual([event.id, event.id])
    await pay.webhooks.replay(event)
    expect(pay.webhooks.received.map(({ body }) => body)).toEqual([event.body, event.body, event.body])
  })

  it("duplicates a delivery to the integrator's handler", async () => {
    await using pay = await harness()
    const ids: Array<string> = []
    pay.webhooks.deliverTo(async (request) => {
      const { id } = (await request.json()) as { readonly id: string }
      ids.push(id)
      return new Response()
    })
    pay.webhooks.duplicateNext()
    await createCustomer(pay)
    const { id } = await pay.webhooks.waitFor(eventType)
    expect(ids).toEqual([id, id])
  })

  it("reorders deliveries and acknowledges all of them", async () => {
    await using pay = await harness()
    for (const name of ["a", "b", "c", "d"]) await createCustomer(pay, name)
    pay.webhooks.reorderNext(3)
    await pay.settle()
    expect(pay.webhooks.received.map(({ data }) => data["fullName"])).toEqual(["c", "b", "a", "d"])
    // All deliveries were acknowledged, so none is retried.
    await pay.clock.advance("1 hour")
    expect(pay.webhooks.received).toHaveLength(4)
  })
})

it("takes an event that the key before the last signs, when a reset of the world has moved time back", async () => {
  await using pay = await harness()
  const send = async (path: string, body?: unknown) =>
    (await pay.send("POST", path, body === undefined ? {} : { body })).status
  expect(await send("/webhooks/keys/rotate", { overlapSeconds: 3600 })).toBe(201)
  expect(await send("/sandbox/clock/advance", { seconds: 7200 })).toBe(200)
  expect(await send("/sandbox/webhooks/test")).toBe(200)
  expect(await send("/sandbox/world/reset")).toBe(200)
  expect(await send("/sandbox/webhooks/test")).toBe(200)
})
