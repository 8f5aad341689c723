/**
 * The requests that a sandbox keeps, over HTTP: what is kept of them, of whom, and how they are found.
 * Source: D-464.
 */
import { Platforms } from "@countersign/core"
import {
  type RequestDetail,
  type RequestListResponse,
  RequestSummary,
  sandboxCurrencies,
} from "@countersign/core/models"
import { Redacted } from "effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { agentHarness } from "../../../packages/test/src/harness/AgentHarness.ts"

type Pay = Awaited<ReturnType<typeof agentHarness>>
let pay: Pay
beforeAll(async () => {
  pay = await agentHarness()
})
afterAll(() => pay[Symbol.asyncDispose]())

const list = async (query = ""): Promise<RequestListResponse> => {
  const reply = await pay.send("GET", `/sandbox/requests${query}`)
  expect(reply.status).toBe(200)
  return reply.body as RequestListResponse
}

const detail = async (id: string | null): Promise<RequestDetail> => {
  const reply = await pay.send("GET", `/sandbox/requests/${id}`)
  expect(reply.status).toBe(200)
  return reply.body as RequestDetail
}

const idOf = (reply: { readonly headers: Headers }) => reply.headers.get("x-request-id")

describe("a request that is kept", () => {
  it("is listed with the members of a summary alone, whatever else is kept of it", async () => {
    const masked = await pay.send("GET", "/agents/device-codes/a-device-code/status")
    expect(await detail(idOf(masked))).toMatchObject({ notSendable: { reason: "MASKED" } })
    const { data } = await list()
    expect(data.map(({ id }) => id)).toContain(idOf(masked))
    const names = new Set(data.flatMap((summary) => Object.keys(summary)))
    expect([...names].filter((name) => !Object.hasOwn(RequestSummary.fields, name))).toEqual([])
  })

  it("has the caller, the operation, the answer and both bodies, under the id of the answer", async () => {
    const body = { customerType: "INDIVIDUAL", fullName: "Ada Lovelace" }
    const sent = await pay.send("POST", "/customers", { body })
    const kept = await detail(idOf(sent))
    expect(kept).toMatchObject({
      id: idOf(sent),
      method: "POST",
      path: "/customers",
      operation: "createCustomer",
      caller: { kind: "API_TOKEN", id: expect.stringMatching(/^Token:/u), name: "Test platform" },
      status: 201,
      isReplay: false,
      receivedAt: "2026-11-21T12:00:00Z",
      at: "2026-11-21T12:00:00Z",
      requestBody: { isCut: false, masked: [] },
    })
    expect(JSON.parse(kept.requestBody?.text ?? "")).toEqual(body)
    expect(JSON.parse(kept.responseBody?.text ?? "")).toEqual(sent.body)
    expect(kept.responseBody?.bytes).toBe(new TextEncoder().encode(JSON.stringify(sent.body)).length)
  })

  it("has the time of the business and the real time, also where the clock is ahead", async () => {
    await using world = await agentHarness()
    for (const [by, at] of [
      ["PT1H", "2026-11-21T13:00:05Z"],
      ["P1D", "2026-11-22T13:00:10Z"],
    ]) {
      expect((await world.send("POST", "/sandbox/clock/advance", { body: { by } })).status).toBe(200)
      await world.clock.advance("5 seconds")
      const { body } = await world.send("GET", `/sandbox/requests/${idOf(await world.send("GET", "/config"))}`)
      const { realTime } = (await world.send("GET", "/sandbox/clock")).body as { readonly realTime: string }
      expect(body).toMatchObject({ at, receivedAt: realTime })
      expect(Date.parse(realTime)).toBeLessThanOrEqual(Date.parse("2026-11-21T12:00:10Z"))
    }
  })

  it("names the agent that sent it, and the code of its refusal", async () => {
    const sent = await pay.send("GET", "/agents/me/transactions/Transaction:unknown", {
      as: { token: pay.accessToken },
    })
    expect(sent.status).toBe(404)
    const kept = await detail(idOf(sent))
    expect(kept).toMatchObject({
      operation: "agentGetTransaction",
      caller: { kind: "AGENT", id: pay.agentId, name: "Payroll" },
      status: 404,
      code: "TRANSACTION_NOT_FOUND",
    })
    expect(JSON.stringify(kept)).not.toContain(pay.accessToken)
  })

  it("shows a malformed body as masked, and its refusal", async () => {
    const sent = await pay.send("POST", "/customers", { body: { customerTyp: "INDIVIDUAL", fullName: 7 } })
    expect(sent.status).toBe(400)
    const kept = await detail(idOf(sent))
    expect(kept.code).toBe("INVALID_INPUT")
    expect(JSON.parse(kept.requestBody?.text ?? "")).toEqual({ customerTyp: "[masked]", fullName: 7 })
  })

  it("keeps no text that is not JSON", async () => {
    const headers = { "content-type": "application/json" }
    const sent = await pay.send("POST", "/customers", { headers, body: "clientSecret=canary-secret" })
    expect(sent.status).toBe(400)
    const kept = await detail(idOf(sent))
    expect(kept.requestBody).toEqual({ bytes: 26, isCut: false, masked: [] })
    expect(JSON.stringify(kept)).not.toContain("canary")
  })

  it("says that its answer replays an earlier one", async () => {
    const send = () =>
      pay.send("POST", "/webhooks/keys/rotate", { headers: { "idempotency-key": "rotation-1" }, body: {} })
    const first = await send()
    const second = await send()
    expect(second.headers.get("idempotency-replayed")).toBe("true")
    expect(await detail(idOf(first))).toMatchObject({ isReplay: false, idempotencyKey: "rotation-1" })
    expect(await detail(idOf(second))).toMatchObject({ isReplay: true, idempotencyKey: "rotation-1" })
  })

  it("has a mask for a secret in the path, in the query and in another member", async () => {
    const code = "AGENT-CANARY-CODE"
    const status = await pay.send("GET", `/agents/device-codes/${code}/status?note=${code}`)
    const kept = await detail(idOf(status))
    expect(kept.path).toBe("/agents/device-codes/[masked]/status?note=[masked]")
    const signature = "canary-wallet-signature-0123456789"
    const headers = { "service-wallet-signature": signature, "request-id": "Request:1", "user-agent": signature }
    const signed = await pay.send("DELETE", "/auth/sessions/Session:1", { headers })
    const one = await detail(idOf(signed))
    expect(one.requestHeaders).toMatchObject({ "service-wallet-signature": "[masked]", "request-id": "Request:1" })
    expect(JSON.stringify([kept, one])).not.toMatch(/canary/iu)
  })

  it("keeps the beginning of a long body", async () => {
    const body = { customerType: "INDIVIDUAL", fullName: "A".repeat(40_000) }
    const kept = await detail(idOf(await pay.send("POST", "/customers", { body })))
    expect(kept.requestBody).toMatchObject({ isCut: true, bytes: 40_043 })
    expect(kept.requestBody?.text).toHaveLength(16_384)
  })

  it("has no body above 256 KiB", async () => {
    const body = { customerType: "INDIVIDUAL", fullName: "A".repeat(300_000) }
    const kept = await detail(idOf(await pay.send("POST", "/customers", { body })))
    expect(kept.requestBody).toEqual({ bytes: 300_043, isCut: false, masked: [] })
  })
})

describe("the list", () => {
  it("has the newest first, page by page", async () => {
    const first = await list("?limit=3")
    expect(first.hasMore).toBe(true)
    const second = await list(`?limit=3&cursor=${first.nextCursor}`)
    const ids = [...first.data, ...second.data].map(({ id }) => id)
    expect(new Set(ids).size).toBe(6)
    const whole = await list("?limit=100")
    expect(whole.data.slice(0, 6).map(({ id }) => id)).toEqual(ids)
    expect([first, second, whole].map(({ totalCount }) => totalCount)).toEqual([1, 2, 3].map(() => whole.data.length))
  })

  it.each<[string, string, (request: RequestListResponse["data"][number]) => boolean]>([
    ["an operation", "operation=createCustomer", ({ operation }) => operation === "createCustomer"],
    ["failures", "outcome=FAILED", ({ status }) => status >= 400],
    ["successes", "outcome=SUCCEEDED", ({ status }) => status < 400],
    ["a part of the path", "path=device-codes", ({ path }) => path.includes("device-codes")],
  ])("is filtered by %s", async (_, query, isFound) => {
    const { data, totalCount } = await list(`?limit=100&${query}`)
    expect(data.length).toBeGreaterThan(0)
    expect(totalCount).toBeLessThan((await list("?limit=100")).data.length)
    expect(data.filter((request) => !isFound(request))).toEqual([])
  })

  it("is filtered by a path with an id, whether the colon is escaped or not", async () => {
    const sent = await Promise.all(
      ["/customers/Customer:path", "/customers/Customer%3Apath"].map((path) => pay.send("GET", path)),
    )
    for (const path of ["Customer:path", "Customer%3Apath"]) {
      const { data } = await list(`?path=${encodeURIComponent(path)}`)
      expect(data.map(({ id }) => id).toSorted()).toEqual(sent.map(idOf).toSorted())
    }
  })

  it("is filtered by caller", async () => {
    const { data } = await list(`?caller=${pay.agentId}`)
    expect(data.length).toBeGreaterThan(0)
    for (const { caller } of data) expect(caller).toMatchObject({ kind: "AGENT", id: pay.agentId })
  })

  it("is filtered by a record that they wrote, which those that only read or name it did not", async () => {
    const created = await pay.send("POST", "/customers", { body: { customerType: "INDIVIDUAL", fullName: "Ada" } })
    const { id } = created.body as { readonly id: string }
    await pay.send("GET", `/customers/${id}`)
    const changed = await pay.send("PATCH", `/customers/${id}`, {
      body: { customerType: "INDIVIDUAL", fullName: "Ada Lovelace" },
    })
    expect(changed.status).toBe(200)
    await pay.send("PATCH", `/customers/${id}`, { body: { fullName: 7 } })
    const { data, totalCount } = await list(`?record=${encodeURIComponent(id)}`)
    expect(data.map((request) => request.id)).toEqual([changed, created].map(idOf))
    expect(totalCount).toBe(2)
  })

  it("refuses the cursor of another filter", async () => {
    const { nextCursor } = await list("?limit=1")
    const reply = await pay.send("GET", `/sandbox/requests?outcome=FAILED&cursor=${nextCursor}`)
    expect([reply.status, reply.body]).toMatchObject([400, { code: "INVALID_INPUT" }])
  })

  it("has neither reads of itself nor requests with wrong credentials", async () => {
    const before = (await list("?limit=1")).data[0]?.id
    await pay.send("GET", "/customers", { as: "nobody" })
    await pay.send("GET", "/customers", { as: { token: "gat_wrong" } })
    await pay.send("GET", "/unknown")
    await detail(before ?? "")
    expect((await list("?limit=1")).data[0]?.id).toBe(before)
  })

  it("has the answer of a read only for who may read that, also as a test", async () => {
    const audit = await pay.send("GET", "/audit-records?limit=1")
    const own = await pay.send("GET", "/tokens?limit=1")
    const made = await pay.send("POST", "/tokens", { body: { name: "Viewer", permissions: ["VIEW"] } })
    const { clientId, clientSecret } = made.body as { readonly clientId: string; readonly clientSecret: string }
    const authorization = `Basic ${btoa(`${clientId}:${clientSecret}`)}`
    const asViewer = (path: string) => pay.send("GET", path, { as: "nobody", headers: { authorization } })
    expect((await asViewer("/audit-records")).status).toBe(403)
    const [record] = (audit.body as { readonly data: ReadonlyArray<{ readonly id: string }> }).data
    expect((await detail(idOf(audit))).responseBody?.text).toContain(record?.id)
    const seen = await asViewer(`/sandbox/requests/${idOf(audit)}`)
    expect(seen.body).toMatchObject({ operation: "listAuditRecords", status: 200 })
    expect(seen.body).not.toHaveProperty("responseBody")
    const tape = await asViewer(`/sandbox/requests/${idOf(audit)}/tape`)
    expect([tape.status, JSON.stringify(tape.body)]).toEqual([200, expect.not.stringContaining(record?.id ?? "")])
    expect((await asViewer(`/sandbox/requests/${idOf(own)}`)).body).toHaveProperty("responseBody")
  })

  it("is the platform's own, and no agent's", async () => {
    const other = { clientId: "client_other", clientSecret: "secret_other" }
    await pay.run(
      Platforms.use((platforms) =>
        platforms.setUp({
          clientId: other.clientId,
          clientSecret: Redacted.make(other.clientSecret),
          name: "Other platform",
          currencies: sandboxCurrencies,
        }),
      ),
    )
    const authorization = `Basic ${btoa(`${other.clientId}:${other.clientSecret}`)}`
    const asOther = (path: string) => pay.send("GET", path, { as: "nobody", headers: { authorization } })
    const own = (await list("?limit=1")).data[0]?.id
    expect((await asOther("/sandbox/requests")).body).toMatchObject({ data: [], hasMore: false, totalCount: 0 })
    expect((await asOther(`/sandbox/requests/${own}`)).status).toBe(404)
    const sent = await asOther("/tokens")
    expect((await asOther("/sandbox/requests")).body).toMatchObject({ data: [{ id: idOf(sent) }], totalCount: 1 })
    expect((await pay.send("GET", `/sandbox/requests/${idOf(sent)}`)).status).toBe(404)
    expect((await pay.send("GET", "/sandbox/requests", { as: { token: pay.accessToken } })).status).toBe(401)
  })
})
