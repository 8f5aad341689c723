/**
 * The audit over HTTP: recorded and unrecorded operations, their actors and numbers, and the filters of the list.
 * Source: wire contract 11 (60); D-111.
 */
import { IncomingPayments, Platforms } from "@countersign/core"
import { AuditOperations } from "@countersign/core/models"
import { Store } from "@countersign/core/store"
import { Redacted } from "effect"
import { describe, expect, it } from "vitest"
import { agentHarness } from "../../../packages/test/src/harness/AgentHarness.ts"
import { type Harness, harness, type Reply } from "../../../packages/test/src/harness/Harness.ts"
import { credentials } from "../../../packages/test/src/harness/World.ts"
import { at, idOf } from "../customer/CustomerRequests.ts"
import { type Pay, recordOf, records } from "./Records.ts"

/** The token by which the harness signs in. */
const tokenId = async (pay: Harness): Promise<string> =>
  (at(await pay.send("GET", "/tokens"), "data") as ReadonlyArray<{ readonly id: string }>).at(-1)?.id ?? ""

const submit = (pay: Pay, amount: number, headers: Readonly<Record<string, string>> = {}) =>
  pay.send("POST", "/agents/me/transfer-in", {
    as: { token: pay.accessToken },
    headers,
    body: { source: { accountId: pay.sources["000"] }, destination: { accountId: pay.accountId }, amount },
  })

const policy = {
  permissions: ["CREATE_TRANSFERS" as const],
  defaultExecutionMode: "AUTO" as const,
  spendingLimits: { currency: "USD" as const, perTransactionLimit: 5000 },
  approvalThresholds: { currency: "USD" as const, amount: 1000 },
}

describe("a change by the platform", () => {
  it("is recorded with its token, time and request", async () => {
    await using pay = await agentHarness()
    const token = await tokenId(pay)
    const changed = async (operation: string, done: Promise<Reply>, details: object, target?: string) => {
      const reply = await done
      expect(reply.status).toBeLessThan(300)
      const found = await recordOf(pay, reply)
      await pay.clock.advance("1 minute")
      expect(found).toEqual({
        id: expect.stringMatching(/^AuditRecord:/u),
        actor: { type: "PLATFORM", id: token },
        operation,
        target: target ?? idOf(reply),
        outcome: "DONE",
        requestId: reply.headers.get("x-request-id"),
        details,
        createdAt: expect.any(String),
        ...(found?.customerId === undefined ? {} : { customerId: pay.customerId }),
      })
      return reply
    }
    const body = { name: "Second", customerId: pay.customerId, policy }
    const made = await changed("AGENT_CREATE", pay.send("POST", "/agents", { body }), {}, expect.any(String))
    const agent = at(made, "agent", "id") as string
    const path = `/agents/${agent}`
    const paused = { changed: ["isPaused"], isPaused: true }
    await changed("AGENT_UPDATE", pay.send("PATCH", path, { body: { isPaused: true } }), paused)
    const limits = { body: { spendingLimits: { perTransactionLimit: 1 } } }
    await changed("AGENT_POLICY_UPDATE", pay.send("PATCH", `${path}/policy`, limits), { changed: ["spendingLimits"] })
    await changed("DEVICE_CODE_ISSUE", pay.send("POST", `${path}/device-codes`), {}, agent)
    await changed("AGENT_DELETE", pay.send("DELETE", path), {}, agent)
    const permissions = ["VIEW"]
    const created = pay.send("POST", "/tokens", { body: { name: "Reporting", permissions } })
    const { id } = (await changed("TOKEN_CREATE", created, { permissions })).body as { readonly id: string }
    await changed("TOKEN_DELETE", pay.send("DELETE", `/tokens/${id}`), {}, id)
    const config = { body: { webhookEndpoint: "https://other.example/hooks" } }
    await changed("CONFIG_UPDATE", pay.send("PATCH", "/config", config), { changed: ["webhookEndpoint"] })
    expect((await records(pay, `target=${agent}`)).map(({ operation }) => operation)).toEqual([
      "AGENT_DELETE",
      "DEVICE_CODE_ISSUE",
      "AGENT_POLICY_UPDATE",
      "AGENT_UPDATE",
      "AGENT_CREATE",
    ])
  })

  it("is recorded as the service's if the deployment or no request made it", async () => {
    await using pay = await harness()
    expect(await records(pay)).toMatchObject([{ operation: "TOKEN_CREATE", actor: { type: "SERVICE" } }])
    const setUp = { ...credentials, name: "Test platform", currencies: [] }
    const renew = (secret: string) =>
      pay.run(Platforms.use((platforms) => platforms.setUp({ ...setUp, clientSecret: Redacted.make(secret) })))
    await renew(credentials.clientSecret)
    expect(await records(pay)).toHaveLength(1)
    await renew("another-secret-that-is-long-enough")
    await renew(credentials.clientSecret)
    const renewed = await records(pay, "operation=TOKEN_RENEW")
    expect(renewed).toHaveLength(2)
    expect(renewed[0]).toMatchObject({ actor: { type: "SERVICE" }, target: await tokenId(pay) })
    expect(renewed[0]).not.toHaveProperty("requestId")
  })

  it("is not recorded if it was refused", async () => {
    await using pay = await agentHarness()
    const before = await records(pay)
    await pay.send("DELETE", `/tokens/${await tokenId(pay)}`)
    await pay.send("POST", "/agents", { body: { name: "x", customerId: "Customer:x", policy } })
    await pay.send("POST", `/agents/${pay.agentId}/device-codes`)
    expect(await records(pay)).toEqual(before)
  })
})

describe("a device code", () => {
  it("records its redemption by the agent and a refused second attempt, without secrets", async () => {
    await using pay = await harness()
    const body = { name: "Payroll", customerId: "", policy }
    const customer = await pay.send("POST", "/customers", { body: { customerType: "INDIVIDUAL", fullName: "Ada" } })
    const made = await pay.send("POST", "/agents", { body: { ...body, customerId: idOf(customer) } })
    const code = String(at(made, "deviceCode", "code"))
    const agent = String(at(made, "agent", "id"))
    await pay.clock.advance("1 minute")
    const redeem = () => pay.send("POST", `/agents/device-codes/${code}/redeem`, { as: "nobody" })
    const accessToken = String(at(await redeem(), "accessToken"))
    await pay.clock.advance("1 minute")
    const again = await redeem()
    const redemptions = await records(pay, "operation=DEVICE_CODE_REDEEM")
    expect(redemptions).toMatchObject([
      { outcome: "REFUSED", details: { reason: "REDEEMED" }, requestId: again.headers.get("x-request-id") },
      { outcome: "DONE", details: {}, actor: { type: "AGENT", id: agent }, target: agent, customerId: idOf(customer) },
    ])
    const all = JSON.stringify(await records(pay))
    for (const secret of [code, accessToken, credentials.clientSecret]) expect(all).not.toContain(secret)
  })
})

describe("an agent's action", () => {
  it("is not recorded if the policy allows it at once", async () => {
    await using pay = await agentHarness(policy)
    const before = await records(pay)
    expect(await submit(pay, 1000)).toMatchObject({ status: 201, body: { status: "APPROVED" } })
    expect(await records(pay)).toEqual(before)
  })

  it("is recorded with the rule and its numbers when it is held, approved or rejected", async () => {
    await using pay = await agentHarness(policy)
    const token = await tokenId(pay)
    const held = await submit(pay, 1001)
    expect(await recordOf(pay, held)).toMatchObject({
      actor: { type: "AGENT", id: pay.agentId },
      operation: "AGENT_ACTION_SUBMIT",
      target: idOf(held),
      customerId: pay.customerId,
      outcome: "HELD",
      details: { rule: "APPROVAL_THRESHOLD", currency: "USD", threshold: 1000, amount: 1001 },
    })
    const decide = (id: string, how: string) => pay.send("POST", `/agents/${pay.agentId}/actions/${id}/${how}`)
    const approval = await decide(idOf(held), "approve")
    const approved = { operation: "AGENT_ACTION_APPROVE", actor: { type: "PLATFORM", id: token }, details: {} }
    expect(await recordOf(pay, approval)).toMatchObject({ ...approved, outcome: "DONE", target: idOf(held) })
    // A second approval changes nothing and adds no record.
    await decide(idOf(held), "approve")
    expect(await records(pay, `target=${idOf(held)}`)).toHaveLength(2)

    const another = await submit(pay, 1002)
    const rejection = await decide(idOf(another), "reject")
    expect(await recordOf(pay, rejection)).toMatchObject({ operation: "AGENT_ACTION_REJECT", outcome: "DONE" })

    const third = await submit(pay, 1003)
    await pay.send("PATCH", `/agents/${pay.agentId}/policy`, { body: { spendingLimits: { perTransactionLimit: 100 } } })
    const failed = await decide(idOf(third), "approve")
    expect(failed.body).toMatchObject({ status: "FAILED" })
    expect(await recordOf(pay, failed)).toMatchObject({
      operation: "AGENT_ACTION_APPROVE",
      outcome: "FAILED",
      details: { rule: "PER_TRANSACTION_LIMIT", limit: "perTransactionLimit", value: 100, amount: 1003 },
    })
  })

  it("is recorded with the rule once per idempotency key when it is refused", async () => {
    await using pay = await agentHarness(policy)
    const refused = await submit(pay, 5001, { "idempotency-key": "k" })
    expect(refused).toMatchObject({ status: 403, body: { details: { limit: "perTransactionLimit", value: 5000 } } })
    await submit(pay, 5001, { "idempotency-key": "k" })
    expect(await records(pay, "outcome=REFUSED")).toMatchObject([
      {
        operation: "AGENT_ACTION_SUBMIT",
        target: pay.agentId,
        requestId: refused.headers.get("x-request-id"),
        details: {
          type: "TRANSFER_IN",
          sourceAccountId: pay.sources["000"],
          destinationAccountId: pay.accountId,
          rule: "PER_TRANSACTION_LIMIT",
          limit: "perTransactionLimit",
          value: 5000,
          amount: 5001,
          currency: "USD",
        },
      },
    ])
    await submit(pay, 5002)
    expect(await records(pay, "outcome=REFUSED")).toHaveLength(2)
  })

  it("is not recorded if the request is invalid", async () => {
    await using pay = await agentHarness(policy)
    const before = await records(pay)
    expect((await submit(pay, -1)).status).toBe(400)
    expect(await records(pay)).toEqual(before)
  })
})

describe("an incoming payment", () => {
  it.each([
    ["approve", "PAYMENT_APPROVE"],
    ["reject", "PAYMENT_REJECT"],
  ])("is recorded when the platform decides it by %s", async (how, operation) => {
    await using pay = await agentHarness()
    const payment = {
      destinationAccountId: pay.accountId,
      amount: 5,
      senderUmaAddress: "$b@b.example",
      requestedFields: [],
    }
    const { body } = await pay.run(IncomingPayments.use((payments) => payments.receive(payment)))
    pay.inbox.answerNext(202)
    await pay.settle()
    const decided = await pay.send("POST", `/transactions/${body.id}/${how}`, { body: {} })
    expect(decided.status).toBe(200)
    const outcome = "DONE"
    expect(await recordOf(pay, decided)).toMatchObject({
      operation,
      target: body.id,
      customerId: pay.customerId,
      outcome,
    })
  })
})

describe("the audit", () => {
  it("is filtered by actor, operation, target, outcome, customer and time, in pages", async () => {
    await using pay = await agentHarness(policy)
    const token = await tokenId(pay)
    await pay.clock.advance("1 hour")
    const refused = await submit(pay, 6000)
    const count = async (query: string) => (await records(pay, query)).length
    expect(refused.status).toBe(403)
    expect(await records(pay, `actor=${pay.agentId}`)).toMatchObject([
      { operation: "AGENT_ACTION_SUBMIT" },
      { operation: "DEVICE_CODE_REDEEM" },
    ])
    expect(await records(pay, `actor=${token}`)).toMatchObject([{ operation: "AGENT_CREATE" }])
    expect(await count("operation=AGENT_ACTION_SUBMIT")).toBe(1)
    expect(await count(`target=${pay.agentId}&operation=AGENT_CREATE`)).toBe(1)
    expect(await count("outcome=HELD")).toBe(0)
    expect(await count(`customerId=${pay.customerId}`)).toBe(3)
    expect(await count("startDate=2026-11-21T13:00:00Z")).toBe(1)
    expect(await count("endDate=2026-11-21T12:59:59Z")).toBe(3)
    const oldest = await pay.send("GET", "/audit-records?limit=1&sortOrder=asc")
    expect(oldest.body).toMatchObject({ hasMore: true, totalCount: 4 })
    const cursor = String(at(oldest, "nextCursor"))
    expect(await records(pay, `limit=3&sortOrder=asc&cursor=${cursor}`)).toHaveLength(3)
    const wrong = await pay.send("GET", "/audit-records?operation=CREATE&outcome=GOOD&limit=0")
    expect(wrong).toMatchObject({ status: 400, body: { code: "INVALID_INPUT" } })
  })

  it("is not visible to another platform or to an agent", async () => {
    await using pay = await agentHarness()
    const other = { clientId: "other", clientSecret: Redacted.make("other-secret"), name: "Other", currencies: [] }
    await pay.run(Platforms.use((platforms) => platforms.setUp(other)))
    const as = { authorization: `Basic ${btoa("other:other-secret")}` }
    const theirs = await pay.send("GET", "/audit-records", { as: "nobody", headers: as })
    expect(theirs.body).toMatchObject({ totalCount: 1, data: [{ operation: "TOKEN_CREATE" }] })
    expect((await pay.send("GET", "/audit-records", { as: { token: pay.accessToken } })).status).toBe(401)
  })

  it("contains no record of an operation that does not commit", async () => {
    await using pay = await agentHarness()
    const before = await pay.run(Store.use((store) => store.list("AuditRecord", {}, { limit: 100, order: "desc" })))
    const most = 9_007_199_254_740_991
    const path = `/sandbox/internal-accounts/${pay.accountId}/fund`
    expect((await pay.send("POST", path, { body: { amount: most } })).status).toBe(400)
    const after = await pay.run(Store.use((store) => store.list("AuditRecord", {}, { limit: 100, order: "desc" })))
    expect(after).toEqual(before)
  })

  it("describes each operation", () => {
    for (const meaning of AuditOperations.entries.map(([, text]) => text)) expect(meaning).toMatch(/^[A-Z].* /u)
  })
})
