/** The harness over HTTP: one call returns a service, its clock, its webhook inbox and its typed client. */

import { describe, expect, it } from "vitest"
import { agentHarness } from "../../../packages/test/src/harness/AgentHarness.ts"
import { harness } from "../../../packages/test/src/harness/Harness.ts"

describe("harness()", () => {
  it("uses its own clock for requests", async () => {
    await using pay = await harness()
    const created = await pay.send("POST", "/customers", {
      body: { customerType: "INDIVIDUAL", fullName: "Ada Lovelace" },
    })
    expect(created).toMatchObject({ status: 201, body: { kycStatus: "APPROVED", createdAt: "2026-11-21T12:00:00Z" } })
    await pay.clock.advance("90 seconds")
    const later = await pay.call((client) =>
      client.customers.createCustomer({ payload: { customerType: "INDIVIDUAL" } }),
    )
    expect(later.createdAt).toBe("2026-11-21T12:01:30Z")
  })

  it("generates the same identifiers for the same seed, and different ones for another seed", async () => {
    const first = async (seed: number) => {
      await using pay = await harness({ seed })
      return (await pay.call((client) => client.customers.createCustomer({ payload: { customerType: "INDIVIDUAL" } })))
        .id
    }
    expect(await first(7)).toBe(await first(7))
    expect(await first(7)).not.toBe(await first(8))
  })

  it("waits the same time between two attempts for the same seed, and a different time for another seed", async () => {
    const delivered = async (seed: number) => {
      await using pay = await agentHarness({}, { seed })
      pay.inbox.answerNext(...Array.from({ length: 6 }, () => 500))
      await pay.send("POST", "/agents/me/transfer-in", {
        as: { token: pay.accessToken },
        body: { source: { accountId: pay.sources["000"] }, destination: { accountId: pay.accountId }, amount: 100 },
      })
      const at: Array<number> = []
      const start = await pay.clock.now()
      while (at.length < 4) {
        const before = pay.inbox.received.length
        await pay.clock.advance("50 millis")
        if (pay.inbox.received.length > before) at.push((await pay.clock.now()) - start)
      }
      return at
    }
    expect(await delivered(7)).toEqual(await delivered(7))
    expect(await delivered(7)).not.toEqual(await delivered(8))
  })

  it("lets an agent transfer in over HTTP", async () => {
    await using pay = await agentHarness()
    const reply = await pay.send("POST", "/agents/me/transfer-in", {
      as: { token: pay.accessToken },
      body: { source: { accountId: pay.sources["000"] }, destination: { accountId: pay.accountId }, amount: 100 },
    })
    expect(reply).toMatchObject({ status: 201, body: { status: "APPROVED" } })
    await pay.settle()
    expect(pay.inbox.ofType("INCOMING_PAYMENT.COMPLETED")).toHaveLength(1)
  })
})
