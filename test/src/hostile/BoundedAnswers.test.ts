/** Requests that were built to cost more than they are worth: their work and their answers are bounded. Source: D-310 to D-313. */
import { connect } from "node:net"
import { text } from "node:stream/consumers"
import { Currencies, CustomerInfoFieldName } from "@countersign/core/models"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { agentHarness } from "../../../packages/test/src/harness/AgentHarness.ts"
import type { AgentParts } from "../../../packages/test/src/harness/AgentWorld.ts"
import type { Harness, Serving } from "../../../packages/test/src/harness/Harness.ts"
import { bodyBytesMax, worstBodies } from "./WorstBodies.ts"

const answerBytesMax = 64 * 1024

let pay: Harness & AgentParts
let serving: Serving

beforeAll(async () => {
  pay = await agentHarness({}, { tape: false })
  serving = await pay.serve()
})
afterAll(async () => {
  await serving[Symbol.asyncDispose]()
  await pay[Symbol.asyncDispose]()
})

interface Body {
  readonly code: string
  readonly message: string
  readonly details?: { readonly errors?: ReadonlyArray<{ readonly field: string }>; readonly omitted?: number }
}

const asPlatform = () => `Basic ${btoa(`${pay.credentials.clientId}:${pay.credentials.clientSecret}`)}`
const asAgent = () => `Bearer ${pay.accessToken}`

/** Sends a request over the socket and returns the size of its answer. */
const send = async (method: string, path: string, body?: string, headers: Readonly<Record<string, string>> = {}) => {
  const response = await fetch(`${serving.baseUrl}${path}`, {
    method,
    headers: { authorization: asPlatform(), "content-type": "application/json", ...headers },
    ...(body === undefined ? {} : { body }),
  })
  const bytes = await response.arrayBuffer()
  const parsed: Body = JSON.parse(Buffer.from(bytes).toString())
  return { status: response.status, bytes: bytes.byteLength, body: parsed }
}

const policy = () => `/agents/${pay.agentId}/policy`
const many = (count: number, part: string) => Array.from({ length: count }, () => part).join(",")

describe("a body of up to 1 MiB that is built to cost", () => {
  it.each(Object.entries(worstBodies))("has a short answer: %s", async (_what, body) => {
    expect(Buffer.byteLength(body)).toBeLessThanOrEqual(bodyBytesMax)
    const answers = [
      await send("PATCH", policy(), body),
      await send("POST", "/customers", body),
      await send("POST", "/agents/me/transfer-in", body, { authorization: asAgent() }),
    ]
    for (const { bytes, status } of answers) {
      expect(bytes).toBeLessThanOrEqual(answerBytesMax)
      expect(status).toBeLessThan(500)
    }
  })

  it("is answered shortly 20 times at once", async () => {
    const body = worstBodies["4,900 texts of U+0000 below long names"] ?? ""
    const answers = await Promise.all(Array.from({ length: 20 }, () => send("POST", "/customers", body)))
    expect(answers.map(({ bytes, status }) => [status, bytes <= answerBytesMax])).toEqual(
      answers.map(() => [400, true]),
    )
  })

  it("is refused before it is parsed if it has more values than any valid body", async () => {
    const { body } = await send("PATCH", policy(), `{"permissions":[${many(5000, "0")}]}`)
    expect(body).toMatchObject({ code: "INVALID_REQUEST_FORMAT", message: "The body has more than 5000 values." })
  })

  it("is refused before it is parsed if a name is longer than any name of the interface", async () => {
    const { body } = await send("POST", "/customers", `{"${"k".repeat(257)}":1,`)
    expect(body).toMatchObject({
      code: "INVALID_REQUEST_FORMAT",
      message: "A name in the body is longer than 256 characters.",
    })
  })
})

describe("an answer that lists problems", () => {
  it("lists 50 and counts the rest", async () => {
    const { body } = await send("PATCH", policy(), `{"permissions":[${many(4000, "0")}]}`)
    expect(body.details?.errors).toHaveLength(50)
    expect(body.details?.errors?.[49]?.field).toBe("permissions.49")
    expect(body.details?.omitted).toBe(3950)
    expect(body.message).toContain("; and 3950 more")
  })

  it("lists 50 texts that cannot be stored and counts the rest", async () => {
    const { body } = await send("POST", "/customers", `{"a":[${many(4000, '"\\u0000"')}]}`)
    expect(body.details?.errors).toHaveLength(50)
    expect(body.details?.errors?.[0]?.field).toBe("a.0")
    expect(body.details?.omitted).toBe(3950)
  })

  it("lists all of them without a count if they are 50", async () => {
    const { body } = await send("POST", "/customers", `{"a":[${many(50, '"\\u0000"')}]}`)
    expect(body.details?.errors).toHaveLength(50)
    expect(body.details).not.toHaveProperty("omitted")
  })

  it("cuts the paths and marks the cut", async () => {
    const name = "k".repeat(250)
    const { body } = await send("POST", "/customers", `{"${name}":{"${name}":{"${name}":"\\u0000"}}}`)
    expect(body.details?.errors?.[0]?.field).toMatch(/^k{100}…\.k{98}…$/u)
  })

  it("is bounded in bytes where each character of a path becomes six", async () => {
    const name = "\\u0001".repeat(42)
    const { bytes, body } = await send("POST", "/customers", `{"${name}":{"${name}":[${many(4000, '"\\ud800"')}]}}`)
    expect(bytes).toBeLessThanOrEqual(answerBytesMax)
    expect((body.details?.errors?.length ?? 0) + (body.details?.omitted ?? 0)).toBe(4000)
  })

  it("names at most 50 parameters of a query, each shortened", async () => {
    const query = Array.from({ length: 600 }, (_, index) => `p${index}=%00`).join("&")
    const { body } = await send("GET", `/customers?${query}`)
    expect(body.details?.errors).toHaveLength(50)
    expect(body.details?.omitted).toBe(550)
    const long = await send("GET", `/customers?${"n".repeat(5000)}=%00`)
    expect(long.body.details?.errors?.[0]?.field).toHaveLength(201)
  })
})

describe("a field beyond its maximum", () => {
  const example = { accountId: "InternalAccount:00000000-0000-4000-8000-000000000001" }
  const quote = (info: object) => ({
    source: { sourceType: "ACCOUNT", ...example },
    destination: { destinationType: "ACCOUNT", ...example },
    lockedCurrencySide: "SENDING",
    lockedCurrencyAmount: 5,
    senderCustomerInfo: info,
  })

  it("has one problem, because its pattern is not tried", async () => {
    const nickname = `a${" ".repeat(900_000)}!`
    const { body } = await send("POST", "/auth/credentials", JSON.stringify({ type: "PASSKEY", ...example, nickname }))
    const found = body.details?.errors?.filter(({ field }) => field === "nickname")
    expect(found).toEqual([
      { field: "nickname", message: "must be at most 512 characters long", constraint: { maxLength: 512 } },
    ])
  })

  it.each([
    ["as a whole", { a: { b: "x".repeat(16_384) } }],
    ["in its members", Object.fromEntries(Array.from({ length: 101 }, (_, index) => [`m${index}`, 0]))],
  ])("is found in a free object %s", async (_what, info) => {
    const { body } = await send("POST", "/quotes", JSON.stringify(quote(info)))
    expect(body.details?.errors?.map(({ field }) => field)).toEqual(["senderCustomerInfo"])
  })

  it("is not found in a free object of the largest size", async () => {
    const info = { a: "x".repeat(16_384 - '{"a":""}'.length) }
    const { body } = await send("POST", "/quotes", JSON.stringify(quote(info)))
    expect(body.details?.errors?.map(({ field }) => field) ?? []).not.toContain("senderCustomerInfo")
  })
})

describe("a policy", () => {
  const rule = (index: number) =>
    `{"accountId":"InternalAccount:00000000-0000-4000-8000-${String(index).padStart(12, "0")}"}`
  const rules = (count: number) =>
    `{"accountRestrictions":{"accountRules":[${Array.from({ length: count }, (_, index) => rule(index)).join(",")}]}}`

  it("has at most 200 account rules", async () => {
    const { body } = await send("PATCH", policy(), rules(201))
    expect(body.details?.errors?.map(({ field }) => field)).toEqual(["accountRestrictions.accountRules"])
    expect(body.message).toContain("200")
  })

  it("with 200 rules for foreign accounts has 50 problems", async () => {
    const { body } = await send("PATCH", policy(), rules(200))
    expect(body.details).toMatchObject({ omitted: 150 })
    expect(body.details?.errors).toHaveLength(50)
  })
})

describe("the largest records", () => {
  it("of a policy are answered within 64 KiB", async () => {
    const customers = await pay.send("GET", `/customers/internal-accounts?customerId=${pay.customerId}`)
    expect(JSON.stringify(customers.body)).toContain(pay.accountId)
    const ids = Array.from({ length: 200 }, () => `"${pay.accountId}"`).join(",")
    const answer = await send("PATCH", policy(), `{"accountRestrictions":{"allowedAccountIds":[${ids}]}}`)
    expect([answer.status, answer.bytes <= answerBytesMax]).toEqual([200, true])
  })

  const currencies = (fields: ReadonlyArray<string>) =>
    Currencies.keys.map((currencyCode) => ({
      currencyCode,
      minAmount: 0,
      maxAmount: Number.MAX_SAFE_INTEGER,
      requiredCounterpartyFields: fields.map((name) => ({ name, mandatory: false })),
      enabledTransactionTypes: ["INCOMING", "OUTGOING"],
    }))

  it("of a configuration are all currencies with all fields, within 64 KiB", async () => {
    const all = { supportedCurrencies: currencies(CustomerInfoFieldName.literals) }
    const answer = await send("PATCH", "/config", JSON.stringify(all))
    expect([answer.status, answer.bytes <= answerBytesMax]).toEqual([200, true])
    const repeated = {
      supportedCurrencies: currencies(Array.from({ length: 20 }, () => "ULTIMATE_INSTITUTION_COUNTRY")),
    }
    const tooLong = await send("PATCH", "/config", JSON.stringify(repeated))
    expect([tooLong.status, tooLong.body.message]).toEqual([
      400,
      "body: must leave a configuration of at most 48000 characters",
    ])
  })
})

describe("the order of checks", () => {
  const paused = async (headers: Readonly<Record<string, string>>, body: string) => {
    await pay.send("PATCH", `/agents/${pay.agentId}`, { body: { isPaused: true } })
    const answer = await send("POST", "/agents/me/transfer-in", body, { authorization: asAgent(), ...headers })
    await pay.send("PATCH", `/agents/${pay.agentId}`, { body: { isPaused: false } })
    return answer
  }
  const worst = worstBodies["permissions: [0,0,...]"] ?? ""

  it.each([
    ["without a key", {}],
    ["with a key that has no stored answer", { "idempotency-key": "new" }],
    ["with a key that is not valid", { "idempotency-key": "k".repeat(256) }],
  ])("refuses a paused agent before its body %s", async (_what, headers) => {
    for (const body of ["{", worst, `{"a":"${"\\u0000"}"}`]) {
      const answer = await paused(headers, body)
      expect([answer.status, answer.body.details]).toMatchObject([403, { reason: "AGENT_PAUSED" }])
    }
  })

  it("replays the stored answer of a paused agent", async () => {
    const body = JSON.stringify({
      source: { accountId: pay.sources["000"] },
      destination: { accountId: pay.accountId },
      amount: 100,
    })
    const headers = { authorization: asAgent(), "idempotency-key": "first" }
    const first = await send("POST", "/agents/me/transfer-in", body, headers)
    const again = await paused({ "idempotency-key": "first" }, body)
    expect([first.status, again.status]).toEqual([201, 201])
    expect(again.body).toEqual(first.body)
  })

  it("refuses another path with the key of a stored answer while the agent is paused", async () => {
    const answer = await paused({ "idempotency-key": "first" }, "{")
    await pay.send("PATCH", `/agents/${pay.agentId}`, { body: { isPaused: true } })
    const other = await send("POST", "/agents/me/transfer-out", "{", {
      authorization: asAgent(),
      "idempotency-key": "first",
    })
    await pay.send("PATCH", `/agents/${pay.agentId}`, { body: { isPaused: false } })
    expect([answer.status, other.status]).toEqual([400, 403])
  })

  it.each([
    ["a wrong credential", () => "Basic eDp5", 401],
    ["a declared length above 1 MiB", asPlatform, 400],
  ])("answers %s before the body arrives", async (_what, authorization, status) => {
    const { hostname, pathname, port } = new URL(serving.baseUrl)
    const socket = connect(Number(port), hostname)
    socket.write(
      `POST ${pathname}/customers HTTP/1.1\r\nhost: x\r\nconnection: close\r\nauthorization: ${authorization()}\r\ncontent-type: application/json\r\ncontent-length: ${bodyBytesMax + 1}\r\n\r\n{`,
    )
    const [head] = await new Promise<[Buffer]>((resolve) => socket.once("data", (data) => resolve([data])))
    socket.destroy()
    expect(head.toString()).toMatch(new RegExp(`^HTTP/1.1 ${status} `, "u"))
  })
})

describe("an address", () => {
  it("of more than 8,192 characters is refused without an echo", async () => {
    const answer = await send("GET", `/${"x".repeat(9000)}`)
    expect([answer.status, answer.body.code]).toEqual([400, "INVALID_REQUEST_FORMAT"])
    expect(answer.bytes).toBeLessThan(300)
  })

  it("that is unknown is not echoed", async () => {
    const answer = await send("GET", `/unknown-${"x".repeat(7000)}`)
    expect([answer.status, answer.bytes < 300]).toEqual([404, true])
  })

  it.each(["GET", "POST", "PATCH", "DELETE"])("of 16 kB over %s gets a short answer", async (method) => {
    const { hostname, pathname, port } = new URL(serving.baseUrl)
    const socket = connect(Number(port), hostname)
    socket.end(
      `${method} ${pathname}/${"y".repeat(15_000)} HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`,
    )
    const answer = await text(socket)
    expect(answer).toMatch(/^HTTP\/1.1 400 /u)
    expect(answer.length).toBeLessThan(1000)
  })
})
