/** The world's webhook inbox as a network: it loses, repeats and reorders, and hands on to a handler of the integrator's own. */
import { createPublicKey, verify } from "node:crypto"
import { type Harness, harness } from "@countersign/test"
import { describe, expect, it } from "vitest"

/** Something happens of which one event tells. */
const happen = (pay: Harness, fullName = "Ada") =>
  pay.client.customers.createCustomer({ payload: { customerType: "INDIVIDUAL", fullName } })

const told = "CUSTOMER.KYC_APPROVED"

describe("webhooks", () => {
  it("waits for an event of a type, works what is due, and says what came instead", async () => {
    await using pay = await harness()
    await expect(pay.webhooks.waitFor(told)).rejects.toThrow(`${told} did not come; came: nothing`)
    await expect(pay.webhooks.waitFor("PAYMENT.DONE")).rejects.toThrow("There is no event PAYMENT.DONE: ")
    await happen(pay)
    expect((await pay.webhooks.waitFor(told)).data).toMatchObject({ fullName: "Ada" })
    expect((await pay.webhooks.waitFor(({ type }) => type === told)).type).toBe(told)
    await expect(pay.webhooks.waitFor("TEST", "1 minute")).rejects.toThrow(`TEST did not come; came: ${told}`)
  })

  it("hands deliveries on as they came, and the service hears the handler's answer", async () => {
    await using pay = await harness()
    const seen: Array<{ readonly body: string; readonly signature: string }> = []
    pay.webhooks.deliverTo(async (request) => {
      const { s } = JSON.parse(request.headers.get("x-service-signature") ?? "{}")
      seen.push({ body: await request.text(), signature: s })
      return new Response(null, { status: seen.length === 1 ? 500 : 204 })
    })
    await happen(pay)
    await pay.settle()
    expect(seen).toHaveLength(1)
    await pay.clock.advance("1 minute")
    const [first, second] = seen
    expect(second).toBeDefined()
    expect(second?.body).toBe(first?.body)
    const key = createPublicKey(pay.webhooks.publicKey())
    const signature = Buffer.from(second?.signature ?? "", "base64")
    expect(verify("sha256", Buffer.from(second?.body ?? ""), key, signature)).toBe(true)
    await pay.clock.advance("1 hour")
    expect(seen).toHaveLength(2)
  })

  it("takes a handler that throws for one that cannot be reached", async () => {
    await using pay = await harness()
    let asked = 0
    pay.webhooks.deliverTo(async () => {
      asked += 1
      if (asked === 1) throw new Error("the handler is broken")
      return new Response()
    })
    await happen(pay)
    await pay.clock.advance("1 minute")
    expect(asked).toBe(2)
  })

  it("loses a delivery, which comes again later", async () => {
    await using pay = await harness()
    pay.webhooks.dropNext()
    await happen(pay)
    await pay.settle()
    expect(pay.webhooks.received).toEqual([])
    await pay.webhooks.waitFor(told, "1 minute")
    expect(pay.webhooks.received).toHaveLength(1)
  })

  it("repeats a delivery, at once or by hand", async () => {
    await using pay = await harness()
    pay.webhooks.duplicateNext()
    await happen(pay)
    const event = await pay.webhooks.waitFor(told)
    expect(pay.webhooks.received.map(({ id }) => id)).toEqual([event.id, event.id])
    await pay.webhooks.replay(event)
    expect(pay.webhooks.received.map(({ body }) => body)).toEqual([event.body, event.body, event.body])
  })

  it("repeats a delivery to a handler of one's own", async () => {
    await using pay = await harness()
    const ids: Array<string> = []
    pay.webhooks.deliverTo(async (request) => {
      const { id } = (await request.json()) as { readonly id: string }
      ids.push(id)
      return new Response()
    })
    pay.webhooks.duplicateNext()
    await happen(pay)
    const { id } = await pay.webhooks.waitFor(told)
    expect(ids).toEqual([id, id])
  })

  it("reorders deliveries that were acknowledged", async () => {
    await using pay = await harness()
    for (const name of ["a", "b", "c", "d"]) await happen(pay, name)
    pay.webhooks.reorderNext(3)
    await pay.settle()
    expect(pay.webhooks.received.map(({ data }) => data["fullName"])).toEqual(["c", "b", "a", "d"])
    // All of them were acknowledged: nothing comes again.
    await pay.clock.advance("1 hour")
    expect(pay.webhooks.received).toHaveLength(4)
  })
})
