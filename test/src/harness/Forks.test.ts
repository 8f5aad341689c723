/** Forks and snapshots of a harness: a fork shares no later write, and a snapshot restores the same state in another process. */
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { agentHarness, type Harness, harness } from "@countersign/test"
import { describe, expect, it } from "vitest"

const count = async (pay: Harness) =>
  ((await pay.send("GET", "/customers")).body as { readonly totalCount: number }).totalCount
const add = (pay: Harness) => pay.client.customers.createCustomer({ payload: { customerType: "INDIVIDUAL" } })

describe("a fork", () => {
  it("forgets the response of an idempotency key a day later on its own clock", async () => {
    await using origin = await harness()
    await using fork = await origin.fork()
    const keyed = () =>
      fork.send("POST", "/webhooks/keys/rotate", { headers: { "idempotency-key": "k" }, body: { overlapSeconds: 0 } })
    const listOf = async () => JSON.stringify((await keyed()).body)
    const first = await listOf()
    await fork.clock.advance("23 hours")
    expect(await listOf()).toBe(first)
    await fork.clock.advance("2 hours")
    expect(await listOf()).not.toBe(first)
  })

  it("starts from the state of its parent and shares no later write", async () => {
    await using pay = await harness()
    await add(pay)
    await pay.clock.advance("1 day")
    await using left = await pay.fork()
    await using right = await pay.fork()
    const [own, first, second] = [await add(pay), await add(left), await add(right)]
    await add(right)
    expect([await count(pay), await count(left), await count(right)]).toEqual([2, 2, 3])
    expect(new Set([own.id, first.id, second.id]).size).toBe(3)
    expect(first.createdAt).toBe("2026-11-22T12:00:00Z")
    await left.clock.advance("1 day")
    expect((await add(pay)).createdAt).toBe("2026-11-22T12:00:00Z")
    expect((await add(left)).createdAt).toBe("2026-11-23T12:00:00Z")
  })

  it("generates the same identifiers on each run", async () => {
    const ids = async () => {
      await using pay = await harness({ seed: 3 })
      await using fork = await pay.fork()
      await using other = await pay.fork({ seed: 9 })
      return [(await add(fork)).id, (await add(other)).id]
    }
    expect(await ids()).toEqual(await ids())
  })

  it("keeps pending work and has its own webhook inbox", async () => {
    await using pay = await agentHarness()
    await pay.send("POST", `/sandbox/internal-accounts/${pay.accountId}/fund`, { body: { amount: 100 } })
    await using fork = await pay.fork()
    await fork.webhooks.waitFor("INCOMING_PAYMENT.COMPLETED")
    expect(pay.webhooks.received).toEqual([])
    await pay.webhooks.waitFor("INCOMING_PAYMENT.COMPLETED")
  })

  it("restores its state from a saved file", async () => {
    const folder = await mkdtemp(join(tmpdir(), "countersign-"))
    try {
      const file = join(folder, "world.json")
      await using pay = await agentHarness()
      const { id } = await add(pay)
      await pay.send("POST", `/sandbox/internal-accounts/${pay.accountId}/fund`, { body: { amount: 100 } })
      await pay.clock.advance("1 day")
      await pay.save(file)
      await using again = await harness({ snapshot: file, seed: 2 })
      expect(await again.clock.now()).toBe(await pay.clock.now())
      expect(await again.client.customers.getCustomerById({ params: { customerId: id } })).toMatchObject({ id })
      const books = await again.books()
      expect(books).toEqual(await pay.books())
      expect(books.some(({ balance }) => balance === 100)).toBe(true)
      expect((await add(again)).createdAt).toBe("2026-11-22T12:00:00Z")
    } finally {
      await rm(folder, { recursive: true })
    }
  })

  it("rejects a snapshot that is not valid", async () => {
    await expect(
      harness({ from: { format: "countersign world 1", at: "2026-11-21T12:00:00Z", platformId: "", store: 1 } }),
    ).rejects.toThrow()
  })
})

describe("serve", () => {
  it("serves the harness's state on a socket", async () => {
    await using pay = await harness()
    await add(pay)
    await using serving = await pay.serve()
    const { clientId, clientSecret } = pay.credentials
    const reply = await fetch(`${serving.baseUrl}/customers`, {
      headers: { authorization: `Basic ${btoa(`${clientId}:${clientSecret}`)}` },
    })
    expect(await reply.json()).toMatchObject({ totalCount: 1 })
  })

  it("applies injected faults to requests over the socket", async () => {
    await using pay = await harness()
    await using serving = await pay.serve()
    pay.failNext("INTERNAL_ERROR")
    expect((await fetch(`${serving.baseUrl}/customers`)).status).toBe(500)
  })
})
