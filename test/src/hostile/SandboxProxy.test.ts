/**
 * Callers that use a sandbox to reach, and to read, what only the sandbox can reach; and headers that try to name the service's address.
 * Source: D-349, D-351.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { at, basic, type Reply, textAt } from "../e2e/Client.ts"
import { eventually } from "../e2e/Deadline.ts"
import { credentials, newWorld, type World } from "../e2e/Flow.ts"
import { type Rival, rival, sendRaw } from "./Rivals.ts"

const authorization = basic(credentials.clientId, credentials.clientSecret)
const secretText = "the machine's own secret"
let inside: Rival
beforeAll(async () => {
  inside = await rival(secretText)
})
afterAll(() => inside[Symbol.asyncDispose]())

const configure = ({ platform }: World, webhookEndpoint: string): Promise<Reply> =>
  platform("PATCH", "/config", { body: { webhookEndpoint } })

describe("a sandbox that other machines reach", () => {
  let world: World
  beforeAll(async () => {
    world = await newWorld({ options: ["--host", "0.0.0.0"] })
  }, 60_000)
  afterAll(() => world[Symbol.asyncDispose]())

  it("sends nothing to addresses of its own network", async () => {
    for (const host of ["127.0.0.1", "localhost", "[::1]", "0x7f000001", "127.1", "[::ffff:127.0.0.1]"]) {
      const endpoint = `http://${host}:${inside.port}/`
      expect([host, await configure(world, endpoint)]).toMatchObject([
        host,
        { status: 400, body: { code: "INVALID_INPUT", details: { errors: [{ field: "webhookEndpoint" }] } } },
      ])
    }
    for (const endpoint of [
      "http://169.254.169.254/latest/meta-data",
      "https://metadata.google.internal/",
      "https://10.0.0.1/",
    ])
      expect((await configure(world, endpoint)).status).toBe(400)
    expect(await world.platform("POST", "/sandbox/webhooks/test")).toMatchObject({
      status: 400,
      body: { code: "WEBHOOK_ENDPOINT_NOT_SET" },
    })
    expect(inside.requests).toEqual([])
  })
})

it("sends to a private address that the operator allows, and does not return what the host answers", async () => {
  await using world = await newWorld({ options: ["--host", "0.0.0.0", "--webhook-allow", "127.0.0.1"] })
  const url = `http://127.0.0.1:${inside.port}/`
  expect(await configure(world, url)).toMatchObject({ status: 200 })
  const reply = await world.platform("POST", "/sandbox/webhooks/test")
  expect(reply).toMatchObject({ status: 200, body: { url, response_status: 200, response_body: "" } })
  expect(reply.text).not.toContain(secretText)
  await eventually(
    "the events",
    () => inside.requests.length,
    (count) => count >= 2,
  )
}, 60_000)

describe("a sandbox of one machine", () => {
  let world: World
  beforeAll(async () => {
    world = await newWorld()
  }, 60_000)
  afterAll(() => world[Symbol.asyncDispose]())

  it("sends to the same machine, and does not return what it answers", async () => {
    expect(await configure(world, `http://127.0.0.1:${inside.port}/`)).toMatchObject({ status: 200 })
    for (const path of ["/sandbox/webhooks/test", "/webhooks/test"]) {
      const reply = await world.platform("POST", path)
      expect(reply.status).toBe(200)
      expect(reply.text).not.toContain(secretText)
    }
    const { text } = await world.platform("GET", "/audit-records?limit=100")
    expect(text).not.toContain(secretText)
  })
})

describe("the address in the reveal URL", () => {
  const revealedBy = async (world: World, headers: Readonly<Record<string, string>>): Promise<string> => {
    const { customer, platform } = world
    const card = await platform("POST", "/cards", {
      body: { cardholderId: customer.customerId, form: "VIRTUAL", fundingSources: [customer.accountId] },
    })
    const cardId = textAt(card, "id")
    await eventually(
      "the card is active",
      async () => (await platform("GET", `/cards/${cardId}`)).body["state"],
      (state) => state === "ACTIVE",
    )
    const reply = await sendRaw(`${world.server.base}/cards/${cardId}/reveal`, "POST", { authorization, ...headers })
    return new URL(String(at(JSON.parse(reply.text), "panEmbedUrl"))).origin
  }
  const forged = { host: "evil.example", "x-forwarded-host": "evil.example", "x-forwarded-proto": "https" }

  it("is the address that the service listens on, whatever a request's headers say", async () => {
    await using world = await newWorld()
    expect(await revealedBy(world, forged)).toBe(world.server.origin)
  }, 60_000)

  it("is the configured address, whatever a request's headers say", async () => {
    await using world = await newWorld({ options: ["--public-url", "https://pay.example.com/"] })
    expect(await revealedBy(world, forged)).toBe("https://pay.example.com")
  }, 60_000)
})
