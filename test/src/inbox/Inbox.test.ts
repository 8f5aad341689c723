/**
 * The inbox of a sandbox: real deliveries with verified signatures, chosen answers and retries, tenants that see their own messages only,
 * and what strangers may send.
 * Source: D-473.
 */
import { createServer, request, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { type Embedded, embed } from "@countersign/adapter-http"
import { MemoryStore } from "@countersign/adapter-memory"
import { Sandbox } from "@countersign/core/sandbox"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type Body, basic, client, type Send } from "../e2e/Client.ts"
import { eventually } from "../e2e/Deadline.ts"

const one = { clientId: "one", clientSecret: "the secret of one" }
const other = { clientId: "other", clientSecret: "the secret of other" }

let service: Embedded
let server: Server
let platform: Send
let stranger: Send
let origin: string

beforeAll(async () => {
  service = await embed({ store: MemoryStore.layer, ports: Sandbox.layer, sandbox: true, platforms: [one, other] })
  server = createServer(service.listener)
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  platform = client(`${origin}/2025-10-13`, basic(one.clientId, one.clientSecret))
  stranger = client(`${origin}/2025-10-13`, basic(other.clientId, other.clientSecret))
})
afterAll(async () => {
  await service.dispose()
  server.closeAllConnections()
  await new Promise<void>((resolve) => server.close(() => resolve()))
})

const messages = async (send = platform): Promise<ReadonlyArray<Body>> =>
  (await send("GET", "/sandbox/inbox/messages?limit=100")).body["data"] as ReadonlyArray<Body>

const urlOf = async (send = platform) => String((await send("GET", "/sandbox/inbox")).body["url"])

/** Sends as a program does, without the headers by which browsers say where a request comes from. */
const post = (
  url: string,
  body: string | Uint8Array,
  headers: Readonly<Record<string, string>> = {},
  signal?: AbortSignal,
) =>
  new Promise<{ readonly status: number; readonly text: string }>((resolve, reject) => {
    const sent = request(
      url,
      {
        method: "POST",
        headers: { "content-type": "application/json", ...headers },
        ...(signal && { signal }),
      },
      (answer) => {
        let text = ""
        answer.setEncoding("utf8")
        answer.on("data", (chunk: string) => {
          text += chunk
        })
        answer.on("end", () => resolve({ status: answer.statusCode ?? 0, text }))
      },
    )
    sent.on("error", reject)
    sent.end(body)
  })

it("is at the address that listens, also for a request without a body", async () => {
  for (const request of [{}, { body: {} }]) {
    const { body, status } = await stranger("POST", "/sandbox/inbox", request)
    expect([status, body]).toMatchObject([200, { isEndpoint: true }])
    expect(body["url"]).toMatch(new RegExp(`^${origin}/inbox/`, "u"))
  }
  await stranger("PATCH", "/config", { body: { webhookEndpoint: null } })
})

describe("an inbox", () => {
  it("becomes the endpoint with one call, and receives the real deliveries, which verify", async () => {
    expect((await platform("GET", "/sandbox/inbox")).body).toMatchObject({ isEndpoint: false })
    const opened = await platform("POST", "/sandbox/inbox", { body: {} })
    expect([opened.status, opened.body["isEndpoint"]]).toEqual([200, true])
    const url = await urlOf()
    expect(url).toMatch(new RegExp(`^${origin}/inbox/[0-9a-f-]{36}-[0-9a-f]{32}$`, "u"))
    expect((await platform("GET", "/config")).body["webhookEndpoint"]).toBe(url)
    await platform("POST", "/customers", { body: { customerType: "INDIVIDUAL", fullName: "Ada Lovelace" } })
    const all = await eventually("the event of the customer", messages, (found) =>
      found.some(({ type }) => type === "CUSTOMER.KYC_APPROVED"),
    )
    const found = all.find(({ type }) => type === "CUSTOMER.KYC_APPROVED")
    expect(found).toMatchObject({ verification: { isVerified: true }, answeredStatus: 200, delivery: 1 })
    const { body } = await platform("GET", `/sandbox/inbox/messages/${String(found?.["id"])}`)
    expect(body["headers"]).toMatchObject({ "webhook-id": found?.["eventId"] })
    const event = await platform("GET", `/operator/events/${String(found?.["eventId"])}`)
    expect([event.status, event.body["body"]]).toEqual([200, body["body"]])
  })

  it("answers the next messages as chosen, so that the service sends again", async () => {
    await platform("DELETE", "/sandbox/inbox/messages")
    expect(await messages()).toEqual([])
    expect((await platform("POST", "/sandbox/inbox/answers", { body: { status: 500, count: 1 } })).status).toBe(204)
    expect((await platform("GET", "/sandbox/inbox")).body["nextAnswers"]).toEqual({ status: 500, count: 1 })
    await platform("POST", "/customers", { body: { customerType: "INDIVIDUAL", fullName: "Grace Hopper" } })
    const all = await eventually("the retry", messages, (found) => found.some(({ delivery }) => delivery === 2))
    const again = all.find(({ delivery }) => delivery === 2)
    const statuses = all.filter(({ eventId }) => eventId === again?.["eventId"]).map((each) => each["answeredStatus"])
    expect(statuses).toEqual([200, 500])
    expect((await platform("GET", "/sandbox/inbox")).body["nextAnswers"]).toBeUndefined()
  }, 60_000)

  it("answers as late as chosen, and keeps the message before", async () => {
    const url = await urlOf(stranger)
    const answers = { status: 204, count: 1, delayMillis: 20_000 }
    expect((await stranger("POST", "/sandbox/inbox/answers", { body: answers })).status).toBe(204)
    const leaving = new AbortController()
    let isAnswered = false
    const answering = post(url, "{}", {}, leaving.signal).then(() => {
      isAnswered = true
    })
    try {
      await eventually(
        "the message",
        () => messages(stranger),
        ([first]) => first !== undefined,
      )
      // One more answer of the service has had time to arrive.
      expect((await post(url, "{}")).status).toBe(200)
      expect(isAnswered).toBe(false)
    } finally {
      leaving.abort()
      await answering.catch(() => undefined)
      await stranger("DELETE", "/sandbox/inbox/messages")
    }
  })

  it("pages its messages, the newest first", async () => {
    const first = await platform("GET", "/sandbox/inbox/messages?limit=1")
    expect(first.body).toMatchObject({ hasMore: true })
    const cursor = encodeURIComponent(String(first.body["nextCursor"]))
    const second = await platform("GET", `/sandbox/inbox/messages?limit=1&cursor=${cursor}`)
    const ids = [first, second].map(({ body }) => (body["data"] as ReadonlyArray<Body>)[0]?.["id"])
    const all = await messages()
    expect(ids).toEqual(all.slice(0, 2).map(({ id }) => id))
    expect([first, second].map(({ body }) => body["totalCount"])).toEqual([all.length, all.length])
  })

  it("shows another platform neither its address nor its messages", async () => {
    expect(await urlOf(stranger)).not.toBe(await urlOf())
    expect(await messages(stranger)).toEqual([])
    const [{ id } = {}] = await messages()
    expect((await stranger("GET", `/sandbox/inbox/messages/${String(id)}`)).status).toBe(404)
    await stranger("DELETE", "/sandbox/inbox/messages")
    expect((await messages()).length).toBeGreaterThan(0)
  })

  it("says why a receiver refuses a message that the service did not send", async () => {
    const url = await urlOf(stranger)
    const now = String(Math.floor(Date.now() / 1000))
    const signed = { "x-service-key-signatures": "unknown,AAAA" }
    const id = "Webhook:00000000-0000-4000-8000-000000000001"
    await post(url, "{}", { "webhook-id": id, "webhook-timestamp": "1", ...signed })
    await post(url, "{}", { "webhook-id": id, "webhook-timestamp": now, ...signed })
    const reasons = (await messages(stranger)).map(({ verification }) => verification)
    expect(reasons).toEqual([
      { isVerified: false, reason: "UNKNOWN_KEY" },
      { isVerified: false, reason: "TIMESTAMP_OUT_OF_TOLERANCE" },
    ])
  })

  it("keeps no credentials of a request", async () => {
    await post(await urlOf(stranger), "{}", { authorization: "Basic secret", cookie: "session=secret" })
    const [{ id } = {}] = await messages(stranger)
    expect((await stranger("GET", `/sandbox/inbox/messages/${String(id)}`)).text).not.toContain("secret")
  })
})

describe("the address of an inbox", () => {
  it("does not exist under another name, of another platform or of none", async () => {
    const [mine, theirs] = [await urlOf(), await urlOf(stranger)]
    const names = [
      "x",
      "%00",
      "a".repeat(400),
      mine.slice(mine.lastIndexOf("/") + 1, -1),
      `${mine.slice(mine.lastIndexOf("/") + 1, -32)}${"0".repeat(32)}`,
      `${theirs.slice(theirs.lastIndexOf("/") + 1, -32)}${mine.slice(-32)}`,
      `00000000-0000-4000-8000-000000000001-${"0".repeat(32)}`,
    ]
    const statuses = await Promise.all(names.map(async (name) => (await post(`${origin}/inbox/${name}`, "{}")).status))
    expect(statuses).toEqual(names.map(() => 404))
  })

  it("accepts POST only", async () => {
    const answer = await fetch(await urlOf())
    expect([answer.status, answer.headers.get("allow")]).toEqual([405, "POST, OPTIONS"])
  })

  it("refuses a body above 256 KiB, and keeps one of another type", async () => {
    const url = await urlOf(stranger)
    const before = (await messages(stranger)).length
    const refused = await post(url, "a".repeat(256 * 1024 + 1))
    expect([refused.status, JSON.parse(refused.text)]).toMatchObject([400, { code: "INVALID_REQUEST_FORMAT" }])
    expect((await messages(stranger)).length).toBe(before)
    expect((await post(url, new Uint8Array([255, 0, 1]), { "content-type": "image/png" })).status).toBe(200)
    expect((await messages(stranger))[0]).toMatchObject({ bytes: 3, verification: { isVerified: false } })
  })

  it("bounds how many messages arrive in a second and how many are kept", async () => {
    const url = await urlOf(stranger)
    const statuses = await Promise.all(Array.from({ length: 300 }, async () => (await post(url, "{}")).status))
    expect(statuses.filter((status) => status === 429).length).toBeGreaterThan(0)
    expect((await messages(stranger)).length).toBeLessThanOrEqual(100)
  })

  it("keeps no more than 2 million characters of a platform", async () => {
    const url = await urlOf(stranger)
    for (let sent = 0; sent < 12; sent++) await post(url, "a".repeat(250_000))
    const kept = await messages(stranger)
    expect(kept.reduce((sum, { bytes }) => sum + Number(bytes), 0)).toBeLessThanOrEqual(2_000_000)
  })
})
