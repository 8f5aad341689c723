/** The delivery of events: acknowledgement, retries, order, isolation. Wire contract 6.1, 6.2, 6.4 and 11 (36 to 38). */
import { InternalAccounts, Jobs, Platforms, tenant, Webhooks } from "@countersign/core"
import { sandboxCurrencies } from "@countersign/core/models"
import { Store } from "@countersign/core/store"
import { Effect, Redacted } from "effect"
import { describe, expect, it } from "vitest"
import { changeSet } from "../../../packages/test/src/conformance/ChangeSets.ts"
import { addCustomer } from "../../../packages/test/src/harness/AgentWorld.ts"
import { type World, world } from "../../../packages/test/src/harness/World.ts"

const fund = (pay: World, accountId: string, amount = 5) =>
  pay.run(InternalAccounts.use((accounts) => accounts.fund(accountId, amount)))

const jobs = (pay: World) => pay.run(Effect.flatMap(Store, (store) => store.jobs))

/** A funded account, after the events of its creation were delivered. */
const funded = async (pay: World) => {
  const { accountId } = await addCustomer(pay)
  await pay.settle()
  pay.inbox.clear()
  return accountId
}

describe("a delivery", () => {
  // Proves: EVT-01
  it("carries the envelope and is acknowledged by any 2xx", async () => {
    await using pay = await world()
    const accountId = await funded(pay)
    pay.inbox.answerNext(204, 299)
    await fund(pay, accountId)
    await pay.settle()
    expect(pay.inbox.received.map((event) => event.type).toSorted()).toEqual([
      "INCOMING_PAYMENT.COMPLETED",
      "INTERNAL_ACCOUNT.BALANCE_UPDATED",
    ])
    for (const event of pay.inbox.received) {
      expect(Object.keys(JSON.parse(event.body))).toEqual(["id", "type", "timestamp", "platformId", "data"])
      expect(event.id).toMatch(/^Webhook:/u)
      expect(event.timestamp).toBe("2026-11-21T12:00:00Z")
    }
    expect(await jobs(pay)).toEqual([])
  })

  it("is not retried when the endpoint answers 409 for a duplicate", async () => {
    await using pay = await world()
    const accountId = await funded(pay)
    pay.inbox.answerNext(409, 409)
    await fund(pay, accountId)
    await pay.clock.advance("1 hour")
    expect(pay.inbox.received).toHaveLength(2)
    expect(await jobs(pay)).toEqual([])
  })

  it.each([500, 404, 302, "silence"] as const)(
    "is retried after %s with the same id, time and body",
    async (answer) => {
      await using pay = await world()
      const accountId = await funded(pay)
      pay.inbox.answerNext(answer, answer)
      await fund(pay, accountId)
      await pay.settle()
      expect(pay.inbox.received).toHaveLength(2)
      await pay.clock.advance("6 seconds")
      expect(pay.inbox.received).toHaveLength(4)
      for (const type of ["INCOMING_PAYMENT.COMPLETED", "INTERNAL_ACCOUNT.BALANCE_UPDATED"] as const) {
        const [first, second] = pay.inbox.ofType(type)
        expect(second?.body).toBe(first?.body)
      }
      expect(await jobs(pay)).toEqual([])
    },
  )

  it("is retried after 5 seconds, then with doubling delays up to 30 minutes, with 10% jitter, for 7 days", async () => {
    await using pay = await world()
    const accountId = await funded(pay)
    // One failing event alone: its own delays are longer than those of the endpoint's circuit.
    pay.inbox.deliverTo(async (request) => {
      const { type }: { readonly type: string } = JSON.parse(await request.text())
      return new Response("", { status: type === "INCOMING_PAYMENT.COMPLETED" ? 500 : 200 })
    })
    await fund(pay, accountId)
    const at: Array<number> = []
    const start = await pay.clock.now()
    let seen = 0
    const step = async (seconds: number) => {
      await pay.clock.advance(`${seconds} seconds`)
      const attempts = pay.inbox.ofType("INCOMING_PAYMENT.COMPLETED").length
      if (attempts > seen) at.push(((await pay.clock.now()) - start) / 1000)
      seen = attempts
    }
    await pay.settle()
    seen = pay.inbox.ofType("INCOMING_PAYMENT.COMPLETED").length
    for (let i = 0; i < 1200; i++) await step(1)
    const waits = at.map((time, index) => time - (at[index - 1] ?? 0))
    for (const [index, wait] of waits.entries()) {
      const nominal = 5 * 2 ** index
      expect(wait).toBeGreaterThanOrEqual(Math.floor(nominal * 0.9))
      expect(wait).toBeLessThanOrEqual(Math.ceil(nominal * 1.1) + 1)
    }
    expect(waits.length).toBeGreaterThanOrEqual(7)

    const states = async () => (await jobs(pay)).map((job) => job.state)
    const parked = async () => (await states()).every((state) => state === "parked")
    const day = 24 * 60 * 60
    // Steps are short compared with the longest delay, so that every retry is observed.
    while (!(await parked()) && (await pay.clock.now()) < start + 8 * day * 1000) await step(5 * 60)
    expect(await states()).toEqual(["parked"])
    const last = at.at(-1) ?? 0
    expect(last).toBeGreaterThanOrEqual(7 * day)
    expect(last).toBeLessThanOrEqual(7 * day + 33 * 60 + 5 * 60)
    const attempts = seen
    await pay.clock.advance("1 day")
    expect(pay.inbox.ofType("INCOMING_PAYMENT.COMPLETED")).toHaveLength(attempts)
    expect(attempts).toBeGreaterThan(300)
  }, 60_000)

  it("is recorded but not sent when no endpoint is configured", async () => {
    await using pay = await world({ webhookEndpoint: null })
    const { accountId } = await addCustomer(pay)
    await fund(pay, accountId)
    await pay.settle()
    expect(pay.inbox.received).toEqual([])
    expect(await jobs(pay)).toEqual([])
  })

  it("shows the balances of its own commit, even when it is sent late", async () => {
    await using pay = await world()
    const accountId = await funded(pay)
    for (const amount of [1, 10, 100]) await fund(pay, accountId, amount)
    await pay.settle()
    const shown = pay.inbox.ofType("INTERNAL_ACCOUNT.BALANCE_UPDATED").map(({ data }) => data["balance"])
    expect(shown).toMatchObject([{ amount: 1 }, { amount: 11 }, { amount: 111 }])
  })
})

describe("the order of one record's events", () => {
  it("delays later events by at most 30 seconds while an earlier one is retried", async () => {
    await using pay = await world()
    const accountId = await funded(pay)
    const balances = () =>
      pay.inbox
        .ofType("INTERNAL_ACCOUNT.BALANCE_UPDATED")
        .map(({ data }) => (data["balance"] as { amount: number }).amount)
    pay.inbox.answerNext(500, 500)
    await fund(pay, accountId, 1)
    await pay.settle()
    await fund(pay, accountId, 10)
    await pay.settle()
    expect(balances()).toEqual([1])
    pay.inbox.answerNext(...Array.from({ length: 8 }, () => 500))
    await pay.clock.advance("29 seconds")
    expect(new Set(balances())).toEqual(new Set([1]))
    await pay.clock.advance("2 seconds")
    expect(balances()).toContain(11)
  })
})

describe("an unreachable endpoint", () => {
  it("does not delay the events of other platforms", async () => {
    await using pay = await world()
    const dead = await funded(pay)
    const otherId = await pay.run(
      Platforms.use((platforms) =>
        platforms.setUp({
          clientId: "other",
          clientSecret: Redacted.make("other"),
          name: "Other",
          currencies: sandboxCurrencies,
          webhookEndpoint: "https://other.example/hooks",
        }),
      ),
    )
    const other: World = { ...pay, run: (effect, caller = tenant(otherId)) => pay.run(effect, caller) }
    const { accountId } = await addCustomer(other)
    await pay.settle()
    pay.inbox.clear()
    for (let i = 0; i < 300; i++) await fund(pay, dead, 1)
    await fund(other, accountId)
    const claimed = await pay.run(
      Effect.gen(function* () {
        const store = yield* Store
        const now = yield* Effect.clockWith((clock) => clock.currentTimeMillis)
        const times = { businessNow: now, wallNow: now, leaseMillis: 60_000 }
        return yield* store.claim({ queue: "webhook", worker: "w", limit: 16, leavesReserve: true, ...times })
      }),
    )
    // Attempts at the unreachable endpoint take neither the other platform's turns nor the reserve.
    expect(claimed.filter((job) => job.platformId === otherId)).toHaveLength(2)
    expect(claimed.filter((job) => job.platformId === pay.platformId).length).toBeLessThanOrEqual(10)
  })
})

describe("a test event", () => {
  // Proves: EVT-01
  it("is sent once when an endpoint is set or changed", async () => {
    await using pay = await world({ webhookEndpoint: null })
    const set = (webhookEndpoint: string) =>
      pay.run(Platforms.use((platforms) => platforms.updateConfig({ webhookEndpoint })))
    pay.inbox.answerNext(500)
    await set("https://one.example/hooks")
    await pay.clock.advance("1 hour")
    expect(pay.inbox.received).toMatchObject([{ type: "TEST", data: {}, url: "https://one.example/hooks" }])
    await set("https://one.example/hooks")
    await pay.settle()
    expect(pay.inbox.received).toHaveLength(1)
    await set("https://two.example/hooks")
    await pay.settle()
    expect(pay.inbox.received.at(-1)).toMatchObject({ type: "TEST", url: "https://two.example/hooks" })
  })

  // Proves: ERR-WEBHOOK_ENDPOINT_NOT_SET, ERR-WEBHOOK_DELIVERY_ERROR
  it("returns the endpoint's answer, or why there was none", async () => {
    await using pay = await world()
    pay.inbox.answerNext(418)
    const test = Webhooks.use((webhooks) => webhooks.test)
    expect(await pay.run(test)).toMatchObject({ url: "https://platform.example/hooks", response_status: 418 })
    pay.inbox.answerNext("silence")
    expect(await pay.run(Effect.flip(test))).toMatchObject({ code: "WEBHOOK_DELIVERY_ERROR" })
    await using silent = await world({ webhookEndpoint: null })
    expect(await silent.run(Effect.flip(test))).toMatchObject({ code: "WEBHOOK_ENDPOINT_NOT_SET" })
  })
})

describe("the workers", () => {
  it("park a job of an unknown kind", async () => {
    await using pay = await world()
    await pay.run(
      Effect.gen(function* () {
        const store = yield* Store
        const job = {
          id: "Job:x",
          queue: "work",
          kind: "unheard.of",
          customerId: null,
          dueAt: 0,
          payload: null,
        } as const
        yield* store.commit(changeSet({ operationId: "op", jobs: [job] }))
      }),
    )
    await pay.run(Jobs.use((workers) => workers.drain))
    expect(await jobs(pay)).toMatchObject([{ id: "Job:x", state: "parked", error: "no handler for unheard.of" }])
  })
})
