/** Every operation of agents, and of platforms on agents, over HTTP, with its filters. Wire contract 1.1; D-211, D-213. */

import { describe, expect, it } from "vitest"
import { exampleBody } from "../../../packages/test/src/harness/AccountExample.ts"
import { agentHarness } from "../../../packages/test/src/harness/AgentHarness.ts"
import { addCustomer, addSource } from "../../../packages/test/src/harness/AgentWorld.ts"
import type { Reply } from "../../../packages/test/src/harness/Harness.ts"
import { at } from "../e2e/Client.ts"
import { atFailPoints } from "./AtFailPoints.ts"

const all = ["VIEW_TRANSACTIONS", "CREATE_TRANSFERS", "MANAGE_EXTERNAL_ACCOUNTS"] as const

const idsOf = (reply: Reply): ReadonlyArray<unknown> =>
  ((at(reply.body, "data") ?? []) as ReadonlyArray<unknown>).map((each) => at(each, "id"))

const idOf = (reply: Reply): string => String(at(reply.body, "id"))

const setUp = async (
  rules: Parameters<typeof agentHarness>[0] = {},
  options: Parameters<typeof agentHarness>[1] = {},
) => {
  const pay = await agentHarness({ permissions: [...all], ...rules }, options)
  const as = { token: pay.accessToken }
  const agent = (method: string, path: string, body?: unknown) =>
    pay.send(method, path, { as, ...(body === undefined ? {} : { body }) })
  const platform = (method: string, path: string, body?: unknown) =>
    pay.send(method, path, body === undefined ? {} : { body })
  return Object.assign(pay, { api: { agent, platform } })
}

const transfers = (pay: Awaited<ReturnType<typeof setUp>>, amount: number) => ({
  in: { source: { accountId: pay.sources["000"] }, destination: { accountId: pay.accountId }, amount },
  out: { source: { accountId: pay.accountId }, destination: { accountId: pay.sources["000"] }, amount },
})

describe("the agent's external accounts", () => {
  it("are created for its customer, listed, read and deleted", async () => {
    await using pay = await setUp()
    const { agent, platform } = pay.api
    // Records of one millisecond have no order of creation.
    await pay.clock.advance("1 second")
    const created = await agent("POST", "/agents/me/external-accounts", exampleBody("MXN_ACCOUNT"))
    expect(created).toMatchObject({ status: 201, body: { customerId: pay.customerId, currency: "MXN" } })
    const id = idOf(created)
    expect(idsOf(await agent("GET", "/agents/me/external-accounts"))).toEqual([id, pay.sources["000"]])
    expect(idsOf(await agent("GET", "/agents/me/external-accounts?currency=MXN"))).toEqual([id])
    expect(await agent("GET", `/agents/me/external-accounts/${id}`)).toMatchObject({ status: 200, body: { id } })
    expect(await platform("GET", `/customers/external-accounts/${id}`)).toMatchObject({ status: 200, body: { id } })
    const again = await agent("POST", "/agents/me/external-accounts", {
      ...exampleBody("MXN_ACCOUNT"),
      customerId: pay.customerId,
    })
    expect(again).toMatchObject({ status: 409, body: { code: "CONFLICT" } })
    expect((await agent("DELETE", `/agents/me/external-accounts/${id}`)).status).toBe(204)
    for (const method of ["GET", "DELETE"]) {
      expect((await agent(method, `/agents/me/external-accounts/${id}`)).status).toBe(404)
    }
  })

  // Proves: AUTH-05
  it("cannot be created, read or deleted for another customer", async () => {
    await using pay = await setUp()
    const { agent } = pay.api
    const otherCustomer = await addCustomer(pay)
    const foreign = await addSource(pay, otherCustomer.customerId, "000")
    const body = { ...exampleBody("MXN_ACCOUNT"), customerId: otherCustomer.customerId }
    expect(await agent("POST", "/agents/me/external-accounts", body)).toMatchObject({
      status: 403,
      body: { code: "FORBIDDEN", details: { reason: "CUSTOMER_NOT_ALLOWED" } },
    })
    expect(idsOf(await agent("GET", "/agents/me/external-accounts"))).not.toContain(foreign)
    for (const method of ["GET", "DELETE"]) {
      expect((await agent(method, `/agents/me/external-accounts/${foreign}`)).status).toBe(404)
    }
  })

  it("require the permission until the commit; a paused agent may only read", async () => {
    const { failPoints, allRan, during } = atFailPoints()
    await using pay = await setUp({}, { failPoints })
    const { agent, platform } = pay.api
    const add = () => agent("POST", "/agents/me/external-accounts", exampleBody("MXN_ACCOUNT"))
    const permit = (permissions: ReadonlyArray<string>) =>
      platform("PATCH", `/agents/${pay.agentId}/policy`, { permissions })
    during(["operation.decided", () => permit(["VIEW_TRANSACTIONS"])])
    expect(await add()).toMatchObject({
      status: 403,
      body: { details: { rule: "PERMISSION_GRANTED", permission: "MANAGE_EXTERNAL_ACCOUNTS" } },
    })
    expect(allRan()).toBe(true)
    expect((await agent("GET", "/agents/me/external-accounts")).status).toBe(403)
    await permit(all)
    await platform("PATCH", `/agents/${pay.agentId}`, { isPaused: true })
    expect(await add()).toMatchObject({ status: 403, body: { details: { reason: "AGENT_PAUSED" } } })
    const path = `/agents/me/external-accounts/${pay.sources["000"]}`
    expect((await agent("DELETE", path)).status).toBe(403)
    expect((await agent("GET", path)).status).toBe(200)
  })
})

describe("the agent's transactions", () => {
  it("are those of its customer, with every filter", async () => {
    await using pay = await setUp()
    const { agent, platform } = pay.api
    await platform("POST", `/sandbox/internal-accounts/${pay.accountId}/fund`, { amount: 5000 })
    const otherCustomer = await addCustomer(pay)
    await platform("POST", `/sandbox/internal-accounts/${otherCustomer.accountId}/fund`, { amount: 1 })
    await pay.clock.advance("1 minute")
    const pulled = await agent("POST", "/agents/me/transfer-in", transfers(pay, 100).in)
    await pay.clock.advance("1 minute")
    const pushed = await agent("POST", "/agents/me/transfer-out", transfers(pay, 50).out)
    expect([pulled.status, pushed.status]).toEqual([201, 201])
    const into = String(at(pulled.body, "transaction", "id"))
    const out = String(at(pushed.body, "transaction", "id"))
    const list = async (query: string) => idsOf(await agent("GET", `/agents/me/transactions?${query}`))
    const everything = await list("")
    expect(everything).toHaveLength(3)
    expect(everything.slice(0, 2)).toEqual([out, into])
    const funded = everything[2]
    expect(await list("sortOrder=asc")).toEqual([funded, into, out])
    expect(await list("type=OUTGOING")).toEqual([out])
    expect(await list("status=PENDING")).toEqual([out])
    expect(await list(`accountIdentifier=${pay.sources["000"]}`)).toEqual([out, into])
    expect(await list(`senderAccountIdentifier=${pay.accountId}`)).toEqual([out])
    expect(await list(`receiverAccountIdentifier=${pay.accountId}`)).toEqual([into, funded])
    const createdAt = String(at(pulled.body, "transaction", "createdAt"))
    expect(await list(`startDate=${createdAt}&endDate=${createdAt}`)).toEqual([into])
    const reference = String(at(pushed.body, "transaction", "reconciliationInstructions", "reference"))
    expect(await list(`reference=${encodeURIComponent(reference)}`)).toEqual([out])
    const page = await agent("GET", "/agents/me/transactions?limit=2")
    expect(page.body).toMatchObject({ hasMore: true, totalCount: 3 })
    expect(await list(`limit=2&cursor=${at(page.body, "nextCursor")}`)).toEqual([funded])
    expect(await list(`customerId=${otherCustomer.customerId}`)).toEqual(everything)
    expect((await agent("GET", "/agents/me/transactions?status=NONE")).status).toBe(400)
  })
})

describe("the agent's own resources", () => {
  it("filters actions by status and shows their explanations", async () => {
    await using pay = await setUp({ approvalThresholds: { currency: "USD", amount: 100 } })
    const { agent } = pay.api
    const small = idOf(await agent("POST", "/agents/me/transfer-in", transfers(pay, 100).in))
    const held = await agent("POST", "/agents/me/transfer-in", transfers(pay, 101).in)
    expect(held.body).toMatchObject({
      status: "PENDING_APPROVAL",
      details: {
        rule: "APPROVAL_THRESHOLD",
        message: "The amount is above the approval threshold.",
        threshold: 100,
        amount: 101,
        currency: "USD",
      },
    })
    const short = await agent("POST", "/agents/me/transfer-out", transfers(pay, 7).out)
    expect(short).toMatchObject({ status: 201, body: { status: "FAILED", details: { rule: "FUNDS", available: 0 } } })
    const list = async (query: string) => idsOf(await agent("GET", `/agents/me/actions?${query}`))
    expect(await list("status=APPROVED")).toEqual([small])
    expect(await list("status=PENDING_APPROVAL")).toEqual([idOf(held)])
    expect(await list("status=FAILED")).toEqual([idOf(short)])
    expect(await list("")).toHaveLength(3)
  })

  it("filters internal accounts by currency and type", async () => {
    await using pay = await setUp()
    const list = async (query: string) => idsOf(await pay.api.agent("GET", `/agents/me/internal-accounts?${query}`))
    expect(await list("currency=USD")).toContain(pay.accountId)
    expect(await list("currency=EUR")).not.toContain(pay.accountId)
    expect(await list("type=INTERNAL_FIAT&currency=USD")).toEqual([pay.accountId])
  })

  it("replays the stored response of a transfer-out for a repeated key", async () => {
    await using pay = await setUp()
    await pay.api.platform("POST", `/sandbox/internal-accounts/${pay.accountId}/fund`, { amount: 100 })
    const send = (amount: number) =>
      pay.send("POST", "/agents/me/transfer-out", {
        as: { token: pay.accessToken },
        headers: { "idempotency-key": "once" },
        body: transfers(pay, amount).out,
      })
    const [first, again] = [await send(60), await send(60)]
    expect(again.body).toEqual(first.body)
    expect(again.headers.get("idempotency-replayed")).toBe("true")
    expect((await send(61)).status).toBe(409)
  })
})

describe("the platform's lists", () => {
  it("filter agents by customer, state and times", async () => {
    await using pay = await setUp()
    const { platform } = pay.api
    const list = async (query: string) => idsOf(await platform("GET", `/agents?${query}`))
    await pay.clock.advance("1 minute")
    const { body } = await platform("POST", "/agents", {
      name: "Second",
      customerId: (await addCustomer(pay)).customerId,
      policy: {
        permissions: [],
        defaultExecutionMode: "AUTO",
        spendingLimits: { currency: "USD", perTransactionLimit: 1 },
      },
    })
    const second = String(at(body, "agent", "id"))
    const createdAt = String(at(body, "agent", "createdAt"))
    await pay.clock.advance("1 minute")
    const paused = await platform("PATCH", `/agents/${pay.agentId}`, { isPaused: true })
    expect(await list("")).toEqual([second, pay.agentId])
    expect(await list(`customerId=${pay.customerId}`)).toEqual([pay.agentId])
    expect(await list("isPaused=true")).toEqual([pay.agentId])
    expect(await list("isConnected=false")).toEqual([second])
    expect(await list(`createdAfter=${createdAt}`)).toEqual([second])
    expect(await list(`createdBefore=${createdAt}&isConnected=true`)).toEqual([pay.agentId])
    expect(await list(`updatedAfter=${at(paused.body, "updatedAt")}`)).toEqual([pay.agentId])
    expect(await list(`updatedBefore=${createdAt}`)).toEqual([second])
    await platform("DELETE", `/agents/${second}`)
    expect(await list("")).toEqual([pay.agentId])
  })

  it("list the approvals that wait, or other statuses, by time", async () => {
    await using pay = await setUp({ defaultExecutionMode: "APPROVAL_REQUIRED" })
    const { agent, platform } = pay.api
    const ids: Array<string> = []
    for (const amount of [1, 2, 3]) {
      ids.push(idOf(await agent("POST", "/agents/me/transfer-in", transfers(pay, amount).in)))
      await pay.clock.advance("1 minute")
    }
    const [one = "", two = "", three = ""] = ids
    await platform("POST", `/agents/${pay.agentId}/actions/${one}/approve`)
    await platform("POST", `/agents/${pay.agentId}/actions/${two}/reject`, { reason: "no" })
    const list = async (query: string) => idsOf(await platform("GET", `/agents/approvals?${query}`))
    expect(await list("")).toEqual([three])
    expect(await list("status=APPROVED")).toEqual([one])
    expect(await list("status=APPROVED&status=REJECTED&status=FAILED")).toEqual([two, one])
    expect(await list("status=APPROVED&status=REJECTED&sortOrder=asc")).toEqual([one, two])
    expect(await list(`status=APPROVED&customerId=${pay.customerId}`)).toEqual([one])
    expect(await list(`status=APPROVED&customerId=${(await addCustomer(pay)).customerId}`)).toEqual([])
    const submitted = String(at((await agent("GET", `/agents/me/actions/${two}`)).body, "createdAt"))
    expect(await list(`status=REJECTED&startDate=${submitted}&endDate=${submitted}`)).toEqual([two])
    expect(await list(`status=REJECTED&startDate=${submitted.replace("2026", "2027")}`)).toEqual([])
    expect((await platform("GET", "/agents/approvals?status=LOST")).status).toBe(400)
  })
})

describe("a policy evaluation over HTTP", () => {
  it("answers the outcome, and for unknown accounts the agent's error", async () => {
    await using pay = await setUp({ approvalThresholds: { currency: "USD", amount: 100 } })
    const { agent, platform } = pay.api
    const path = `/agents/${pay.agentId}/policy/evaluate`
    const body = { type: "TRANSFER_IN", ...transfers(pay, 101).in }
    expect(await platform("POST", path, body)).toMatchObject({
      status: 200,
      body: { outcome: "PENDING_APPROVAL", details: { rule: "APPROVAL_THRESHOLD" }, transferDetails: { amount: 101 } },
    })
    const unknown = { accountId: "ExternalAccount:00000000-0000-4000-8000-000000000000" }
    expect(await platform("POST", path, { ...body, source: unknown })).toMatchObject({
      status: 200,
      body: { outcome: "REFUSED", error: { status: 404, code: "REFERENCE_NOT_FOUND" }, limits: [] },
    })
    for (const [type, fields] of [
      ["TRANSFER", ["type"]],
      ["TRANSFER_IN", ["source.accountId", "destination"]],
      ["EXECUTE_QUOTE", ["quoteId"]],
    ] as const) {
      expect(await platform("POST", path, { type, source: { accountId: "x" } })).toMatchObject({
        status: 400,
        body: { details: { errors: fields.map((field) => ({ field })) } },
      })
    }
    const action = idOf(await agent("POST", "/agents/me/transfer-in", transfers(pay, 101).in))
    expect(await platform("GET", `/agents/${pay.agentId}/actions/${action}/evaluation`)).toMatchObject({
      status: 200,
      body: { outcome: "APPROVED", limits: [{ limit: "perTransactionLimit", remaining: 99_899 }] },
    })
  })
})
