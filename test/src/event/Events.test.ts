/**
 * Events for the operator over HTTP: listed, read with their attempts, and sent again.
 * Source: D-450 to D-452.
 */
import { Platforms } from "@countersign/core"
import { sandboxCurrencies } from "@countersign/core/models"
import { WebhookTransport } from "@countersign/core/ports"
import { Effect, Layer, Redacted } from "effect"
import { describe, expect, it } from "vitest"
import { recordAttempt } from "../../../packages/core/src/decision/event/AttemptDecision.ts"
import { responseBodyMax } from "../../../packages/core/src/model/event/DeliveryAttempt.ts"
import { type Harness, harness } from "../../../packages/test/src/harness/Harness.ts"
import { at } from "../customer/CustomerRequests.ts"

interface Listed {
  readonly id: string
  readonly type: string
  readonly subject: string
  readonly delivery: string
  readonly lastAttempt?: { readonly number: number; readonly isAcknowledged: boolean }
}

const customer = { customerType: "INDIVIDUAL", platformCustomerId: "c-1", fullName: "Ada Lovelace" }

const list = async (pay: Harness, query = "") =>
  at(await pay.send("GET", `/operator/events${query}`), "data") as ReadonlyArray<Listed>

/** An account with money, whose two events wait for their delivery. */
const funded = async (pay: Harness) => {
  const customerId = String(at(await pay.send("POST", "/customers", { body: customer }), "id"))
  const accounts = await pay.send("GET", `/customers/internal-accounts?customerId=${customerId}`)
  const accountId = String(at(accounts, "data", 0, "id"))
  await pay.settle()
  pay.inbox.clear()
  await pay.send("POST", `/sandbox/internal-accounts/${accountId}/fund`, { body: { amount: 500 } })
  return { customerId, accountId }
}

const balanceEvent = async (pay: Harness) => {
  const [found] = await list(pay, "?type=INTERNAL_ACCOUNT.BALANCE_UPDATED")
  if (found === undefined) throw new Error("no event of the balance")
  return found
}

const read = async (pay: Harness, id: string) => (await pay.send("GET", `/operator/events/${id}`)).body

const audits = async (pay: Harness, operation: string) =>
  at(await pay.send("GET", `/audit-records?operation=${operation}`), "data")

describe("the list of events", () => {
  it("shows the newest first, by type, record, customer and time, in pages", async () => {
    await using pay = await harness()
    const { accountId, customerId } = await funded(pay)
    const all = await list(pay, "?limit=100")
    const waiting = await balanceEvent(pay)
    expect(waiting).toMatchObject({ subject: accountId, delivery: "WAITING" })
    expect(waiting).not.toHaveProperty("nextAttemptAt")
    expect(all.map(({ id }) => id)).toEqual((await list(pay, "?limit=100&sortOrder=asc")).map(({ id }) => id).reverse())
    const ofBalance = await list(pay, `?type=INTERNAL_ACCOUNT.BALANCE_UPDATED&customerId=${customerId}`)
    expect(ofBalance.map(({ subject }) => subject)).toEqual([accountId])
    expect((await list(pay, `?subject=${customerId}`)).length).toBeGreaterThan(0)
    expect(await list(pay, "?endDate=2020-01-01T00:00:00Z")).toEqual([])
    const first = await pay.send("GET", "/operator/events?limit=2")
    expect(first.body).toMatchObject({ hasMore: true, totalCount: all.length })
    const cursor = String(at(first, "nextCursor"))
    const second = await list(pay, `?limit=2&cursor=${cursor}`)
    expect(second.map(({ id }) => id)).toEqual(all.slice(2, 4).map(({ id }) => id))
    expect(await pay.send("GET", `/operator/events?limit=2&type=TEST&cursor=${cursor}`)).toMatchObject({
      status: 400,
      body: { code: "INVALID_INPUT" },
    })
    expect((await pay.send("GET", `/operator/events?limit=2&sortOrder=asc&cursor=${cursor}`)).status).toBe(400)
    expect((await pay.send("GET", "/operator/events?type=UNKNOWN")).status).toBe(400)
  })
})

describe("an event", () => {
  it("shows its body as it is delivered, and every attempt with its signatures", async () => {
    await using pay = await harness()
    await funded(pay)
    pay.inbox.answerNext(500, 500)
    await pay.settle()
    const { id } = await balanceEvent(pay)
    expect(await read(pay, id)).toMatchObject({
      delivery: "WAITING",
      nextAttemptAt: expect.any(String),
      reason: "the endpoint answered 500",
      attempts: [
        { number: 1, status: 500, isAcknowledged: false, isResend: false, reason: "the endpoint answered 500" },
      ],
    })
    await pay.clock.advance("6 seconds")
    const deliveries = pay.inbox.received.filter((event) => event.id === id)
    expect(deliveries).toHaveLength(2)
    const shown = await read(pay, id)
    expect(shown).toMatchObject({
      id,
      type: "INTERNAL_ACCOUNT.BALANCE_UPDATED",
      delivery: "DONE",
      body: deliveries[0]?.body,
      attempts: deliveries.map(({ headers, url }, index) => ({
        number: index + 1,
        status: index === 0 ? 500 : 200,
        isAcknowledged: index === 1,
        url,
        headers,
      })),
    })
    expect(shown).not.toHaveProperty("nextAttemptAt")
    expect(shown).not.toHaveProperty("reason")
    expect((await balanceEvent(pay)).lastAttempt).toMatchObject({ number: 2, isAcknowledged: true })
  })

  it("without an endpoint is done and has no attempt", async () => {
    await using pay = await harness()
    await pay.send("PATCH", "/config", { body: { webhookEndpoint: null } })
    await funded(pay)
    await pay.settle()
    const { id } = await balanceEvent(pay)
    expect(await read(pay, id)).toMatchObject({ delivery: "DONE", attempts: [], body: expect.stringContaining(id) })
    expect(await pay.send("POST", `/operator/events/${id}/resend`)).toMatchObject({
      status: 400,
      body: { code: "WEBHOOK_ENDPOINT_NOT_SET" },
    })
  })

  it("shows an attempt without an answer with its reason", async () => {
    await using pay = await harness()
    await funded(pay)
    pay.inbox.answerNext("silence", "silence")
    await pay.settle()
    const shown = await read(pay, (await balanceEvent(pay)).id)
    expect(shown).toMatchObject({ attempts: [{ isAcknowledged: false, reason: "no answer" }] })
    expect(at({ body: shown }, "attempts", 0)).not.toHaveProperty("status")
  })

  it("does not exist for another platform, for its console and for an agent", async () => {
    await using pay = await harness()
    await funded(pay)
    await pay.settle()
    const { id } = await balanceEvent(pay)
    const setup = {
      clientId: "other",
      clientSecret: Redacted.make("another-secret-of-32-characters!"),
      name: "Other",
      currencies: sandboxCurrencies,
      webhookEndpoint: "https://other.example/hooks",
    }
    await pay.run(Platforms.use((platforms) => platforms.setUp(setup)))
    const headers = { authorization: `Basic ${btoa(`other:another-secret-of-32-characters!`)}` }
    const asOther = (method: string, path: string, body?: unknown) =>
      pay.send(method, path, { as: "nobody", headers, ...(body === undefined ? {} : { body }) })
    expect((await asOther("GET", `/operator/events/${id}`)).status).toBe(404)
    expect((await asOther("POST", `/operator/events/${id}/resend`)).status).toBe(404)
    expect((await asOther("POST", `/sandbox/events/${id}/send`, { url: "https://a.example/" })).status).toBe(404)
    const own = at(await asOther("GET", "/operator/events?limit=100"), "data") as ReadonlyArray<Listed>
    expect(own.map((event) => event.id)).not.toContain(id)
    expect((await pay.send("GET", `/operator/events/${id}`, { as: "nobody" })).status).toBe(401)
    expect((await pay.send("GET", "/operator/events/unknown")).status).toBe(404)
  })
})

describe("an event that is sent again", () => {
  it("has the same id and body, is audited, and is sent once", async () => {
    await using pay = await harness()
    await funded(pay)
    await pay.settle()
    const { id } = await balanceEvent(pay)
    const accepted = await pay.send("POST", `/operator/events/${id}/resend`)
    expect(accepted).toMatchObject({ status: 202, body: { eventId: id } })
    pay.inbox.answerNext(503)
    await pay.clock.advance("1 hour")
    const [first, second, ...more] = pay.inbox.received.filter((event) => event.id === id)
    expect(more).toEqual([])
    expect(second?.body).toBe(first?.body)
    expect(second?.headers["webhook-timestamp"]).toBeDefined()
    expect(await read(pay, id)).toMatchObject({
      delivery: "DONE",
      attempts: [
        { number: 1, isResend: false, status: 200 },
        { number: 2, isResend: true, status: 503, isAcknowledged: false },
      ],
    })
    expect(await audits(pay, "EVENT_RESEND")).toMatchObject([
      { actor: { type: "PLATFORM" }, target: id, details: { type: "INTERNAL_ACCOUNT.BALANCE_UPDATED" } },
    ])
    expect((await pay.send("POST", "/operator/events/unknown/resend")).status).toBe(404)
  })

  it("replays its answer for a repeated key and is sent once", async () => {
    await using pay = await harness()
    await funded(pay)
    await pay.settle()
    const { id } = await balanceEvent(pay)
    const headers = { "idempotency-key": "again" }
    await pay.send("POST", `/operator/events/${id}/resend`, { headers })
    await pay.send("POST", `/operator/events/${id}/resend`, { headers })
    await pay.settle()
    expect(pay.inbox.received.filter((event) => event.id === id)).toHaveLength(2)
  })

  it("keeps its own retries, and its body, while it still fails", async () => {
    await using pay = await harness()
    await funded(pay)
    let isUp = false
    pay.inbox.deliverTo(async () => new Response("", { status: isUp ? 200 : 500 }))
    await pay.settle()
    // For its first 30 seconds a failing event holds back what follows it in the lane of its record.
    await pay.clock.advance("31 seconds")
    const { id } = await balanceEvent(pay)
    await pay.send("POST", `/operator/events/${id}/resend`)
    await pay.settle()
    const failing = await read(pay, id)
    expect(failing).toMatchObject({ delivery: "WAITING" })
    const attempts = at({ body: failing }, "attempts") as ReadonlyArray<{ readonly isResend: boolean }>
    expect(attempts.filter(({ isResend }) => isResend)).toHaveLength(1)
    isUp = true
    // The first success is that of the circuit's probe, which may be another event.
    for (const wait of ["1 hour", "1 hour"] as const) await pay.clock.advance(wait)
    expect(await read(pay, id)).toMatchObject({ delivery: "DONE" })
    expect(new Set(pay.inbox.received.filter((event) => event.id === id).map(({ body }) => body)).size).toBe(1)
  })

  it("waits in the lane of its record, which keeps the event until then", async () => {
    await using pay = await harness()
    await funded(pay)
    await pay.settle()
    const { id, subject } = await balanceEvent(pay)
    pay.inbox.answerNext(...Array.from({ length: 9 }, () => 500))
    await pay.send("POST", `/sandbox/internal-accounts/${subject}/fund`, { body: { amount: 1 } })
    await pay.settle()
    await pay.send("POST", `/operator/events/${id}/resend`)
    const jobs = at(await pay.send("GET", "/operator/jobs"), "data")
    expect(jobs).toContainEqual(expect.objectContaining({ kind: "webhook.resend", subject }))
  })

  it("is refused while the endpoint is disabled", async () => {
    await using pay = await harness()
    await funded(pay)
    await pay.settle()
    const { id } = await balanceEvent(pay)
    expect((await pay.send("POST", "/webhooks/endpoint/disable")).status).toBe(200)
    expect(await pay.send("POST", `/operator/events/${id}/resend`)).toMatchObject({
      status: 400,
      body: { code: "WEBHOOK_ENDPOINT_NOT_SET" },
    })
    expect(await audits(pay, "EVENT_RESEND")).toEqual([])
  })

  it("is not sent any more once the endpoint is disabled", async () => {
    await using pay = await harness()
    await funded(pay)
    await pay.settle()
    const { id } = await balanceEvent(pay)
    expect((await pay.send("POST", `/operator/events/${id}/resend`)).status).toBe(202)
    await pay.send("POST", "/webhooks/endpoint/disable")
    await pay.settle()
    expect(pay.inbox.received.filter((event) => event.id === id)).toHaveLength(1)
  })

  it("is not sent to an address that the transport refuses", async () => {
    const transport = {
      check: () => Effect.succeed({ reason: "must be a public address" }),
      send: () => Effect.die("nothing may be sent"),
    }
    await using pay = await harness({ webhookEndpoint: null, ports: Layer.succeed(WebhookTransport, transport) })
    await funded(pay)
    const { id } = await balanceEvent(pay)
    const body = { url: "http://169.254.169.254/latest" }
    expect(await pay.send("POST", `/sandbox/events/${id}/send`, { body })).toMatchObject({
      status: 400,
      body: { code: "INVALID_INPUT", details: { errors: [{ field: "url", message: "must be a public address" }] } },
    })
    expect(await audits(pay, "SANDBOX_EVENT_SEND")).toEqual([])
  })

  it("goes to another address in the sandbox, whatever the endpoint is", async () => {
    await using pay = await harness()
    await pay.send("PATCH", "/config", { body: { webhookEndpoint: null } })
    await funded(pay)
    await pay.settle()
    const { id } = await balanceEvent(pay)
    const url = "https://elsewhere.example/hooks?key=1"
    const send = () =>
      pay.send("POST", `/sandbox/events/${id}/send`, { body: { url }, headers: { "idempotency-key": "elsewhere" } })
    for (const _time of [1, 2]) expect(await send()).toMatchObject({ status: 202, body: { eventId: id, url } })
    await pay.settle()
    expect(pay.inbox.received).toMatchObject([{ id, url }])
    expect(await read(pay, id)).toMatchObject({
      body: pay.inbox.received[0]?.body,
      attempts: [{ url, isResend: true, isAcknowledged: true }],
    })
    expect(await audits(pay, "SANDBOX_EVENT_SEND")).toMatchObject([{ target: id }])
    expect((await pay.send("POST", `/sandbox/events/${id}/send`, { body: { url: "nonsense" } })).status).toBe(400)
  })
})

describe("the endpoint", () => {
  it("is judged by what is sent to it again, and not by what is sent to another address", async () => {
    await using pay = await harness()
    await funded(pay)
    await pay.settle()
    const { id } = await balanceEvent(pay)
    const healthy = (await pay.send("GET", "/webhooks/endpoint")).body
    pay.inbox.answerNext(500)
    await pay.send("POST", `/sandbox/events/${id}/send`, { body: { url: "https://elsewhere.example/hooks" } })
    await pay.settle()
    expect((await pay.send("GET", "/webhooks/endpoint")).body).toEqual(healthy)
    pay.inbox.answerNext(500)
    await pay.send("POST", `/operator/events/${id}/resend`)
    await pay.settle()
    expect((await pay.send("GET", "/webhooks/endpoint")).body).toMatchObject({
      lastFailure: { reason: expect.any(String) },
    })
  })
})

describe("the record of an attempt", () => {
  const sent = {
    eventId: "Webhook:1",
    at: 1,
    timestamp: "2026-01-01T00:00:00Z",
    url: "https://a.example/",
    headers: {},
    latencyMillis: 2,
    result: { _tag: "Answered", status: 500, body: `${"x".repeat(responseBodyMax - 1)}\u0000more` },
  } as const

  it("keeps the beginning of an answer only where every caller could read it", () => {
    const [hidden] = recordAttempt(sent, { isResend: false, showsAnswers: false }).attempts ?? []
    expect(hidden?.attempt).not.toHaveProperty("responseBody")
    const [shown] = recordAttempt(sent, { isResend: false, showsAnswers: true }).attempts ?? []
    expect(shown?.attempt.responseBody).toBe(`${"x".repeat(responseBodyMax - 1)}\uFFFD`)
  })
})
