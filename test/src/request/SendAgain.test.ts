/**
 * Requests that a sandbox sends again, over HTTP: as whom, with which key, and which are refused.
 * Source: D-478.
 */
import { Platforms } from "@countersign/core"
import { type RequestDetail, sandboxCurrencies } from "@countersign/core/models"
import { Redacted } from "effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { agentHarness } from "../../../packages/test/src/harness/AgentHarness.ts"
import { policy } from "../../../packages/test/src/harness/AgentWorld.ts"

type Pay = Awaited<ReturnType<typeof agentHarness>>
let pay: Pay
beforeAll(async () => {
  pay = await agentHarness({ defaultExecutionMode: "APPROVAL_REQUIRED" })
  await pay.send("POST", `/sandbox/internal-accounts/${pay.accountId}/fund`, { body: { amount: 10_000 } })
})
afterAll(() => pay[Symbol.asyncDispose]())

/** The member at a path of a JSON value. */
const at = (value: unknown, ...path: ReadonlyArray<string | number>): unknown =>
  path.reduce<unknown>((inside, name) => Object(inside)[name], value)

type Reply = Awaited<ReturnType<Pay["send"]>>
const idOf = ({ headers }: { readonly headers: Headers }) => headers.get("x-request-id") ?? ""
const detail = async (id: string): Promise<RequestDetail> => {
  const reply = await pay.send("GET", `/sandbox/requests/${id}`)
  expect(reply.status).toBe(200)
  return reply.body as RequestDetail
}
type Options = NonNullable<Parameters<Pay["send"]>[2]>
const sendAgain = (sent: Reply, body: object = {}, options: Options = {}) =>
  pay.send("POST", `/sandbox/requests/${idOf(sent)}/send`, { body, ...options })

const basic = (id: unknown, secret: unknown): Options => ({
  as: "nobody",
  headers: { authorization: `Basic ${btoa(`${String(id)}:${String(secret)}`)}` },
})
const tokenWith = async (...permissions: ReadonlyArray<string>) => {
  const { body, status } = await pay.send("POST", "/tokens", { body: { name: permissions.join(" "), permissions } })
  expect(status).toBe(201)
  return { id: String(at(body, "id")), as: basic(at(body, "clientId"), at(body, "clientSecret")) }
}
const transfer = (amount = 100): Options => ({
  as: { token: pay.accessToken },
  headers: { "idempotency-key": `transfer-${amount}` },
  body: {
    source: { accountId: pay.accountId },
    destination: { accountId: pay.sources["000"] ?? "" },
    amount,
  },
})

describe("a request that is sent again", () => {
  it("happens again, and is a new entry of the journal that names the first", async () => {
    const traceparent = `00-${"1".repeat(32)}-${"2".repeat(16)}-01`
    const sent = await pay.send("POST", "/customers", {
      body: { customerType: "INDIVIDUAL", fullName: "Grace Hopper" },
      headers: { traceparent, origin: "http://countersign.test", "user-agent": "a program" },
    })
    const again = await sendAgain(sent)
    expect([again.status, again.body]).toEqual([200, { requestId: expect.any(String), status: 201 }])
    const kept = await detail(String(at(again.body, "requestId")))
    const first = await detail(idOf(sent))
    expect(kept).toMatchObject({
      method: "POST",
      path: "/customers",
      status: 201,
      caller: first.caller,
      sentAgainFrom: first.id,
      requestBody: { text: first.requestBody?.text },
    })
    expect(at(JSON.parse(kept.responseBody?.text ?? ""), "id")).not.toBe(at(sent.body, "id"))
    expect(first.sentAgainFrom).toBeUndefined()
    expect(first.requestHeaders).toMatchObject({ traceparent, origin: "http://countersign.test" })
    const { "content-length": _, origin: _origin, traceparent: _trace, ...headers } = first.requestHeaders
    expect(kept.requestHeaders).toEqual(headers)
    expect(kept.idempotencyKey).toBeUndefined()
    const listed = await pay.send("GET", "/sandbox/requests?limit=2")
    const operations = (at(listed.body, "data") as ReadonlyArray<RequestDetail>).map(({ operation }) => operation)
    expect(operations).toEqual(["sandboxSendRequest", "createCustomer"])
  })

  it("is sent as its agent, under another key, or under the same one, whose answer is replayed", async () => {
    const sent = await pay.send("POST", "/agents/me/transfer-out", transfer())
    expect(sent.status).toBe(201)
    const same = await detail(String(at((await sendAgain(sent, { idempotencyKey: "SAME" })).body, "requestId")))
    expect(same).toMatchObject({ status: 201, isReplay: true, idempotencyKey: "transfer-100" })
    const other = await detail(String(at((await sendAgain(sent)).body, "requestId")))
    expect(other).toMatchObject({ status: 201, isReplay: false, caller: { kind: "AGENT", id: pay.agentId } })
    expect(other.idempotencyKey).not.toBe("transfer-100")
    const [first, second] = [sent.body, JSON.parse(other.responseBody?.text ?? "")].map((body) => at(body, "id"))
    expect(second).not.toBe(first)
  })

  it("answers the status of a refusal", async () => {
    const sent = await pay.send("GET", "/customers/Customer:unknown")
    expect((await sendAgain(sent)).body).toMatchObject({ status: 404 })
  })

  it("is subject to what its agent may do now", async () => {
    const sent = await pay.send("POST", "/agents/me/transfer-out", transfer(101))
    await pay.send("PATCH", `/agents/${pay.agentId}`, { body: { isPaused: true } })
    expect((await sendAgain(sent)).body).toMatchObject({ status: 403 })
    await pay.send("PATCH", `/agents/${pay.agentId}`, { body: { isPaused: false } })
    expect((await sendAgain(sent)).body).toMatchObject({ status: 201 })
  })

  it("is in the audit as its sender's, and what it did as its caller's, who names the sender", async () => {
    const token = await tokenWith("VIEW", "MANAGE")
    const sent = await pay.send("PATCH", `/agents/${pay.agentId}`, { ...token.as, body: { name: "Renamed" } })
    expect(sent.status).toBe(200)
    const again = await sendAgain(sent)
    const newId = at(again.body, "requestId")
    const { data } = (await pay.send("GET", "/audit-records?limit=50")).body as { data: ReadonlyArray<object> }
    const of = (requestId: unknown) => data.find((record) => at(record, "requestId") === requestId)
    const records = [of(newId), of(idOf(again))]
    const sender = expect.stringMatching(/^Token:/u)
    expect(records).toMatchObject([
      {
        operation: "AGENT_UPDATE",
        requestId: newId,
        actor: { type: "PLATFORM", id: token.id, resender: { id: sender } },
      },
      {
        operation: "SANDBOX_REQUEST_SEND",
        requestId: idOf(again),
        target: idOf(sent),
        actor: { type: "PLATFORM", id: sender },
        details: { operation: "updateAgent", callerKind: "API_TOKEN", callerId: token.id, sentRequestId: newId },
      },
    ])
    expect(at(records[1], "actor", "id")).not.toBe(token.id)
  })
})

describe("a sender", () => {
  it("needs MANAGE", async () => {
    const sent = await pay.send("GET", "/tokens")
    const token = await tokenWith("VIEW", "TRANSACT")
    const refused = await sendAgain(sent, {}, token.as)
    expect([refused.status, refused.body]).toMatchObject([403, { details: { permission: "MANAGE" } }])
  })

  it("sends nothing with a permission that it lacks, for a token or an agent", async () => {
    const manager = await tokenWith("MANAGE")
    const viewer = await tokenWith("VIEW", "MANAGE")
    const byPlatform = await pay.send("GET", "/tokens?limit=1")
    const byAgent = await pay.send("POST", "/agents/me/transfer-out", transfer(102))
    for (const [sent, as, permission] of [
      [byPlatform, manager, "VIEW"],
      [byPlatform, viewer, "TRANSACT"],
      [byAgent, viewer, "TRANSACT"],
      [byAgent, manager, "VIEW"],
    ] as const) {
      const { body, status } = await sendAgain(sent, {}, as.as)
      expect([status, body]).toMatchObject([
        403,
        { code: "FORBIDDEN", details: { reason: "PERMISSION_MISSING", permission } },
      ])
    }
    const own = await pay.send("PATCH", `/agents/${pay.agentId}`, { ...manager.as, body: { name: "By a manager" } })
    expect((await sendAgain(own, {}, manager.as)).body).toMatchObject({ status: 200 })
  })

  it("is of the same platform, and no agent", async () => {
    await pay.run(
      Platforms.use((platforms) =>
        platforms.setUp({
          clientId: "client_other",
          clientSecret: Redacted.make("secret_other"),
          name: "Other platform",
          currencies: sandboxCurrencies,
        }),
      ),
    )
    const sent = await pay.send("GET", "/tokens")
    expect((await sendAgain(sent, {}, basic("client_other", "secret_other"))).status).toBe(404)
    expect((await sendAgain(sent, {}, { as: { token: pay.accessToken } })).status).toBe(401)
  })
})

describe("a request that is not sent again", () => {
  const refusedWith = async (sent: Reply, details: object) => {
    const { body, status } = await sendAgain(sent)
    expect([status, body]).toMatchObject([409, { code: "CONFLICT", details }])
    const { notSendable } = await detail(idOf(sent))
    const { reason } = details as { reason: string }
    expect(notSendable?.reason).toBe(reason === "CALLER_GONE" ? undefined : reason)
    return String(at(body, "message"))
  }

  it("has a masked member in its path, a header or its body, which the error names", async () => {
    const { body } = await pay.send("POST", "/agents", {
      body: { name: "Other", customerId: pay.customerId, policy: policy() },
    })
    const code = String(at(body, "deviceCode", "code"))
    const redeemed = await pay.send("POST", `/agents/device-codes/${code}/redeem`, { as: "nobody" })
    expect(redeemed.status).toBe(200)
    expect(await refusedWith(redeemed, { reason: "MASKED", members: ["path.code"] })).toContain("path.code")
    const signed = await pay.send("DELETE", "/auth/sessions/Session:1", {
      headers: { "service-wallet-signature": "canary-signature-0123456789", "request-id": "Request:1" },
    })
    await refusedWith(signed, { reason: "MASKED", members: ["header.service-wallet-signature"] })
    const odd = await pay.send("POST", "/customers", { body: { customerTyp: "INDIVIDUAL" } })
    await refusedWith(odd, { reason: "MASKED", members: ["body.customerTyp"] })
  })

  it("repeats its credentials elsewhere, whose place is masked", async () => {
    const sent = await pay.send("POST", "/customers", {
      body: { customerType: "INDIVIDUAL", fullName: "secret_0123456789abcdef" },
      ...basic("client_1", "secret_0123456789abcdef"),
    })
    expect(sent.status).toBe(401)
    const token = await tokenWith("MANAGE", "VIEW", "TRANSACT")
    const authorization = new Headers(token.as.headers).get("authorization") ?? ""
    const secret = atob(authorization.slice(6)).split(":")[1] ?? ""
    const body = { customerType: "INDIVIDUAL", fullName: secret }
    await refusedWith(await pay.send("POST", "/customers", { body, ...token.as }), {
      reason: "MASKED",
      members: ["body"],
    })
    const path = await pay.send("GET", `/customers/${secret}`, token.as)
    await refusedWith(path, { reason: "MASKED", members: ["path"] })
    const headers = { ...token.as.headers, "user-agent": secret }
    const header = await pay.send("GET", "/customers", { ...token.as, headers })
    await refusedWith(header, { reason: "MASKED", members: ["header.user-agent"] })
  })

  it("was kept in part, or without its body", async () => {
    const long = { customerType: "INDIVIDUAL", fullName: "A".repeat(40_000) }
    await refusedWith(await pay.send("POST", "/customers", { body: long }), { reason: "CUT", members: ["body"] })
    const headers = { "user-agent": "A".repeat(2_000) }
    const agent = await pay.send("GET", "/customers", { headers })
    await refusedWith(agent, { reason: "CUT", members: ["header.user-agent"] })
    const longest = { customerType: "INDIVIDUAL", fullName: "A".repeat(300_000) }
    await refusedWith(await pay.send("POST", "/customers", { body: longest }), { reason: "NOT_KEPT" })
  })

  it("is an upload, a stream, or the sending of another", async () => {
    const form = [["file", new File(["a"], "a.csv", { type: "text/csv" })]] as const
    await refusedWith(await pay.send("POST", "/customers/bulk/csv", { form: [...form] }), { reason: "UPLOAD" })
    const sent = await pay.send("GET", "/tokens")
    await refusedWith(await sendAgain(sent), { reason: "SENDING" })
    const { clientId, clientSecret } = pay.credentials
    const stream = await pay.fetch(`${pay.baseUrl}/operator/changes`, {
      headers: { authorization: `Basic ${btoa(`${clientId}:${clientSecret}`)}` },
    })
    await stream.body?.cancel()
    await refusedWith({ ...sent, headers: stream.headers }, { reason: "STREAM" })
  })

  it("is of a token or an agent that has no access any more", async () => {
    const token = await tokenWith("VIEW")
    const byToken = await pay.send("GET", "/customers?limit=1", token.as)
    expect((await sendAgain(byToken)).body).toMatchObject({ status: 200 })
    await pay.send("DELETE", `/tokens/${token.id}`)
    expect(await refusedWith(byToken, { reason: "CALLER_GONE" })).toContain("API token")
    const expiresAt = new Date((await pay.clock.now()) + 60_000).toISOString()
    const short = await pay.send("POST", "/tokens", { body: { name: "Short", permissions: ["VIEW"], expiresAt } })
    const credentials = basic(at(short.body, "clientId"), at(short.body, "clientSecret"))
    const byShort = await pay.send("GET", "/customers?limit=1", credentials)
    expect((await sendAgain(byShort)).body).toMatchObject({ status: 200 })
    await pay.clock.advance("1 minute")
    expect(await refusedWith(byShort, { reason: "CALLER_GONE" })).toContain("API token")
    const byAgent = await pay.send("GET", "/agents/me", { as: { token: pay.accessToken } })
    await pay.send("DELETE", `/agents/${pay.agentId}`)
    expect(await refusedWith(byAgent, { reason: "CALLER_GONE" })).toContain("agent")
  })

  it("is no longer kept", async () => {
    const reply = await pay.send("POST", "/sandbox/requests/unknown/send", { body: {} })
    expect(reply.status).toBe(404)
  })
})
