/** `countersign trigger`: what it asks of a running sandbox, and what it prints. Source: D-461. */
import { describe, expect, it } from "vitest"
import { commandAt, type Sent } from "./CommandsAt.ts"

const createdAt = "2026-01-31T12:00:00.000Z"

/** A sandbox in which every record has the same identifier. */
const sandbox =
  (more: object = {}) =>
  ({ method, path }: Sent): unknown => {
    if (path.endsWith("/webhooks/test")) return { url: "https://receiver.example/" }
    if (method === "GET") return { data: [{ id: "Account:1" }], totalCount: 4 }
    return { id: "Record:1", transactionId: "Transaction:1", createdAt, ...more }
  }
const requestsOf = (sent: ReadonlyArray<Sent>) => sent.map(({ method, path }) => `${method} ${path}`)
const advances = (sent: ReadonlyArray<Sent>) =>
  sent.flatMap(({ body, path }) => (path === "/sandbox/clock/advance" ? [body] : []))

describe("countersign trigger", () => {
  it("prints the event and its records", async () => {
    const { code, sent, stdout } = await commandAt(["trigger", "TEST"], sandbox())
    expect([code, stdout]).toEqual([0, "triggered TEST\n  endpoint              https://receiver.example/"])
    expect(requestsOf(sent)).toEqual([expect.stringMatching(/^POST .*\/webhooks\/test$/u)])
    const json = await commandAt(["trigger", "TEST", "--json"], sandbox())
    expect(JSON.parse(json.stdout)).toEqual({ event: "TEST", records: { endpoint: "https://receiver.example/" } })
  })

  it("refuses an unknown event", async () => {
    const { code, sent, stderr } = await commandAt(["trigger", "TESTS"], sandbox())
    expect([code, sent]).toEqual([2, []])
    expect(stderr).toContain("TESTS")
  })

  it("ends with the code of a refusal", async () => {
    expect((await commandAt(["trigger", "TEST"], () => 409)).code).toBe(1)
    expect((await commandAt(["trigger", "TEST"], () => 401)).code).toBe(8)
  })

  it.each([
    ["DISABLED", "no webhook endpoint is active", 1],
    ["FAILING", "no webhook endpoint is active", 1],
    ["ACTIVE", "a sandbox asks no endpoint for a proof", 3],
    ["PENDING", "a sandbox asks no endpoint for a proof", 3],
  ])("says why a server whose endpoint is %s does not ask for a proof: %s", async (state, reason, requests) => {
    const { code, sent, stderr } = await commandAt(["trigger", "WEBHOOK_ENDPOINT.VERIFICATION"], ({ method }) => ({
      state: method === "GET" ? state : "ACTIVE",
      url: "https://receiver.example/",
    }))
    expect([code, sent.length]).toEqual([1, requests])
    expect(stderr).toContain(reason)
  })

  it("has an endpoint asked for a proof again", async () => {
    const { code, sent, stdout } = await commandAt(["trigger", "WEBHOOK_ENDPOINT.VERIFICATION"], ({ path }) => ({
      state: path.endsWith("enable") ? "PENDING" : "ACTIVE",
      url: "https://receiver.example/",
    }))
    expect([code, stdout.split("\n")[1]]).toEqual([0, "  endpoint              https://receiver.example/"])
    expect(requestsOf(sent)).toEqual([
      "GET /webhooks/endpoint",
      "POST /webhooks/endpoint/disable",
      "POST /webhooks/endpoint/enable",
    ])
  })

  it.each<readonly [expiresAt: string, seconds: number]>([
    ["2026-01-31T12:05:00.000Z", 301],
    ["2026-01-31T12:05:00.001Z", 302],
    ["2026-01-31T12:04:59.999Z", 301],
  ])("advances the time of the sandbox beyond %s by %d seconds", async (expiresAt, seconds) => {
    const { code, sent, stdout } = await commandAt(["trigger", "OUTGOING_PAYMENT.EXPIRED"], sandbox({ expiresAt }))
    expect(code).toBe(0)
    expect(advances(sent)).toEqual([{ seconds }])
    expect(stdout.split("\n")).toEqual([
      "triggered OUTGOING_PAYMENT.EXPIRED",
      "  customerId            Record:1",
      "  accountId             Account:1",
      "  quoteId               Record:1",
      "  transactionId         Transaction:1",
    ])
  })

  it.each<readonly [event: string, currency: string, sources: ReadonlyArray<string>]>([
    ["CARD.STATE_CHANGE", "USD", ["Account:1"]],
    ["CARD.FUNDING_SOURCE_CHANGE", "USDB", ["Account:1"]],
  ])("%s issues a card on accounts in %s", async (event, currency, fundingSources) => {
    const { sent } = await commandAt(["trigger", event], sandbox())
    expect(requestsOf(sent)).toContainEqual(expect.stringMatching(`currency=${currency}$`))
    expect(sent.find(({ method, path }) => method === "POST" && path === "/cards")?.body).toEqual({
      cardholderId: "Record:1",
      platformCardId: "card-5-000",
      form: "VIRTUAL",
      fundingSources,
    })
    expect(advances(sent)).toEqual([{ seconds: 1 }])
  })

  it("says what the sandbox lacks", async () => {
    const { code, stderr } = await commandAt(["trigger", "INTERNAL_ACCOUNT.BALANCE_UPDATED"], ({ method }) =>
      method === "GET" ? { data: [] } : { id: "Record:1" },
    )
    expect(code).toBe(1)
    expect(stderr).toContain("the sandbox has no account in USD")
  })
})
