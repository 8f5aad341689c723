/** The endpoints of the guide, in each framework: deliveries of a running sandbox, and requests that nobody else would send. */
import { makeClient } from "@countersign/client"
import type { WebhookBody, WebhookEvent, WebhookHeaders } from "@countersign/client/webhook"
import express from "express"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { platformId, signedWebhook, webhookKeys } from "../../client/SignedWebhook.ts"
import { eventually } from "../../e2e/Deadline.ts"
import { type ServerProcess, startServer } from "../../e2e/ServerProcess.ts"
import { connect } from "./Connect.ts"
import { frameworks, listening } from "./Listening.ts"
import { type Program, processing } from "./Process.ts"
import { type Receive, receiver } from "./Receive.ts"

let server: ServerProcess
beforeAll(async () => {
  const platforms = frameworks.flatMap((name) => ["--platform", `${name}:secret`])
  server = await startServer({ options: ["--client-id", "first", "--client-secret", "secret", ...platforms] })
}, 60_000)
afterAll(() => server[Symbol.asyncDispose]())

describe.each(frameworks)("an endpoint with %s", (framework) => {
  it("processes what a sandbox delivers, and refuses a delivery that was altered on its way", async () => {
    const credentials = { clientId: framework, clientSecret: "secret" }
    const events: Array<WebhookEvent> = []
    const arrived: Array<readonly [headers: WebhookHeaders, body: WebhookBody]> = []
    const receive = await connect(server.base, credentials, async (event) => void events.push(event))
    const watched: Receive = (...delivery) => {
      arrived.push(delivery)
      return receive(...delivery)
    }
    await using endpoint = await listening(framework, watched)
    const client = makeClient({ baseUrl: server.base, credentials })
    await client.platform.updatePlatformConfig({ payload: { webhookEndpoint: endpoint.url } })
    await client.customers.createCustomer({ payload: { customerType: "INDIVIDUAL", fullName: "Łukasz 🎉" } })
    await eventually(
      "the events",
      () => events,
      (all) => all.length >= 2,
    )
    expect(events.map(({ type }) => type)).toEqual(expect.arrayContaining(["TEST", "CUSTOMER.KYC_APPROVED"]))
    const names = events.flatMap((event) => (event.type === "CUSTOMER.KYC_APPROVED" ? event.data.fullName : []))
    expect(names).toEqual(["Łukasz 🎉"])
    const [given = {}, body = ""] = arrived[0] ?? []
    const bytes = typeof body === "string" ? Buffer.from(body) : Buffer.from(new Uint8Array(body))
    expect(await receive(given, bytes)).toEqual({ status: 200, json: {} })
    const altered = bytes.map((byte, at) => (at === bytes.length - 2 ? byte ^ 1 : byte))
    expect(await receive(given, altered)).toEqual({ status: 400, json: { reason: "SIGNATURE_MISMATCH" } })
    expect((await client.webhooks.getWebhookEndpoint()).consecutiveFailures).toBe(0)
  })

  const own = (process: (event: WebhookEvent) => Promise<void> = async () => undefined) =>
    receiver({ platformId, fetchKeys: async () => webhookKeys, process })

  const post = async (
    url: string,
    { body, headers }: Pick<Awaited<ReturnType<typeof signedWebhook>>, "body" | "headers">,
  ) => {
    const response = await fetch(url, { method: "POST", headers, body })
    return [response.status, response.status === 500 ? undefined : await response.json()]
  }

  it("answers the challenge of a new endpoint, and does not process it", async () => {
    const processed: Array<string> = []
    await using endpoint = await listening(
      framework,
      own(async ({ type }) => void processed.push(type)),
    )
    const event = { type: "WEBHOOK_ENDPOINT.VERIFICATION", data: { challenge: "c" } }
    expect(await post(endpoint.url, await signedWebhook({ event, at: Date.now() }))).toEqual([200, { challenge: "c" }])
    expect(await post(endpoint.url, await signedWebhook({ at: Date.now() }))).toEqual([200, {}])
    expect(processed).toEqual(["TEST"])
  })

  it("answers 400 with a reason to what is not a webhook, and to one that is old", async () => {
    await using endpoint = await listening(framework, own())
    const json = { "content-type": "application/json" }
    expect(await post(endpoint.url, { headers: json, body: "{}" })).toEqual([400, { reason: "INVALID_TIMESTAMP" }])
    const old = await signedWebhook({ at: Date.now() - 301_000 })
    expect(await post(endpoint.url, old)).toEqual([400, { reason: "TIMESTAMP_OUT_OF_TOLERANCE" }])
  })

  it("accepts an event above the framework's own limit of a body", async () => {
    await using endpoint = await listening(framework, own())
    const event = { data: { text: "x".repeat(2 * 1024 * 1024) } }
    expect(await post(endpoint.url, await signedWebhook({ event, at: Date.now() }))).toEqual([200, {}])
  })

  it("answers 500 if the program fails, so that the service sends the event again", async () => {
    const failing = own(async () => Promise.reject(new Error("the database is away")))
    await using endpoint = await listening(framework, failing)
    expect(await post(endpoint.url, await signedWebhook({ at: Date.now() }))).toEqual([500, undefined])
  })
})

it("an endpoint behind a parser of JSON is refused with the reason", async () => {
  const app = express()
  const receive = receiver({ platformId, fetchKeys: async () => webhookKeys, process: async () => undefined })
  app.use(express.json())
  const { promise, resolve } = Promise.withResolvers<unknown>()
  app.post("/hooks", async (request, response) => {
    resolve(await receive(request.headers, request.body))
    response.end()
  })
  const listener = app.listen(0, "127.0.0.1")
  const address = await new Promise<ReturnType<typeof listener.address>>((listens) =>
    listener.once("listening", () => listens(listener.address())),
  )
  const { body, headers } = await signedWebhook({ at: Date.now() })
  const port = typeof address === "object" ? address?.port : undefined
  await fetch(`http://127.0.0.1:${port}/hooks`, { method: "POST", headers, body })
  expect(await promise).toEqual({ status: 400, json: { reason: "PARSED_BODY" } })
  listener.close()
  listener.closeAllConnections()
})

it("the program processes each event once, by its type", async () => {
  const seen = new Set<string>()
  const done: Array<string> = []
  const program: Program = {
    isFirst: async (id) => !seen.has(id) && Boolean(seen.add(id)),
    shipOrder: async (id) => void done.push(`ship ${id}`),
    notifyPayer: async ({ failureReason, id }) => void done.push(`${id} ${failureReason}`),
  }
  const process = processing(program)
  const of = (id: string, type: string, data: object) => ({ id, type, data }) as WebhookEvent
  for (const event of [
    of("1", "OUTGOING_PAYMENT.COMPLETED", { id: "T1" }),
    of("1", "OUTGOING_PAYMENT.COMPLETED", { id: "T1" }),
    of("2", "OUTGOING_PAYMENT.FAILED", { id: "T2", failureReason: "BANK_REJECTED" }),
    of("3", "CARD.STATE_CHANGE", { id: "C" }),
    of("4", "LATER.TYPE", {}),
  ])
    await process(event)
  expect(done).toEqual(["ship T1", "T2 BANK_REJECTED"])
})
