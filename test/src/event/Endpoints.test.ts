/** The webhook endpoint over HTTP: its circuit breaker, its proof, and being disabled, enabled and unset. D-332, D-333. */
import { InternalAccounts } from "@countersign/core"
import { WebhookTrust } from "@countersign/core/ports"
import { Store } from "@countersign/core/store"
import { Effect, Layer } from "effect"
import { describe, expect, it } from "vitest"
import { addCustomer } from "../../../packages/test/src/harness/AgentWorld.ts"
import { type Harness, type HarnessOptions, harness } from "../../../packages/test/src/harness/Harness.ts"
import { at } from "../e2e/Client.ts"

const url = "https://platform.example/hooks"

interface Endpoint {
  readonly circuit: string
  readonly state: string
  readonly waitingEvents: number
  readonly nextAttemptAt?: string
}

const endpointOf = async (pay: Harness) => (await pay.send("GET", "/webhooks/endpoint")).body as Endpoint
const change = (pay: Harness, what: "disable" | "enable") => pay.send("POST", `/webhooks/endpoint/${what}`)
const setUrl = (pay: Harness, webhookEndpoint: string | null) =>
  pay.send("PATCH", "/config", { body: { webhookEndpoint } })

const typesOf = (pay: Harness) => pay.inbox.received.map(({ type }) => type)

/** Lets time pass in steps, because `advance` runs the jobs at its end only. */
const wait = async (pay: Harness, minutes: number) => {
  for (let step = 0; step < minutes * 12; step++) await pay.clock.advance("5 seconds")
}

/** A service with a receiver that answers with `answer.status`. Each `fund` causes two events. */
const started = async (options: HarnessOptions = {}) => {
  const pay = await harness(options)
  const { accountId } = await addCustomer(pay)
  await pay.settle()
  pay.inbox.clear()
  const answer = { status: 200 }
  pay.inbox.deliverTo(async () => new Response(null, { status: answer.status }))
  const fund = async (times = 1) => {
    for (let count = 0; count < times; count++) {
      await pay.run(InternalAccounts.use((accounts) => accounts.fund(accountId, 5)))
    }
  }
  return { pay, answer, fund, [Symbol.asyncDispose]: pay[Symbol.asyncDispose] }
}

/** The same with a circuit that failures have opened. */
const opened = async () => {
  const all = await started()
  all.answer.status = 500
  await all.fund(3)
  await all.pay.clock.advance("10 seconds")
  expect(await endpointOf(all.pay)).toMatchObject({
    url,
    state: "ACTIVE",
    circuit: "OPEN",
    waitingEvents: 6,
    lastFailure: { reason: "the endpoint answered 500" },
  })
  return all
}

describe("the circuit of an endpoint", () => {
  it("sends nothing until its time, and then one probe at a time with growing waits", {
    timeout: 120_000,
  }, async () => {
    await using all = await opened()
    const { fund, pay } = all
    let last = Date.parse((await endpointOf(pay)).nextAttemptAt ?? "") - 30_000
    await fund(50)
    const waits: Array<number> = []
    let seen = pay.inbox.received.length
    while (waits.length < 7) {
      await pay.clock.advance("1 second")
      const more = pay.inbox.received.length - seen
      seen = pay.inbox.received.length
      if (more === 0) continue
      expect(more).toBe(1)
      const now = await pay.clock.now()
      waits.push(now - last)
      last = now
    }
    for (const [index, seconds] of [30, 60, 120, 240, 480, 900, 900].entries()) {
      expect(waits[index]).toBeGreaterThanOrEqual(seconds * 1000 - 1000)
      expect(waits[index]).toBeLessThanOrEqual(seconds * 1000 + 1000)
    }
    expect(await endpointOf(pay)).toMatchObject({ circuit: "OPEN", waitingEvents: 106 })
  })

  it("is named by an event that waits for it, and was never sent", async () => {
    await using all = await opened()
    const { pay } = all
    await addCustomer(pay)
    await pay.clock.advance("1 second")
    const { body } = await pay.send("GET", "/operator/events?limit=1")
    const event = at(body, "data", 0)
    expect(event).toMatchObject({ delivery: "WAITING", reason: "the endpoint fails" })
    expect(event).not.toHaveProperty("lastAttempt")
  })

  it("closes with the first success, and delivers what waited, the events of a record in order", async () => {
    await using all = await opened()
    const { answer, fund, pay } = all
    await fund(20)
    await pay.clock.advance("10 seconds")
    pay.inbox.clear()
    answer.status = 200
    await pay.clock.advance("10 seconds")
    expect(pay.inbox.received).toEqual([])
    await wait(pay, 3)
    expect(await endpointOf(pay)).toMatchObject({ circuit: "CLOSED", waitingEvents: 0, consecutiveFailures: 0 })
    expect(pay.inbox.received).toHaveLength(46)
    const balances = pay.inbox
      .ofType("INTERNAL_ACCOUNT.BALANCE_UPDATED")
      .map(({ data }) => (data["balance"] as { readonly amount: number }).amount)
    const later = balances.filter((amount) => amount > 15)
    expect(later).toEqual(later.toSorted((a, b) => a - b))
  })

  it("opens after five failures in a row, which a success interrupts", async () => {
    await using all = await started()
    const { answer, pay } = all
    const test = async (...statuses: ReadonlyArray<number>) => {
      for (const status of statuses) {
        answer.status = status
        await pay.send("POST", "/webhooks/test")
      }
    }
    await test(500, 404, 301, 500)
    expect(await endpointOf(pay)).toMatchObject({ circuit: "CLOSED", consecutiveFailures: 4 })
    await test(204, 500, 500, 500, 500)
    expect(await endpointOf(pay)).toMatchObject({ circuit: "CLOSED", consecutiveFailures: 4 })
    await test(409, 500, 500, 500, 500, 503)
    expect(await endpointOf(pay)).toMatchObject({
      circuit: "OPEN",
      consecutiveFailures: 5,
      nextAttemptAt: "2026-11-21T12:00:30Z",
      lastFailure: { at: "2026-11-21T12:00:00Z", reason: "the endpoint answered 503" },
    })
    await test(200)
    const closed = await endpointOf(pay)
    expect(closed).toMatchObject({ circuit: "CLOSED", consecutiveFailures: 0, lastSuccessAt: "2026-11-21T12:00:00Z" })
    expect(closed).not.toHaveProperty("nextAttemptAt")
  })

  it("is closed by a new URL and by enabling the endpoint", async () => {
    await using all = await opened()
    expect(await change(all.pay, "enable")).toMatchObject({ status: 200, body: { circuit: "CLOSED" } })
    await using other = await opened()
    await setUrl(other.pay, "https://other.example/hooks")
    expect(await endpointOf(other.pay)).toMatchObject({ url: "https://other.example/hooks", circuit: "CLOSED" })
  })

  it("of a healthy endpoint costs no write besides that of each delivery", async () => {
    await using all = await started()
    const { fund, pay } = all
    await fund()
    await pay.settle()
    const versions = () =>
      pay.run(
        Store.use((store) => store.read({ records: [{ kind: "WebhookEndpoint", id: pay.platformId }] })).pipe(
          Effect.map((found) => found.record("WebhookEndpoint", pay.platformId)?.version),
        ),
      )
    const before = await versions()
    expect(before).toBeGreaterThan(0)
    for (let second = 0; second < 59; second++) {
      await pay.clock.advance("1 second")
      await fund()
      await pay.settle()
    }
    expect(await versions()).toBe(before)
    expect(await endpointOf(pay)).toMatchObject({ waitingEvents: 0 })
  })
})

describe("an endpoint", () => {
  it("that is disabled gets nothing, not even what waited, until it is enabled", async () => {
    await using all = await opened()
    const { answer, fund, pay } = all
    answer.status = 200
    pay.inbox.clear()
    expect(await change(pay, "disable")).toMatchObject({ status: 200, body: { state: "DISABLED", url } })
    expect((await pay.send("GET", "/config")).body).toMatchObject({ webhookEndpoint: url })
    expect(await pay.send("POST", "/webhooks/test")).toMatchObject({
      status: 400,
      body: { code: "WEBHOOK_ENDPOINT_NOT_SET" },
    })
    await fund()
    await pay.clock.advance("1 hour")
    expect(pay.inbox.received).toEqual([])
    expect((await endpointOf(pay)).waitingEvents).toBe(0)
    await setUrl(pay, "https://other.example/hooks")
    expect((await endpointOf(pay)).state).toBe("DISABLED")
    expect(await change(pay, "enable")).toMatchObject({ status: 200, body: { state: "ACTIVE", circuit: "CLOSED" } })
    await fund()
    await pay.settle()
    expect(typesOf(pay)).toContain("INTERNAL_ACCOUNT.BALANCE_UPDATED")
    const audit = (await pay.send("GET", "/audit-records")).body as { readonly data: ReadonlyArray<object> }
    for (const operation of ["WEBHOOK_ENDPOINT_DISABLE", "WEBHOOK_ENDPOINT_ENABLE"]) {
      expect(audit.data).toContainEqual(expect.objectContaining({ operation }))
    }
  })

  it("is unset by null: events are recorded and not sent", async () => {
    await using all = await started()
    const { fund, pay } = all
    const unset = await setUrl(pay, null)
    expect(unset.status).toBe(200)
    expect(unset.body).not.toHaveProperty("webhookEndpoint")
    await fund()
    await pay.clock.advance("1 hour")
    expect(pay.inbox.received).toEqual([])
    expect(await endpointOf(pay)).toEqual({
      state: "UNSET",
      circuit: "CLOSED",
      consecutiveFailures: 0,
      waitingEvents: 0,
    })
    for (const what of ["enable", "disable"] as const) {
      expect(await change(pay, what)).toMatchObject({ status: 400, body: { code: "WEBHOOK_ENDPOINT_NOT_SET" } })
    }
    expect((await setUrl(pay, null)).status).toBe(200)
    await setUrl(pay, url)
    await pay.settle()
    expect(typesOf(pay)).toEqual(["TEST"])
  })
})

describe("an endpoint that must prove itself", () => {
  const ports = Layer.succeed(WebhookTrust, "PROOF")

  /** Answers challenges with what `respond` makes of them. */
  const proving = async (respond: (challenge: string, body: string) => string | Response) => {
    const pay = await harness({ ports })
    pay.inbox.deliverTo(async (request) => {
      const body = await request.text()
      const { data, type }: { readonly type: string; readonly data: { readonly challenge: string } } = JSON.parse(body)
      const answer = type === "WEBHOOK_ENDPOINT.VERIFICATION" ? respond(data.challenge, body) : ""
      return typeof answer === "string" ? new Response(answer) : answer
    })
    const { accountId } = await addCustomer(pay)
    const fund = () => pay.run(InternalAccounts.use((accounts) => accounts.fund(accountId, 5)))
    return { pay, fund, [Symbol.asyncDispose]: pay[Symbol.asyncDispose] }
  }

  it("gets a challenge first, and then the events that waited", async () => {
    let isReady = false
    await using all = await proving((challenge) => (isReady ? JSON.stringify({ challenge }) : "later"))
    const { fund, pay } = all
    await fund()
    await wait(pay, 1)
    expect(new Set(typesOf(pay))).toEqual(new Set(["WEBHOOK_ENDPOINT.VERIFICATION"]))
    const pending = await endpointOf(pay)
    expect(pending.state).toBe("PENDING")
    expect(pending.waitingEvents).toBeGreaterThan(0)
    isReady = true
    await wait(pay, 10)
    expect(await endpointOf(pay)).toMatchObject({ state: "ACTIVE", waitingEvents: 0 })
    expect(typesOf(pay)).toEqual(
      expect.arrayContaining(["INCOMING_PAYMENT.COMPLETED", "INTERNAL_ACCOUNT.BALANCE_UPDATED"]),
    )
    const audit = (await pay.send("GET", "/audit-records?limit=100")).body as { readonly data: ReadonlyArray<object> }
    expect(audit.data).toContainEqual(
      expect.objectContaining({ operation: "WEBHOOK_ENDPOINT_PROVE", actor: { type: "SERVICE" } }),
    )
  })

  it.each<[string, (challenge: string, body: string) => string | Response]>([
    ["sends back what it received", (_, body) => body],
    ["answers with the text alone", (challenge) => challenge],
    ["answers with another challenge", () => JSON.stringify({ challenge: "0".repeat(64) })],
    ["answers with a list", (challenge) => JSON.stringify([{ challenge }])],
    ["answers with an error", (challenge) => new Response(JSON.stringify({ challenge }), { status: 500 })],
    [
      "redirects",
      (challenge) => new Response(JSON.stringify({ challenge }), { status: 302, headers: { location: url } }),
    ],
    ["answers nothing", () => ""],
  ])("proves nothing if it %s", async (_, respond) => {
    await using all = await proving(respond)
    await wait(all.pay, 2)
    expect((await endpointOf(all.pay)).state).toBe("PENDING")
  })

  it("proves itself again for another URL and after it was disabled", async () => {
    await using all = await proving((challenge) => JSON.stringify({ challenge }))
    const { pay } = all
    await pay.settle()
    expect((await endpointOf(pay)).state).toBe("ACTIVE")
    const challenges = () => typesOf(pay).filter((type) => type === "WEBHOOK_ENDPOINT.VERIFICATION").length
    expect(challenges()).toBe(1)
    expect((await setUrl(pay, "https://other.example/hooks")).status).toBe(200)
    expect((await endpointOf(pay)).state).toBe("PENDING")
    await pay.settle()
    // The test event, which is tried once only, has waited for the proof.
    await wait(pay, 1)
    expect(pay.inbox.ofType("TEST").map((event) => event.url)).toEqual(["https://other.example/hooks"])
    expect(challenges()).toBe(2)
    await change(pay, "disable")
    expect(await change(pay, "enable")).toMatchObject({ body: { state: "PENDING" } })
    await pay.settle()
    expect([challenges(), (await endpointOf(pay)).state]).toEqual([3, "ACTIVE"])
  })

  it("makes the service send ten challenges an hour at most, to whatever URLs", async () => {
    await using all = await proving(() => "no")
    const { pay } = all
    pay.inbox.clear()
    for (let count = 0; count < 30; count++) {
      await setUrl(pay, `https://victim.example/hooks?${count}`)
      await pay.clock.advance("1 minute")
    }
    const hour = pay.inbox.received.length
    expect(hour).toBeGreaterThan(5)
    expect(hour).toBeLessThanOrEqual(10)
    await wait(pay, 29)
    expect(pay.inbox.received.length).toBeLessThanOrEqual(10)
    await wait(pay, 61)
    expect(pay.inbox.received.length).toBeGreaterThan(hour)
    expect(pay.inbox.received.length).toBeLessThanOrEqual(20)
    expect(new Set(typesOf(pay))).toEqual(new Set(["WEBHOOK_ENDPOINT.VERIFICATION"]))
  })
})
