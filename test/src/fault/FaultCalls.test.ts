/**
 * Faults over the interface: each port fails as chosen, as often as chosen, and is well again when they are switched off.
 * Source: D-480.
 */
import { type CurrentCaller, Faults, Platforms } from "@countersign/core"
import { PortFaults } from "@countersign/core/ports"
import { Effect, Layer, Redacted } from "effect"
import { describe, expect, it } from "vitest"
import { agentHarness } from "../../../packages/test/src/harness/AgentHarness.ts"
import { type Harness, harness } from "../../../packages/test/src/harness/Harness.ts"
import { at } from "../customer/CustomerRequests.ts"

type Pay = Pick<Harness, "send">

const put = async (pay: Pay, body: object) => {
  const reply = await pay.send("PUT", "/sandbox/faults", { body })
  expect([reply.status, reply.status === 200 ? "" : reply.body]).toEqual([200, ""])
  return reply.body
}
const met = async (pay: Pay) => at(await pay.send("GET", "/sandbox/faults"), "met")
const clear = async (pay: Pay) => expect((await pay.send("DELETE", "/sandbox/faults")).status).toBe(204)
const off = { seed: 1, on: [], met: { rail: 0, issuer: 0, webhooks: 0, store: 0 } }

const transferIn = async (pay: Awaited<ReturnType<typeof agentHarness>>) => {
  const body = { source: { accountId: pay.sources["000"] }, destination: { accountId: pay.accountId }, amount: 1200 }
  const reply = await pay.send("POST", "/transfer-in", { body })
  expect(reply.status).toBe(201)
  const id = at(reply, "id")
  return async () => at(await pay.send("GET", `/transactions/${id}`), "status")
}

let cards = 0
const newCard = async (pay: Awaited<ReturnType<typeof agentHarness>>) => {
  const { accountId, customerId } = pay
  const body = {
    cardholderId: customerId,
    form: "VIRTUAL",
    fundingSources: [accountId],
    platformCardId: `card-${++cards}-000`,
  }
  const { body: card } = await pay.send("POST", "/cards", { body })
  const id = at({ body: card }, "id")
  return { id, state: async () => at(await pay.send("GET", `/cards/${id}`), "state") }
}

describe("the faults of a sandbox", () => {
  it("are all off at first, and after they are cleared", async () => {
    await using pay = await harness()
    expect((await pay.send("GET", "/sandbox/faults")).body).toEqual(off)
    const rail = { kind: "REJECT", reason: "TIMED_OUT", percent: 20 }
    expect(await put(pay, { rail, seed: 7 })).toEqual({ ...off, rail, seed: 7, on: ["rail"] })
    expect(await put(pay, { webhooks: { kind: "TIMEOUT" } })).toMatchObject({ on: ["webhooks"], seed: 1 })
    await clear(pay)
    expect((await pay.send("GET", "/sandbox/faults")).body).toEqual(off)
  })

  it.each([
    [{ rail: { kind: "BROKEN" } }],
    [{ rail: { kind: "SLOW", slowSeconds: 0 } }],
    [{ rail: { kind: "REJECT", reason: "NO" } }],
    [{ issuer: { kind: "ERROR", percent: 101 } }],
    [{ webhooks: { kind: "STATUS", status: 200 } }],
    [{ store: { kind: "CONFLICT" } }],
    [{ store: { kind: "CONFLICT", commits: 1001 } }],
    [{ seed: -1 }],
  ])("refuse %j and stay as they are", async (body) => {
    await using pay = await harness()
    await put(pay, { issuer: { kind: "SLOW" } })
    expect((await pay.send("PUT", "/sandbox/faults", { body })).status).toBe(400)
    expect((await pay.send("GET", "/sandbox/faults")).body).toMatchObject({ on: ["issuer"] })
  })

  it("are refused where several platforms share the server", async () => {
    await using pay = await harness()
    const clientSecret = Redacted.make("secret_other")
    const other = { clientId: "client_other", clientSecret, name: "Other", currencies: ["USD"] } as const
    await pay.run(Platforms.use((platforms) => platforms.setUp(other)))
    for (const [method, body] of [["GET"], ["PUT", { rail: { kind: "ERROR" } }], ["DELETE"]] as const) {
      const reply = await pay.send(method, "/sandbox/faults", body === undefined ? {} : { body })
      expect(reply).toMatchObject({
        status: 409,
        body: {
          code: "CONFLICT",
          message: "Several platforms share this server, and a fault would be one of all.",
          details: { reason: "SEVERAL_PLATFORMS" },
        },
      })
    }
  })

  it("are refused by a deployment that has none", async () => {
    await using pay = await harness()
    const none = Faults.layer.pipe(Layer.provide(Layer.succeed(PortFaults, undefined)))
    const refusal = (use: (faults: Faults["Service"]) => Effect.Effect<unknown, unknown, CurrentCaller>) =>
      pay.run(Effect.flip(Faults.use(use)).pipe(Effect.provide(none, { local: true })))
    const message = "This deployment has no faults to switch on."
    expect(await refusal((faults) => faults.get)).toMatchObject({ code: "NOT_IMPLEMENTED", message })
    expect(await refusal((faults) => faults.set({ seed: 1 }))).toMatchObject({ code: "NOT_IMPLEMENTED", message })
  })

  it("are audited with the ports that are on", async () => {
    await using pay = await harness()
    await put(pay, { rail: { kind: "ERROR" }, store: { kind: "CONFLICT", commits: 1 } })
    expect(at(await pay.send("GET", "/audit-records"), "data", 0)).toMatchObject({
      operation: "SANDBOX_FAULTS_SET",
      details: { on: ["rail", "store"] },
    })
  })

  it("are switched off by a reset of the world, and stay on when one is loaded", async () => {
    await using pay = await harness()
    await put(pay, { rail: { kind: "ERROR" } })
    await pay.send("POST", "/sandbox/worlds", { body: { name: "one" } })
    await pay.send("POST", "/sandbox/worlds/one/load")
    expect((await pay.send("GET", "/sandbox/faults")).body).toMatchObject({ on: ["rail"] })
    await pay.send("POST", "/sandbox/world/reset")
    expect((await pay.send("GET", "/sandbox/faults")).body).toEqual(off)
  })
})

describe("the rail", () => {
  it("refuses payments with the reason, and delivers the next one when it is well", async () => {
    await using pay = await agentHarness()
    await put(pay, { rail: { kind: "REJECT", reason: "INSUFFICIENT_FUNDS" } })
    const refused = await transferIn(pay)
    await pay.settle()
    expect(await refused()).toBe("FAILED")
    expect(await met(pay)).toMatchObject({ rail: 1 })
    await clear(pay)
    expect(await met(pay)).toMatchObject({ rail: 0 })
    const paid = await transferIn(pay)
    await pay.settle()
    expect(await paid()).toBe("COMPLETED")
  })

  it.each(["ERROR", "UNKNOWN"])(
    "leaves payments undecided (%s), and answers when it is asked again later",
    async (kind) => {
      await using pay = await agentHarness()
      await put(pay, { rail: { kind } })
      const status = await transferIn(pay)
      await pay.settle()
      expect(["PENDING", "PROCESSING"]).toContain(await status())
      await clear(pay)
      await pay.clock.advance("1 hour")
      expect(await status()).toBe("COMPLETED")
    },
  )

  it("knows the outcome after the chosen business time", async () => {
    await using pay = await agentHarness()
    await put(pay, { rail: { kind: "SLOW", slowSeconds: 3600 } })
    const status = await transferIn(pay)
    await pay.clock.advance("59 minutes")
    expect(await status()).not.toBe("COMPLETED")
    await pay.clock.advance("1 minute")
    expect(await status()).toBe("COMPLETED")
  })

  it("fails for the chosen share of calls, for the same ones with the same seed", async () => {
    await using pay = await agentHarness()
    const refusedOf = async (seed: number) => {
      await put(pay, { rail: { kind: "REJECT", percent: 40 }, seed })
      const all: Array<unknown> = []
      for (let n = 0; n < 30; n++) {
        const status = await transferIn(pay)
        await pay.settle()
        all.push(await status())
      }
      return all
    }
    const first = await refusedOf(1)
    expect(first.filter((status) => status === "FAILED").length).toBeGreaterThan(5)
    expect(first.filter((status) => status === "FAILED").length).toBeLessThan(20)
    expect(await refusedOf(1)).toEqual(first)
    expect(await refusedOf(2)).not.toEqual(first)
  })
})

describe("the issuer", () => {
  it("refuses cards, and declines purchases", async () => {
    await using pay = await agentHarness()
    const card = await newCard(pay)
    await pay.settle()
    await put(pay, { issuer: { kind: "REJECT" } })
    const refused = await newCard(pay)
    await pay.settle()
    expect(await refused.state()).not.toBe("ACTIVE")
    expect(await met(pay)).toMatchObject({ issuer: 1, rail: 0, webhooks: 0, store: 0 })
    await pay.send("POST", `/sandbox/internal-accounts/${pay.accountId}/fund`, { body: { amount: 5000 } })
    const purchase = { amount: 100, currency: "USD", merchant: { descriptor: "Shop 000" } }
    const declined = await pay.send("POST", `/sandbox/cards/${card.id}/simulate/authorization`, { body: purchase })
    expect(JSON.stringify(declined.body)).toContain("SUSPECTED_FRAUD")
    await clear(pay)
    const accepted = await pay.send("POST", `/sandbox/cards/${card.id}/simulate/authorization`, { body: purchase })
    expect(JSON.stringify(accepted.body)).not.toContain("SUSPECTED_FRAUD")
  })

  it.each(["ERROR", "UNKNOWN", "SLOW"])("leaves a card pending (%s) until it is well", async (kind) => {
    await using pay = await agentHarness()
    await put(pay, { issuer: { kind } })
    const card = await newCard(pay)
    await pay.settle()
    expect(await card.state()).toBe("PROCESSING")
    await clear(pay)
    await pay.clock.advance("1 hour")
    expect(await card.state()).toBe("ACTIVE")
  })
})

describe("webhooks", () => {
  it.each([
    [{ kind: "STATUS", status: 418 }, /"status":418/u],
    [{ kind: "STATUS" }, /"status":503/u],
    [{ kind: "TIMEOUT" }, /no answer in time/u],
  ])("fail as %j without reaching the endpoint, and arrive when the weather is fine", async (webhooks, attempt) => {
    await using pay = await agentHarness()
    await pay.settle()
    pay.inbox.clear()
    await put(pay, { webhooks })
    await pay.send("POST", `/sandbox/internal-accounts/${pay.accountId}/fund`, { body: { amount: 5000 } })
    await pay.settle()
    expect(pay.inbox.received).toEqual([])
    const [event] = at(await pay.send("GET", "/operator/events"), "data") as ReadonlyArray<object>
    expect(JSON.stringify(Object(event)["lastAttempt"])).toMatch(attempt)
    expect(Number(at({ body: await met(pay) }, "webhooks"))).toBeGreaterThan(0)
    await clear(pay)
    await pay.clock.advance("1 day")
    expect(pay.inbox.received.length).toBeGreaterThan(0)
  })
})

describe("the store", () => {
  const customer = { customerType: "INDIVIDUAL", fullName: "Grace Hopper" }
  const count = async (pay: Pay) => at(await pay.send("GET", "/customers"), "totalCount")

  it.each(["CONFLICT", "FAIL_BEFORE", "FAIL_AFTER"])(
    "recovers by itself from one commit with %s, without doing anything twice",
    async (kind) => {
      await using pay = await harness()
      await put(pay, { store: { kind, commits: 1 } })
      expect((await pay.send("POST", "/customers", { body: customer })).status).toBe(201)
      expect(await count(pay)).toBe(1)
      expect((await pay.send("GET", "/sandbox/faults")).body).toMatchObject({ on: [], met: { store: 1 } })
    },
  )

  it("answers 503 while all commits break before they are stored, and nothing is stored", async () => {
    await using pay = await harness()
    await put(pay, { store: { kind: "FAIL_BEFORE", commits: 1000 } })
    expect((await pay.send("POST", "/customers", { body: customer })).status).toBe(503)
    expect(await count(pay)).toBe(0)
    await clear(pay)
    expect((await pay.send("POST", "/customers", { body: customer })).status).toBe(201)
  })

  it.each(["CONFLICT", "FAIL_BEFORE", "FAIL_AFTER"])(
    "lets %s lock nobody out: signing in, switching off, saving and resetting work",
    async (kind) => {
      await using pay = await harness()
      const store = { store: { kind, commits: 1000 } }
      await put(pay, store)
      await put(pay, store)
      expect((await pay.send("POST", "/sandbox/worlds", { body: { name: "bad-weather" } })).status).toBe(201)
      expect((await pay.send("POST", "/sandbox/world/reset")).status).toBe(200)
      expect((await pay.send("GET", "/sandbox/faults")).body).toEqual(off)
      await put(pay, store)
      const token = await pay.send("POST", "/tokens", { body: { name: "late", permissions: ["VIEW"] } })
      expect(token.status).toBe(201)
      await clear(pay)
      expect((await pay.send("POST", "/customers", { body: customer })).status).toBe(201)
    },
  )
})
